import type { Line } from '../shared/curl-line.ts';

/** An unusual way to write X-Service-ActAs. */
export interface Writing {
  readonly how: string;
  /** Who is named: the second person, both, or nobody; or the first, and the second only where nobody is named. */
  readonly names: 'one' | 'two' | 'nobody' | 'first';
  /** The requirement that is broken if a GLOBAL token sees too much this way. Default: `act-as.effective`. */
  readonly breaks?: 'act-as.missing' | 'act-as.unknown';
  readonly lines: (first: string, second: string) => readonly string[];
  /** Also sent to a slow operation, which gets only the most telling ones. */
  readonly isTelling?: true;
  readonly header?: (documented: string) => string;
  /** Names the second person elsewhere too. */
  readonly elsewhere?: (second: string) => Elsewhere;
}
/** Places of a request that name nobody by the specification. */
export interface Elsewhere {
  readonly headers?: readonly Line[];
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string>>;
}
const NAMES = ['user', 'email', 'userEmail', 'actAs', 'act_as', 'runAs', 'run_as'];
const HEADERS = ['X-User', 'X-User-Email', 'X-Forwarded-User', 'X-Remote-User', 'X-Auth-Request-Email', 'From'];
/** Every unusual way to name the acting user. */
export const WRITINGS: readonly Writing[] = [
  {
    how: 'the header name in lower case',
    names: 'one',
    lines: (_, second) => [second],
    header: (name) => name.toLowerCase(),
  },
  {
    how: 'the header name in upper case',
    names: 'one',
    lines: (_, second) => [second],
    header: (name) => name.toUpperCase(),
  },
  { how: 'two lines with the same person', names: 'one', lines: (_, second) => [second, second] },
  { how: 'an empty line and a line with a person', names: 'one', isTelling: true, lines: (_, second) => ['', second] },
  { how: 'a line with a person and an empty line', names: 'one', lines: (_, second) => [second, ''] },
  { how: 'two lines with two people', names: 'two', isTelling: true, lines: (first, second) => [first, second] },
  { how: 'two lines with the two people swapped', names: 'two', lines: (first, second) => [second, first] },
  { how: 'two people in one line', names: 'two', lines: (first, second) => [`${first}, ${second}`] },
  { how: 'an empty value', names: 'nobody', isTelling: true, breaks: 'act-as.missing', lines: () => [''] },
  { how: 'the value *', names: 'nobody', breaks: 'act-as.unknown', lines: () => ['*'] },
  {
    how: 'another person in fields of the body',
    names: 'first',
    lines: (first) => [first],
    elsewhere: (second) => ({ fields: Object.fromEntries(NAMES.map((name) => [name, second])) }),
  },
  {
    how: 'another person in the query string',
    names: 'first',
    lines: (first) => [first],
    elsewhere: (second) => ({ query: `?${NAMES.map((name) => `${name}=${encodeURIComponent(second)}`).join('&')}` }),
  },
  {
    how: 'another person in other headers',
    names: 'first',
    lines: (first) => [first],
    elsewhere: (second) => ({ headers: HEADERS.map((name): Line => [name, second]) }),
  },
];
