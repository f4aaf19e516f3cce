import { isJwt, isSameToken } from './token-bytes.ts';

/** A token made from a valid one, and how it was made, so that a report need not show either token. */
export interface Tampered {
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
