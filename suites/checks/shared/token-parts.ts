import { given } from '../../../harness/contract/collections.ts';
import { isJwt, isSameToken } from '../../../harness/plan/token-bytes.ts';

/** What a token says: in clear, or in base64 that stands for all of it or for one of its parts. */
interface Reading {
  readonly text: string;
  /** The token that says something else there. */
  readonly write: (text: string) => string;
}

interface Said {
  readonly how: string;
  readonly token: string;
}

export interface Known {
  /** Other tokens of the run. */
  readonly tokens: readonly string[];
  /** The addresses of the people of the run. */
  readonly people: readonly string[];
  /** Tokens are names and passwords, of which the letter case counts (RFC 7617 2). That of another token is left open. */
  readonly isBasic?: boolean;
}

/** A run sends so many for each token, and a target on another machine gets so few of them, and no parts of other tokens. */
const MOST = { whole: 16, telling: 3 } as const;

/**
 * A token that is no JWT, with something else where it says who it belongs to, what it may do or how long it lives: the
 * address of another person, another number, or a part of another token. A server that reads it there must have made sure that
 * the secret belongs to it.
 */
export function withOtherParts(token: string, known: Known, breadth: keyof typeof MOST): readonly Said[] {
  const { tokens, people, isBasic = false } = known;
  if (isJwt(token)) return [];
  // Most parts of other tokens are secrets. Nothing reads those but as a whole.
  const others = breadth === 'whole' ? tokens.filter((other) => !isJwt(other)).map(readingsOf) : [];
  const said = readingsOf(token).flatMap(({ text, write }, at) =>
    [
      ...otherPasswords(text, isBasic).map((other) => ['another password', other] as const),
      ...namingOthers(text, people).map((other) => ['the address of another person', other] as const),
      ...counting(text).map((other) => ['another number in it', other] as const),
      ...exchanged(text, given(others.map((readings) => readings[at]?.text))).map(
        (other) => ['a part of another valid token in it', other] as const,
      ),
    ].map(([how, other]) => ({ how, token: write(other) })),
  );
  const made: Said[] = [];
  for (const one of said) {
    const isKnown = [token, ...tokens, ...made.map((before) => before.token)].some((other) =>
      isSameToken(other, one.token),
    );
    if (!isKnown && made.length < MOST[breadth]) made.push({ ...one, how: `${one.how} (${made.length + 1})` });
  }
  return made;
}

/** In the same order for tokens that are written alike. */
function readingsOf(token: string): readonly Reading[] {
  const parts = token.split(/([.~:|$])/);
  const ofPart = parts.map((part, at) => decoded(part, (written) => parts.with(at, written).join('')));
  return [{ text: token, write: (text) => text }, ...ofPart.flat()];
}

function decoded(part: string, write: Reading['write']): readonly Reading[] {
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = Buffer.from(part, encoding).toString('latin1');
    const written = (said: string) => Buffer.from(said, 'latin1').toString(encoding).replace(/=+$/, '');
    const padded = (said: string) => written(said).padEnd(4 * Math.ceil(written(said).length / 4), '=');
    if (text.length < SHORTEST || !/^[\x20-\x7e]+$/.test(text)) continue;
    if (written(text) === part.replace(/=+$/, ''))
      // Where nothing shows whether it is padded, it is: who decodes without padding takes it, too (RFC 4648 3.2).
      return [{ text, write: (said) => write(part.length % 4 === 0 ? padded(said) : written(said)) }];
  }
  return [];
}
const SHORTEST = 6;

/** A name and a password with the passwords that a wrong comparison takes: none, the name, and in other letters. */
function otherPasswords(text: string, isBasic: boolean): readonly string[] {
  const [, name, password = ''] = /^([^:]+):(.+)$/.exec(text) ?? [];
  const other = password === password.toUpperCase() ? password.toLowerCase() : password.toUpperCase();
  return name === undefined ? [] : ['', name, ...(isBasic ? [other] : [])].map((one) => `${name}:${one}`);
}

function namingOthers(text: string, people: readonly string[]): readonly string[] {
  const named = people.filter((person) => text.includes(person));
  return named.flatMap((person) =>
    people.filter((other) => !named.includes(other)).map((other) => text.replaceAll(person, other)),
  );
}

/** Numbers that stand alone, such as the number of a person or a time. A single digit stands between hyphens by chance. */
function counting(text: string): readonly string[] {
  return [...text.matchAll(/(?<![A-Za-z0-9])\d{2,13}(?![A-Za-z0-9])/g)].flatMap(({ 0: digits, index }) =>
    [1, -1].map((by) => text.slice(0, index) + (Number(digits) + by) + text.slice(index + digits.length)),
  );
}

/** The text with one part of others that have as many parts, for each part in which they differ. */
function exchanged(text: string, others: readonly string[]): readonly string[] {
  const [own = [], ...known] = [text, ...others].map((one) => one.split(/([^A-Za-z0-9]+)/));
  const alike = own.length > 1 ? known.filter(({ length }) => length === own.length) : [];
  return own.flatMap((part, at) => {
    const values = new Set(alike.map((parts) => parts[at] ?? '').filter((other) => other !== part));
    return [...values].slice(0, MOST_VALUES).map((other) => own.with(at, other).join(''));
  });
}
/** Of each part, so many others are tried. */
const MOST_VALUES = 2;
