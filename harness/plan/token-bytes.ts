import type { Contract } from '../contract/contract.ts';
import { parsedJson } from '../contract/json-value.ts';

/** Whether a token has three parts, of which the first decodes from base64url to a JSON object (RFC 7515 3). */
export function isJwt(token: string): boolean {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !payload || !signature) return false;
  const parsed = parsedJson(Buffer.from(header, 'base64url').toString());
  return typeof parsed === 'object' && parsed !== null;
}

/** Whether a changed token differs in the case of letters or in hyphens only. Such a change is left open (outcomes 2). */
export function isSpelledAlike(token: string, changed: string): boolean {
  return ['', '_'].some((hyphen) => {
    const [one, other] = [token, changed].map((text) => text.replaceAll('-', hyphen).toLowerCase());
    return one === other;
  });
}

/**
 * Whether a changed token may still be the same one, because a server may decode it first: its bytes are the same in an
 * encoding that the token may have, or it is only spelled otherwise.
 */
export function isSameToken(token: string, changed: string): boolean {
  if (isSpelledAlike(token, changed)) return true;
  const parts = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  if (isJwt(token)) return parts(token).join('.') === parts(changed).join('.');
  // A prefix, such as `key_`, is not part of what is encoded.
  return prefixEnds(token).some((at) => {
    if (token.slice(0, at).toLowerCase() !== changed.slice(0, at).toLowerCase()) return false;
    const [body, other] = [token.slice(at), changed.slice(at)];
    return ENCODINGS.some(({ mayBe, bytes }) => mayBe(body) && bytes(body) === bytes(other));
  });
}

/** Where what is encoded may begin: at once, or after a separator. */
function prefixEnds(token: string): readonly number[] {
  const separators = [...token.matchAll(/[._\-:~]/g)].map(({ index }) => index + 1);
  return [...new Set([0, ...separators.filter((at) => at <= LONGEST_PREFIX), ...separators.slice(-1)])];
}
const LONGEST_PREFIX = 24;

interface Encoding {
  /** Whether an encoder can have made this text. */
  readonly mayBe: (text: string) => boolean;
  /** What a lenient decoder makes of a text. Undefined if it has characters of another alphabet. */
  readonly bytes: (text: string) => string | undefined;
}

/** RFC 4648, and Crockford's base32, which has neither I, L, O nor U. Lenient decoders ignore bits that are no whole byte. */
const ENCODINGS: readonly Encoding[] = [
  {
    mayBe: (text) => /^[\w+/-]+=*$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1,
    bytes: (text) => Buffer.from(text, 'base64url').toString('hex'),
  },
  {
    mayBe: (text) => /^([0-9a-f]{2})+$/i.test(text.replaceAll('-', '')),
    bytes(text) {
      const digits = text.replaceAll('-', '').toLowerCase();
      return /^[0-9a-f]+$/.test(digits) ? digits.slice(0, digits.length - (digits.length % 2)) : undefined;
    },
  },
  base32('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', (text) => text, 'bytes at the beginning'),
  ...(['bytes at the beginning', 'a number at the end'] as const).map((kept) =>
    base32('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (text) => text.replaceAll('O', '0').replaceAll(/[IL]/g, '1'), kept),
  ),
];

/** @param kept where the whole bytes are: a number, such as a ULID, ignores what is before them. */
function base32(
  alphabet: string,
  normal: (text: string) => string,
  kept: 'bytes at the beginning' | 'a number at the end',
): Encoding {
  const bytes = (text: string) => {
    const digits = [...normal(text.replace(/=+$/, '').replaceAll('-', '').toUpperCase())];
    const values = digits.map((digit) => alphabet.indexOf(digit));
    if (values.includes(-1)) return undefined;
    const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
    const spare = bits.length % 8;
    return kept === 'a number at the end' ? bits.slice(spare) : bits.slice(0, bits.length - spare);
  };
  // An encoder writes one case, and no digit that decodes to nothing.
  const mayBe = (text: string) => {
    const digits = text.replaceAll(/[=-]/g, '');
    const isOneCase = digits === digits.toUpperCase() || digits === digits.toLowerCase();
    return isOneCase && (digits.length * 5) % 8 < 5 && (bytes(text) ?? '') !== '';
  };
  return { mayBe, bytes };
}

/** A token made from a valid one, and how it was made, so that a report need not show either token. */
interface Tampered {
  readonly token: string;
  readonly how: string;
  /** The tampered token in bash, made from a variable: `${NAME:0:4}x${NAME:5}`. */
  readonly shell: (variable: string) => string;
}

/**
 * Changes one character of a token, within the token's own alphabet and so that the decoded bytes differ (outcomes 2). The
 * low bits of the last character often decode to nothing (RFC 4648 3.5).
 * @param wanted the position; one outside the token means its nearest end.
 */
export function tamperAt(token: string, wanted: number): Tampered {
  const at = Math.min(Math.max(wanted, 0), token.length - 1);
  const replacement = replacementFor(token, at);
  return {
    token: token.slice(0, at) + replacement + token.slice(at + 1),
    how: `character ${at + 1} of ${token.length} changed`,
    shell: (name) => `\${${name}:0:${at}}${replacement}\${${name}:${at + 1}}`,
  };
}

/** Changes the letter or digit nearest to the middle of a token; of a JWT, nearest to the middle of its signature. */
export function tamperMiddle(token: string): Tampered {
  const signature = isJwt(token) ? token.lastIndexOf('.') + 1 : 0;
  const middle = signature + Math.floor((token.length - signature) / 2);
  // A separator or padding stays: it is part of the form of the token, and a token of another form is not tampered.
  for (let away = 0; away <= token.length; away += 1)
    for (const at of [middle + away, middle - away])
      if (at >= signature && /[A-Za-z0-9]/.test(token[at] ?? '')) return tamperAt(token, at);
  return tamperAt(token, middle);
}

/** Another character of the token's own alphabet, so that the decoded bytes differ in every encoding that it may have. */
function replacementFor(token: string, at: number): string {
  const character = token[at] ?? '';
  const own = [...new Set(token.match(/[A-Za-z0-9]/g) ?? [])];
  const alike = [DIGITS, LETTERS.toUpperCase(), LETTERS].flatMap((all) =>
    own.some((one) => all.includes(one)) ? [...all] : [],
  );
  const others = [...own, ...alike].filter((one) => one.toLowerCase() !== character.toLowerCase());
  const isAnother = (one: string) => !isSameToken(token, token.slice(0, at) + one + token.slice(at + 1));
  return others.find(isAnother) ?? others[0] ?? (/a/i.test(character) ? 'B' : 'A');
}
const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Whether a token is the base64 of a name, a colon and a password (RFC 7617 2). */
export function isBasic(contract: Pick<Contract, 'matrix'>): boolean {
  return /^basic /i.test(contract.matrix.headers.authorization.lines['bearer']?.[0] ?? '');
}

/** Whether a text has the form of a token. What is no name and password is no other token for Basic, but malformed. */
export function isWellFormed(contract: Pick<Contract, 'matrix'>, token: string): boolean {
  const pair = Buffer.from(token, 'base64');
  return !isBasic(contract) || (pair.includes(':') && pair.toString('base64') === token);
}

/** A bash expression for a token that nobody issued. */
export function unknownShell(contract: Pick<Contract, 'matrix'>): string {
  return isBasic(contract) ? '$(printf %s:x $(openssl rand -hex 16) | base64)' : '$(openssl rand -hex 32)';
}
