import { didYouMean } from '../contract/configuration-error.ts';
import { parsedJson } from '../contract/json-value.ts';

/** Each function reads one variable and adds what is wrong with it to `problems`. No message shows a secret. */
type Problems = string[];

/** @param otherwise what to do instead of setting it. */
export function readBaseUrl(text: string | undefined, problems: Problems, otherwise = ''): URL | undefined {
  if (text === undefined) {
    problems.push(`TARGET_BASE_URL is missing: set it to the implementation to test${otherwise}`);
    return undefined;
  }
  if (text.trim() === '') return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    problems.push('TARGET_BASE_URL is not a URL; set it to an address such as https://api.example.com');
    return undefined;
  }
  // `localhost:8080` is a URL with the scheme localhost.
  if (/^[\w.-]+:\d/.test(text))
    problems.push('TARGET_BASE_URL has no scheme; begin it with https://, or with http:// for this machine');
  else if (url.protocol !== 'https:' && url.protocol !== 'http:')
    problems.push(`TARGET_BASE_URL has the scheme ${url.protocol} but must be https:, or http: for this machine`);
  if (url.username || url.password)
    problems.push(
      'TARGET_BASE_URL contains a user name or password; set CONFORMANCE_EXTRA_HEADERS for the credentials of a gateway',
    );
  if (url.search || url.hash) problems.push('TARGET_BASE_URL has a query or fragment; only a path prefix is allowed');
  return url;
}

/** Which numbers a variable can be. */
export interface NumberRange {
  readonly minimum: number;
  readonly maximum: number;
  readonly whole: boolean;
}

export function readNumber(
  text: string | undefined,
  name: string,
  { minimum, maximum, whole }: NumberRange,
  problems: Problems,
): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  // Number also reads 0x10, 1e3 and texts with spaces.
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum && (!whole || Number.isInteger(value))) return value;
  problems.push(`${name} must be a ${whole ? 'whole ' : ''}number from ${minimum} to ${maximum}, not ${quoted(text)}`);
  return undefined;
}

/** A value in a message. What is longer than any right value, or mixes letters and digits, may be a token in the wrong place. */
export function quoted(text: string): string {
  return MAY_BE_SECRET.test(text) ? 'a text that is not shown, because it may be a secret' : JSON.stringify(text);
}
const MAY_BE_SECRET = /^(?:(?=.*\d)(?=.*[a-z]).{12,}|.{25,})$/is;

export function readChoice<T extends string>(
  text: string | undefined,
  name: string,
  choices: readonly T[],
  problems: Problems,
): T | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const found = choices.find((choice) => choice === text);
  if (!found)
    problems.push(`${name} must be one of ${choices.join(', ')}, not ${quoted(text)}${didYouMean(text, choices)}`);
  return found;
}

/** @param reserved names, in lower case, of the headers that the suite or its HTTP client sets. */
export function readExtraHeaders(
  text: string | undefined,
  reserved: readonly string[],
  problems: Problems,
): [string, string][] {
  if (text === undefined || text.trim() === '') return [];
  const problem = (what: string) => problems.push(`CONFORMANCE_EXTRA_HEADERS ${what}`);
  const entries = entriesOf(text);
  if (!entries) {
    problem('must be a JSON object of header names and values, such as {"X-Gateway-Key": "..."}');
    return [];
  }
  for (const [index, [name, value]] of entries.entries()) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) problem(`has an invalid header name (entry ${index + 1})`);
    else if (reserved.includes(name.toLowerCase())) problem(`sets ${name}, which the suite sets itself`);
    else if (!isHeaderValue(value)) problem(`has a value for ${name} with ${FORBIDDEN_CHARACTER}`);
    else if (isPlaceholder(value.replace(/^\w+ +/, '')))
      problem(`has a placeholder for ${name} that nothing replaced; set the value itself, or remove the header`);
  }
  return entries;
}

function entriesOf(text: string): [string, string][] | undefined {
  // The message of a parser would quote the value, which is a secret.
  const parsed = parsedJson(text);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const entries = isObject ? Object.entries(parsed) : undefined;
  return entries?.every((entry): entry is [string, string] => typeof entry[1] === 'string') ? entries : undefined;
}

/** Whether a text is an address that a header can have. What else its bytes mean is for the two sides to agree on (RFC 9110 5.5). */
export function isEmail(text: string): boolean {
  return /^[!-?A-~]+@[!-?A-~]+$/.test(text);
}

/** Whether a text can be the value of a header: Latin-1, and no control character except the tab (RFC 9110 5.5). */
export function isHeaderValue(text: string): boolean {
  return !FORBIDDEN.test(text);
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters.
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/;

/** Names such a character in a message, which must not show a value that may be secret. */
export const FORBIDDEN_CHARACTER = 'a line break, a curly quote or another character that a header cannot contain';

/**
 * A reference that a shell, Azure Pipelines, GitHub Actions or Windows would have replaced, such as that of a secret that does
 * not exist, and what logs and documents show in place of a token.
 */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}
const PLACEHOLDER =
  /^(\$[A-Z]+(_[A-Z0-9]+)+|\$\{\w+\}|\$\([\w.-]+\)|\$\{\{.*\}\}|%[A-Z]+(_[A-Z0-9]+)+%|\.{2,}|\*{2,})$/;

/** Whether the host of a URL is this machine, so that requests to it do not leave the machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
