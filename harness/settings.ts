import { configurationError } from './configuration-error.ts';
import type { Contract } from './contract.ts';
import { didYouMean, likely } from './likely.ts';
import { DEPTHS, type Depth } from './matrix.ts';
import type { Minted } from './token-command.ts';
import {
  CAPABILITIES,
  type Capability,
  knownVariables,
  MARKER_VARIABLES,
  SETTING_VARIABLES,
  tokenKinds,
  tokenVariables,
} from './variables.ts';

/** Where a variable's value came from. */
export const ORIGINS = ['flag', 'environment', '.env', 'embedded target'] as const;
export type Origin = (typeof ORIGINS)[number];
export interface Variable {
  readonly value: string;
  readonly origin: Origin;
}
export interface Claims {
  readonly kinds: readonly string[];
  readonly capabilities: readonly Capability[];
  readonly inferred: boolean;
}
export interface Settings {
  /** Absolute, without a trailing slash; a path prefix is allowed. */
  readonly baseUrl: string;
  readonly loopback: boolean;
  /** Fixtures minted the credentials for this very run, so a refused control is the target's fault (OUTCOMES 2). */
  readonly trusted: boolean;
  readonly variables: ReadonlyMap<string, Variable>;
  /** What TOKEN_COMMAND made for this run. */
  readonly minted?: Minted;
  readonly claims: Claims;
  readonly depth: Depth;
  /** Requests a second; undefined is unlimited. */
  readonly rate: number | undefined;
  readonly concurrency: number;
  /** Milliseconds to response headers, then to the end of the body. */
  readonly timeoutMs: number;
  readonly chatTimeoutMs: number;
  /** Accepted chats on a remote target. */
  readonly chatBudget: number;
  readonly extraHeaders: readonly (readonly [string, string])[];
  readonly reportDir: string;
}
export interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dotenv: Readonly<Record<string, string>>;
  /** Values of flags, by the variable that they win over. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly insecure?: boolean;
}

/** Whether no variable at all is set, so that the embedded target may stand in. */
export function nothingSet(contract: Contract, { environment, dotenv }: Sources): boolean {
  return knownVariables(contract).every((name) => environment[name] === undefined && dotenv[name] === undefined);
}

/**
 * Reads every variable, refusing what is unknown, empty or contradictory.
 * @throws a configuration error naming each problem and the likely meant name; values are never shown.
 */
export function readSettings(contract: Contract, sources: Sources): Settings {
  const known = knownVariables(contract);
  const problems = misspelt(known, sources);
  const variables = collect(known, sources);
  const text = (name: string) => variables.get(name)?.value;
  problems.push(
    ...[...variables]
      .filter(([, { value }]) => value.trim() === '')
      .map(([name]) => `${name} is set but empty; give it a value or unset it`),
  );
  const claims = readClaims(contract, variables, problems);
  const url = readBaseUrl(text('TARGET_BASE_URL'), sources.insecure ?? false, problems);
  const tokens = tokenVariables(contract).filter(({ name }) => variables.has(name));
  if (url && tokens.length === 0 && !variables.has('TOKEN_COMMAND'))
    problems.push('TARGET_BASE_URL is set but no token is; set USER_TOKEN (or another <KIND>_TOKEN) first');
  for (const [query, marker] of markerPairs()) {
    const [q, m] = [text(query), text(marker)];
    if ((q === undefined) !== (m === undefined))
      problems.push(`${q === undefined ? query : marker} is missing: ${query} and ${marker} belong together`);
    if (q !== undefined && m !== undefined && q.toLowerCase().includes(m.toLowerCase()))
      problems.push(`${query} contains ${marker}; a target that echoes the query would seem to leak`);
  }
  const loopback = url ? isLoopback(url.hostname) : true;
  const number = (name: string, least: number) => readNumber(text(name), name, least, problems);
  const depth = readChoice(text('CONFORMANCE_DEPTH'), 'CONFORMANCE_DEPTH', DEPTHS, problems);
  const extraHeaders = readExtraHeaders(text('CONFORMANCE_EXTRA_HEADERS'), problems);
  const rate = number('CONFORMANCE_RATE', 0.1);
  const concurrency = number('CONFORMANCE_CONCURRENCY', 1);
  const timeoutMs = number('CONFORMANCE_TIMEOUT_MS', 1);
  const chatTimeoutMs = number('CONFORMANCE_CHAT_TIMEOUT_MS', 1);
  const chatBudget = number('CONFORMANCE_CHAT_BUDGET', 1);
  if (problems.length > 0 || !url) throw configurationError(problems);
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    loopback,
    trusted: [...variables.values()].some(({ origin }) => origin === 'embedded target'),
    variables,
    claims,
    depth: depth ?? 'core',
    rate: rate ?? (loopback ? undefined : 10),
    concurrency: Math.floor(concurrency ?? (loopback ? 16 : 4)),
    timeoutMs: timeoutMs ?? 10_000,
    chatTimeoutMs: chatTimeoutMs ?? 90_000,
    chatBudget: Math.floor(chatBudget ?? 30),
    extraHeaders,
    reportDir: text('CONFORMANCE_REPORT_DIR') ?? 'conformance-report',
  };
}

/**
 * The settings for fixtures that answered with `env`: their variables, ours that tune a run, and flags. Their credentials
 * were minted for this run, so every refusal of one is the target's fault.
 */
export function embeddedSettings(
  contract: Contract,
  env: Readonly<Record<string, string>>,
  { environment, flags = {} }: Sources,
): Settings {
  const tuning = Object.fromEntries(SETTING_VARIABLES.map((name) => [name, environment[name]]));
  const settings = readSettings(contract, {
    environment: { ...tuning, ...env },
    dotenv: {},
    flags: { ...(tuning['CONFORMANCE_DEPTH'] === undefined && { CONFORMANCE_DEPTH: 'full' }), ...flags },
  });
  const origin = (name: string, variable: Variable): Variable =>
    name in env ? { ...variable, origin: 'embedded target' } : variable;
  return {
    ...settings,
    variables: new Map([...settings.variables].map(([name, variable]) => [name, origin(name, variable)])),
    trusted: true,
  };
}

function misspelt(known: readonly string[], { environment, dotenv }: Sources): string[] {
  const inFile = Object.keys(dotenv).filter((name) => !known.includes(name));
  // The environment belongs to others too: only a near miss of one of our names is taken for ours.
  const inEnvironment = Object.keys(environment).filter((name) => {
    const meant = name.length >= 8 && !known.includes(name) ? likely(name, known) : undefined;
    return meant !== undefined && Math.abs(meant.length - name.length) <= 1 && sharesWord(name, meant);
  });
  return [
    ...inFile.map((name) => `.env sets ${name}, which the suite does not know${didYouMean(name, known)}`),
    ...inEnvironment.map((name) => `the environment sets ${name}${didYouMean(name, known)}`),
  ];
}

/** A typo leaves at least the first and the last word of a name alone, or all but one of its words. */
function sharesWord(name: string, meant: string): boolean {
  const [a, b] = [name.split('_'), meant.split('_')];
  return a.length === b.length && a.filter((word, index) => word === b[index]).length >= a.length - 1;
}

function collect(known: readonly string[], { environment, dotenv, flags = {} }: Sources): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  for (const name of known) {
    const candidates: [string | undefined, Origin][] = [
      [flags[name], 'flag'],
      [environment[name], 'environment'],
      [dotenv[name], '.env'],
    ];
    const [value, origin] = candidates.find(([candidate]) => candidate !== undefined) ?? [];
    if (value !== undefined && origin !== undefined) variables.set(name, { value, origin });
  }
  return variables;
}

function readBaseUrl(text: string | undefined, insecure: boolean, problems: string[]): URL | undefined {
  if (text === undefined) {
    problems.push(
      'TARGET_BASE_URL is missing: set it to the implementation to test, or pass --embedded to test the reference service',
    );
    return undefined;
  }
  if (text.trim() === '') return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    problems.push(`TARGET_BASE_URL is not a URL; wanted something like https://api.example.com`);
    return undefined;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    problems.push(`TARGET_BASE_URL has the scheme ${url.protocol}; wanted https: (or http: on loopback)`);
  if (url.username || url.password)
    problems.push('TARGET_BASE_URL holds a user or password; send gateway credentials with CONFORMANCE_EXTRA_HEADERS');
  if (url.search || url.hash)
    problems.push('TARGET_BASE_URL has a query or fragment; wanted an address with at most a path prefix');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !insecure)
    problems.push(
      `TARGET_BASE_URL is plain http to ${url.hostname}: tokens would travel in clear; use https or pass --insecure`,
    );
  return url;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

function readClaims(contract: Contract, variables: ReadonlyMap<string, Variable>, problems: string[]): Claims {
  const kinds = tokenKinds(contract);
  const stated = variables.get('CONFORMANCE_CLAIMS')?.value;
  if (stated === undefined || stated.trim() === '') {
    const siblings = tokenVariables(contract).filter(
      ({ name, holding }) =>
        variables.has(name) &&
        holding.startsWith('only:') &&
        !contract.operations.some(({ scope }) => holding === `only:${scope}`),
    );
    return {
      kinds: kinds.filter((kind) => variables.has(`${kind}_TOKEN`)),
      capabilities: siblings.length > 0 ? ['scopes'] : [],
      inferred: true,
    };
  }
  const names = stated
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const known = [...kinds.map((kind) => kind.toLowerCase()), ...CAPABILITIES];
  for (const name of names)
    if (!known.includes(name))
      problems.push(`CONFORMANCE_CLAIMS names ${name}, which is no kind or capability${didYouMean(name, known)}`);
  return {
    kinds: kinds.filter((kind) => names.includes(kind.toLowerCase())),
    capabilities: CAPABILITIES.filter((capability) => names.includes(capability)),
    inferred: false,
  };
}

function markerPairs(): [string, string][] {
  return MARKER_VARIABLES.filter((name) => name.endsWith('_QUERY')).map((query) => [
    query,
    query.replace(/QUERY$/, 'MARKER'),
  ]);
}

function readNumber(text: string | undefined, name: string, least: number, problems: string[]): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  problems.push(`${name} is not a number of at least ${least}`);
  return undefined;
}

function readChoice<T extends string>(
  text: string | undefined,
  name: string,
  choices: readonly T[],
  problems: string[],
): T | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const found = choices.find((choice) => choice === text);
  if (!found)
    problems.push(
      `${name} is ${JSON.stringify(text)}, wanted one of ${choices.join(', ')}${didYouMean(text, choices)}`,
    );
  return found;
}

function readExtraHeaders(text: string | undefined, problems: string[]): [string, string][] {
  if (text === undefined || text.trim() === '') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    const entries =
      typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? Object.entries(parsed) : undefined;
    if (entries?.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return entries;
  } catch {
    // Falls through: the value is a secret, so the parser's message, which quotes it, is not shown.
  }
  problems.push(
    'CONFORMANCE_EXTRA_HEADERS is not a JSON object of header names and values, such as {"X-Gateway-Key": "..."}',
  );
  return [];
}
