import { type Claims, readClaims } from './claims.ts';
import { configurationError } from './configuration-error.ts';
import type { Contract } from './contract.ts';
import { isLoopback } from './loopback.ts';
import { DEPTHS, type Depth } from './matrix.ts';
import { misspelt } from './misspelt.ts';
import { isEmail, readBaseUrl, readChoice, readExtraHeaders, readNumber } from './setting-values.ts';
import type { Minted } from './token-command.ts';
import { tokenProblems } from './token-values.ts';
import { knownVariables, MARKER_VARIABLES, SETTING_VARIABLES, tokenVariables } from './variables.ts';

export type { Claims } from './claims.ts';

/** Where a variable's value came from. */
export const ORIGINS = ['flag', 'environment', '.env', 'embedded target'] as const;
export type Origin = (typeof ORIGINS)[number];
export interface Variable {
  readonly value: string;
  readonly origin: Origin;
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
  /** Milliseconds since the epoch that the times in a token are held against; without it nobody looks at them. */
  readonly now?: number;
}

/** Whether no variable at all is set or was meant to be, so that the embedded target may stand in. */
export function nothingSet(contract: Contract, { environment, dotenv }: Sources): boolean {
  const known = knownVariables(contract);
  if (Object.keys(dotenv).length > 0 || known.some((name) => environment[name] !== undefined)) return false;
  return misspelt(known, { environment, dotenv }).length === 0;
}

/**
 * Reads every variable, refusing what is unknown, empty or contradictory.
 * @throws a configuration error naming each problem and the likely meant name; values of secrets are never shown.
 */
export function readSettings(contract: Contract, sources: Sources): Settings {
  const known = knownVariables(contract);
  const variables = collect(known, sources);
  const text = (name: string) => variables.get(name)?.value;
  const problems = [...misspelt(known, sources), ...problemsWith(contract, variables, sources.now)];
  const claims = readClaims(contract, variables, problems);
  const url = readBaseUrl(text('TARGET_BASE_URL'), sources.insecure ?? false, problems);
  const loopback = url ? isLoopback(url.hostname) : true;
  const number = (name: string, least: number) => readNumber(text(name), name, least, problems);
  const depth = readChoice(text('CONFORMANCE_DEPTH'), 'CONFORMANCE_DEPTH', DEPTHS, problems);
  const reserved = [...Object.values(contract.matrix.headers).map(({ name }) => name.toLowerCase()), ...OWN_HEADERS];
  const extraHeaders = readExtraHeaders(text('CONFORMANCE_EXTRA_HEADERS'), reserved, problems);
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

/** What every request says of itself or the client sets: a gateway's header has another name. */
const OWN_HEADERS = ['host', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'accept'];

/**
 * The settings for fixtures that answered with `env`: their variables, ours that tune a run, and flags. Their credentials
 * were minted for this run, so every refusal of one is the target's fault.
 */
export function embeddedSettings(
  contract: Contract,
  env: Readonly<Record<string, string>>,
  { environment, dotenv, flags = {} }: Sources,
): Settings {
  const slips = misspelt(knownVariables(contract), { environment, dotenv });
  if (slips.length > 0) throw configurationError(slips);
  const tuning = Object.fromEntries(SETTING_VARIABLES.map((name) => [name, environment[name] ?? dotenv[name]]));
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

/** What is wrong with tokens, people and markers, each alone and beside the others. */
function problemsWith(contract: Contract, variables: ReadonlyMap<string, Variable>, now?: number): string[] {
  const problems: string[] = [];
  const values = new Map([...variables].map(([name, { value }]) => [name, value]));
  const filled = new Map([...values].filter(([, value]) => value.trim() !== ''));
  for (const name of values.keys())
    if (!filled.has(name)) problems.push(`${name} is set but empty; give it a value or unset it`);
  const tokens = tokenVariables(contract).filter(({ name }) => values.has(name));
  if (filled.has('TARGET_BASE_URL') && tokens.length === 0 && !values.has('TOKEN_COMMAND'))
    problems.push('TARGET_BASE_URL is set but no token is; set USER_TOKEN (or another <KIND>_TOKEN) first');
  problems.push(...tokenProblems(contract, filled, now));
  const emails = [...filled].filter(([name]) => name.endsWith('_EMAIL'));
  for (const [name, email] of emails) if (!isEmail(email)) problems.push(`${name} is not an email address`);
  const issuer = filled.get('AUTHORIZATION_SERVER_ISSUER');
  if (issuer !== undefined && !/^https?:\/\/[^\s?#]+$/.test(issuer))
    problems.push('AUTHORIZATION_SERVER_ISSUER is not a URL of http or https without query and fragment');
  const acted = filled.get('ACT_AS_EMAIL')?.toLowerCase();
  const unknown = filled.get('UNKNOWN_EMAIL')?.toLowerCase();
  for (const [name, email] of emails) {
    if (name !== 'ACT_AS_EMAIL' && email.toLowerCase() === acted)
      problems.push(`${name} is the same person as ACT_AS_EMAIL; name two people, or nothing tells them apart`);
    else if (name !== 'UNKNOWN_EMAIL' && name !== 'ACT_AS_EMAIL' && email.toLowerCase() === unknown)
      problems.push(`UNKNOWN_EMAIL is the person of ${name}; it must name nobody`);
  }
  return [...problems, ...markerProblems(values)];
}

function markerProblems(values: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const queries = MARKER_VARIABLES.filter((name) => name.endsWith('_QUERY'));
  const markers = MARKER_VARIABLES.filter((name) => name.endsWith('_MARKER'));
  for (const query of queries) {
    const marker = query.replace(/QUERY$/, 'MARKER');
    if (values.has(query) !== values.has(marker))
      problems.push(`${values.has(query) ? marker : query} is missing: ${query} and ${marker} belong together`);
    for (const name of markers)
      if (contains(values.get(query), values.get(name)))
        problems.push(`${query} contains ${name}; a target that echoes the query would seem to leak`);
  }
  const [first, second] = markers.map((name) => values.get(name));
  if (contains(first, second) || contains(second, first))
    problems.push(`${markers.join(' and ')} are the same, or one contains the other; nothing would tell them apart`);
  return problems;
}

function contains(text: string | undefined, part: string | undefined): boolean {
  return (
    text !== undefined && part !== undefined && part.trim() !== '' && text.toLowerCase().includes(part.toLowerCase())
  );
}
