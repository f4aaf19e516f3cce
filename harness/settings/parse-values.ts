import { didYouMean } from '../contract/did-you-mean.ts';
import { FORBIDDEN_WORDS, isHeaderValue } from './header-value.ts';
import { isLoopback } from './loopback.ts';

/** Readers of one value each. What is wrong goes to `problems`, by the variable's name; values of secrets are never shown. */
type Problems = string[];

export function readBaseUrl(text: string | undefined, insecure: boolean, problems: Problems): URL | undefined {
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

export function readNumber(
  text: string | undefined,
  name: string,
  least: number,
  problems: Problems,
): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  problems.push(`${name} is not a number of at least ${least} but ${JSON.stringify(text.slice(0, 40))}`);
  return undefined;
}

export function readChoice<T extends string>(
  text: string | undefined,
  name: string,
  choices: readonly T[],
  problems: Problems,
): T | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const found = choices.find((choice) => choice === text);
  if (!found)
    problems.push(
      `${name} is ${JSON.stringify(text.slice(0, 40))}, wanted one of ${choices.join(', ')}${didYouMean(text, choices)}`,
    );
  return found;
}

/** `reserved`: lower-case names of headers that the suite or the client sets itself. */
export function readExtraHeaders(
  text: string | undefined,
  reserved: readonly string[],
  problems: Problems,
): [string, string][] {
  if (text === undefined || text.trim() === '') return [];
  const problem = (what: string) => problems.push(`CONFORMANCE_EXTRA_HEADERS ${what}`);
  const entries = entriesOf(text);
  if (!entries) {
    problem('is not a JSON object of header names and values, such as {"X-Gateway-Key": "..."}');
    return [];
  }
  for (const [index, [name, value]] of entries.entries()) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      problem(`has a name that no header may have (number ${index + 1})`);
    else if (reserved.includes(name.toLowerCase())) problem(`sets ${name}, which the suite sets itself`);
    else if (!isHeaderValue(value)) problem(`has a value for ${name} with ${FORBIDDEN_WORDS}`);
  }
  return entries;
}

function entriesOf(text: string): [string, string][] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    const entries = isObject ? Object.entries(parsed) : undefined;
    return entries?.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? entries : undefined;
  } catch {
    // The value is a secret, so the parser's message, which quotes it, is not shown.
    return undefined;
  }
}

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && isHeaderValue(text);
}
