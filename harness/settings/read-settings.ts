import leven from 'leven';
import { closestName, configurationError, didYouMean } from '../contract/configuration-error.ts';
import { DEPTHS, ownContractOf } from '../contract/contract.ts';
import type { Catalogue } from './catalogue.ts';
import { readClaims } from './claims.ts';
import { readClientCertificate } from './client-certificate.ts';
import { isLoopback, type NumberRange, readBaseUrl, readChoice, readExtraHeaders, readNumber } from './parse-values.ts';
import { type Settings, type Sources, USUAL_TIMEOUT_MS } from './settings.ts';
import { variableProblems } from './variable-problems.ts';
import {
  DEFAULT_REPORT_DIR,
  givenName,
  type Origin,
  SETTING_VARIABLES,
  TUNING_VARIABLES,
  type Variable,
} from './variables.ts';

/** Whether no variable and no flag names a target, credential, person or claim, however misspelled. Then a run tests the embedded target. */
export function namesNoTarget({ names }: Catalogue, sources: Sources): boolean {
  const isSet = [...collect(names, sources).keys()].some((name) => !TUNING_VARIABLES.includes(name));
  return !isSet && unknownNames(names, sources).length === 0;
}

/** @throws a configuration error that lists every problem by the name of its variable. It never shows a secret. */
export function readSettings(catalogue: Catalogue, sources: Sources): Settings {
  const { contract, names } = catalogue;
  const variables = collect(names, sources);
  refuseCarriageReturns([...variables].map(([name, { value }]) => [name, value]));
  const text = (name: string) => variables.get(name)?.value;
  const given = (name: string) => givenName(name, variables);
  const problems = [...unknownNames(names, sources), ...variableProblems(catalogue, variables, sources.now)];
  const claims = readClaims(catalogue, variables, problems);
  // The reference service keeps no other contract than ours.
  const otherwise = ownContractOf(contract) ? '' : ', or pass --embedded to test the reference service';
  const url = readBaseUrl(text('TARGET_BASE_URL'), problems, otherwise);
  const loopback = url ? isLoopback(url.hostname) : true;
  const number = (name: string, range: NumberRange) => readNumber(text(name), given(name), range, problems);
  const depth = readChoice(text('CONFORMANCE_DEPTH'), given('CONFORMANCE_DEPTH'), DEPTHS, problems);
  const reserved = [...Object.values(contract.matrix.headers).map(({ name }) => name.toLowerCase()), ...OWN_HEADERS];
  const extraHeaders = readExtraHeaders(text('CONFORMANCE_EXTRA_HEADERS'), reserved, problems);
  const certificateFiles = [text('CONFORMANCE_CLIENT_CERT'), text('CONFORMANCE_CLIENT_KEY')] as const;
  const clientCertificate = readClientCertificate(certificateFiles, problems, sources.now);
  const rate = number('CONFORMANCE_RATE', { minimum: 0.1, maximum: 1_000_000, whole: false });
  const refusedPerMinute = number('CONFORMANCE_REFUSED_PER_MINUTE', COUNT);
  const concurrency = number('CONFORMANCE_CONCURRENCY', { ...COUNT, maximum: 10_000 });
  const timeoutMs = number('CONFORMANCE_TIMEOUT_MS', MILLISECONDS);
  const chatTimeoutMs = number('CONFORMANCE_CHAT_TIMEOUT_MS', MILLISECONDS);
  const chatBudget = number('CONFORMANCE_CHAT_BUDGET', COUNT);
  problems.push(...['TARGET_BASE_URL', 'MCP_URL'].flatMap((name) => transportProblems(name, text(name), sources)));
  if (problems.length > 0 || !url) throw configurationError(problems);
  return {
    catalogue,
    baseUrl: url.href.replace(/\/+$/, ''),
    loopback,
    trusted: [...variables.values()].some(({ origin }) => origin === 'embedded target'),
    variables,
    claims,
    depth: depth ?? 'core',
    rate: rate ?? (loopback ? undefined : 10),
    refusedPerMinute,
    concurrency: concurrency ?? (loopback ? 24 : 4),
    timeoutMs: timeoutMs ?? USUAL_TIMEOUT_MS,
    chatTimeoutMs: chatTimeoutMs ?? 90_000,
    chatBudget,
    extraHeaders,
    clientCertificate,
    reportDir: text('CONFORMANCE_REPORT_DIR') ?? DEFAULT_REPORT_DIR,
  };
}

/** A shell that reads a file with Windows line ends keeps half of each. A pasted `curl` line would send it, too. */
export function refuseCarriageReturns(values: readonly (readonly [name: string, value: string])[]): void {
  const found = values.flatMap(([name, value]) => (value.endsWith('\r') ? [name] : []));
  if (found.length > 0)
    throw configurationError(
      `${found.join(', ')}: wanted a value, found one with a carriage return at its end, as a shell reads it from a .env with Windows line ends; save the file with Unix line ends (sed -i 's/\\r$//' .env), and load it again`,
    );
}

const COUNT: NumberRange = { minimum: 1, maximum: 1_000_000_000, whole: true };
/** Up to a day: a timer of Node that is set to more than 2^31 milliseconds ends at once. */
const MILLISECONDS: NumberRange = { minimum: 1, maximum: 86_400_000, whole: false };

/** Tokens must travel encrypted, and only to a server whose certificate is checked. */
function transportProblems(name: string, text: string | undefined, { environment, insecure }: Sources): string[] {
  const url = text === undefined ? null : URL.parse(text);
  if (!url || isLoopback(url.hostname) || insecure) return [];
  if (url.protocol === 'http:')
    return [`${name} is plain http to ${url.hostname}: tokens would travel unencrypted; use https or pass --insecure`];
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  return [
    `NODE_TLS_REJECT_UNAUTHORIZED is 0: Node checks no certificate, so another server could take the place of ${url.hostname} and get the tokens; unset it and name a private CA in NODE_EXTRA_CA_CERTS, or pass --insecure`,
  ];
}

/** Headers that the suite or its HTTP client sets on every request. CONFORMANCE_EXTRA_HEADERS cannot set them. */
const OWN_HEADERS = ['host', 'content-type', 'content-length', 'transfer-encoding', 'connection', 'accept'];

/**
 * The settings for the embedded target: the variables that it gives, the operator's CONFORMANCE_ variables, and flags.
 * Its tokens were made for this run, so the target is to blame for every refused control (outcomes 2).
 * @param env the variables that the embedded target gives, tokens included.
 */
export function embeddedSettings(
  catalogue: Catalogue,
  env: Readonly<Record<string, string>>,
  { environment = {}, dotenv = {}, lines, flags = {} }: Partial<Sources> = {},
): Settings {
  const unknown = unknownNames(catalogue.names, { environment, dotenv, ...(lines && { lines }) });
  if (unknown.length > 0) throw configurationError(unknown);
  const tuning = Object.fromEntries(SETTING_VARIABLES.map((name) => [name, environment[name] ?? dotenv[name]]));
  const settings = readSettings(catalogue, {
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

/**
 * Finds names that are set and that the suite does not know, one line each. In `.env` every unknown name is an error.
 * The environment also holds variables of other programs, so there only a likely typo of a known name is an error.
 */
export function unknownNames(
  known: readonly string[],
  { environment, dotenv, lines }: Pick<Sources, 'environment' | 'dotenv' | 'lines'>,
) {
  const inFile = Object.keys(dotenv).filter((name) => !known.includes(name));
  const inEnvironment = Object.keys(environment).flatMap((name) => {
    const meant = known.includes(name) ? undefined : typoOf(name, known);
    return meant === undefined ? [] : [`the environment sets ${name}; did you mean ${meant}?`];
  });
  const isOfAnother = inFile.filter((name) => looksLikeOurs(name, known)).length >= MANY;
  return [
    ...(isOfAnother
      ? [
          '.env has variables of another contract: name the right one with --contract or CONFORMANCE_CONTRACT, or correct them:',
        ]
      : []),
    // The second line of a wrapped token can look like a name, so only a name that looks like a variable is shown.
    ...inFile.map((name) => {
      const at = lines === undefined ? '.env' : `.env: line ${lines.get(name)}`;
      if (OF_THE_PROCESS.test(name))
        return `${at} sets ${name}, which Node and the suite read from the environment alone, before .env: export it there, and remove it from .env`;
      return looksLikeOurs(name, known)
        ? `${at} sets ${name}, which is not a variable of the suite${didYouMean(name, known) || samePerson(name, known)}`
        : `${at} sets an unknown name; it is not shown, because it may be part of a secret`;
    }),
    ...inEnvironment,
  ];
}

/** The variable of the same person, where people are not named by their email. */
function samePerson(name: string, known: readonly string[]): string {
  const [, owner] = /^([A-Z_]+)_EMAIL$/.exec(name) ?? [];
  const meant = known.find(
    (one) => one.startsWith(`${owner}_`) && /^(?!TOKEN)[A-Z]+$/.test(one.slice(`${owner}_`.length)),
  );
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** So many unknown variables are no mistakes of spelling. */
const MANY = 4;

/** Variables of other tools, which docs/variables.md names beside those of the suite. */
const OF_THE_PROCESS = /^((HTTPS?|NO)_PROXY|NODE_(EXTRA_CA_CERTS|OPTIONS|TLS_REJECT_UNAUTHORIZED)|NO_COLOR)$/;

/** The known name that a name is a typo of. `<WORD>_TOKEN` and `<WORD>_EMAIL` are too common to count as one. */
function typoOf(name: string, known: readonly string[]): string | undefined {
  if (name.startsWith('CONFORMANCE_')) return closestName(name, known);
  const words = name.split('_');
  return known.find((candidate) => {
    const others = candidate.split('_');
    if (words.length !== others.length) return false;
    const [at, ...more] = words.flatMap((word, index) => (word === others[index] ? [] : [index]));
    if (at === undefined || more.length > 0 || (at === 0 && words.length < 3)) return false;
    return isTypo(words[at] ?? '', others[at] ?? '');
  });
}

/** Whether a word differs by one letter (added, missing or replaced) or by two neighbouring letters swapped. */
function isTypo(word: string, meant: string): boolean {
  if (leven(word, meant) <= 1) return word.length > 2;
  return [...word].some((_, at) => word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2) === meant);
}

/** Whether a name is in upper case and contains a word of a known name, or a typo of one. */
function looksLikeOurs(name: string, known: readonly string[]): boolean {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) return false;
  const ours = new Set(known.flatMap((candidate) => candidate.split('_')).filter((word) => word.length >= 4));
  return name.split('_').some((word) => word.length >= 4 && [...ours].some((own) => own === word || isTypo(word, own)));
}
