/** A token made from a valid one, and how, so that a report can say it without showing either. */
export interface Tampered {
  readonly token: string;
  readonly how: string;
  /** The same over a bash variable: `${NAME:0:4}x${NAME:5}`. */
  readonly shell: (variable: string) => string;
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Changes one character of a token within its own alphabet, so that the decoded bytes differ: the last character's low
 * bits often decode to nothing (RFC 4648 3.5).
 */
export function tamperAt(token: string, wanted: number): Tampered {
  const at = Math.min(Math.max(wanted, 0), token.length - 1);
  const character = token[at] ?? '';
  const replacement = replacementFor(token, character);
  return {
    token: token.slice(0, at) + replacement + token.slice(at + 1),
    how: `character ${at + 1} of ${token.length} changed`,
    shell: (name) => `\${${name}:0:${at}}${replacement}\${${name}:${at + 1}}`,
  };
}

/** Changes the character in the middle, or the letter or digit next to it; of a JWT, in its signature. */
export function tamperMiddle(token: string): Tampered {
  const signature = isJwt(token) ? token.lastIndexOf('.') + 1 : 0;
  const middle = signature + Math.floor((token.length - signature) / 2);
  // A separator or padding in the middle is part of the token's form: changed, it would be another kind of token.
  for (let away = 0; away <= token.length; away += 1)
    for (const at of [middle + away, middle - away])
      if (at >= signature && /[A-Za-z0-9]/.test(token[at] ?? '')) return tamperAt(token, at);
  return tamperAt(token, middle);
}

/** Three base64url parts of which the first decodes to a JSON object (RFC 7515 3). */
export function isJwt(token: string): boolean {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !payload || !signature) return false;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    return typeof parsed === 'object' && parsed !== null;
  } catch {
    return false;
  }
}

/**
 * Another character of the token's own alphabet, that is of the characters it has. It differs in the two highest bits of
 * a base64url digit and is not the same letter in another case.
 */
function replacementFor(token: string, character: string): string {
  const own = [...new Set(token.match(/[A-Za-z0-9]/g) ?? [])].filter(
    (c) => c.toLowerCase() !== character.toLowerCase(),
  );
  const highBits = (c: string) => BASE64URL.indexOf(c) >> 4;
  return own.find((c) => highBits(c) !== highBits(character)) ?? own[0] ?? (/a/i.test(character) ? 'B' : 'A');
}
