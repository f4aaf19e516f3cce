import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isJwt, isSameToken, isSpelledAlike, tamperAt } from '../../../harness/plan/token-bytes.ts';

/** What a recipe knows besides the token. */
interface Beside {
  /** Another valid token of the same length. */
  readonly other: string | undefined;
  /** A person whom the target knows. */
  readonly person: string | undefined;
  /** Who a forged token says has issued it. */
  readonly issuer: string;
}
/** A way to make a token from a valid one. `make` returns undefined if it does not apply to the token. */
interface Recipe {
  readonly how: string;
  readonly make: (token: string, beside: Beside) => string | undefined;
  /** Without the whole breadth, only these are tried. */
  readonly isTelling?: true;
}
/** A token that was made by a recipe. */
export interface Made {
  readonly how: string;
  readonly token: string;
  /** Only the case of letters or hyphens differ: the specification does not say whether it is the same token. */
  readonly isFree: boolean;
}

const telling = (how: string, make: Recipe['make']): Recipe => ({ how, make, isTelling: true });

const RECIPES: readonly Recipe[] = [
  telling('first character changed', (token) => changed(token, [0])),
  telling('middle character changed', (token) => changed(token, [Math.floor(token.length / 2)])),
  telling('last character changed', (token) => changed(token, [token.length - 1])),
  telling('last character dropped', (token) => another(token, (count) => token.slice(0, -count))),
  telling('first four characters changed', (token) => changed(token, FOUR)),
  telling('first four characters after the prefix changed', (token) => {
    const prefix = /^(?:[a-z]+[_:~-])+/i.exec(token)?.[0].length ?? 0;
    const isPrefix = prefix > 0 && prefix <= token.length / 2;
    return isPrefix
      ? changed(
          token,
          FOUR.map((at) => prefix + at),
        )
      : undefined;
  }),
  telling('last four characters changed', (token) =>
    changed(
      token,
      FOUR.map((at) => token.length - 1 - at),
    ),
  ),
  { how: 'last four characters dropped', make: (token) => token.slice(0, -4) },
  telling('one character appended', (token) => {
    const [letter = 'A'] = /[A-Za-z0-9]/.exec(token) ?? [];
    return another(token, (count) => token + letter.repeat(count));
  }),
  { how: 'case of one letter changed', make: (token) => swapCase(token, 1) },
  { how: 'case of every letter changed', make: (token) => swapCase(token, Number.POSITIVE_INFINITY) },
  { how: 'second half replaced by that of another valid token', make: (token, { other }) => splice(token, other) },
  telling('alg none and no signature', (token) => forge(token, { header: { alg: 'none' } }, 'none')),
  telling('no signature', (token) => forge(token, {}, 'none')),
  telling('alg none in another case', (token) => forge(token, { header: { alg: 'NoNe' } }, 'none')),
  telling('signed with another key under the same kid', (token) => forge(token, {}, 'own key')),
  telling('signed with another key and algorithm under the same kid', (token) => forge(token, {}, 'another algorithm')),
  telling('signed with a key embedded as jwk', (token) => forge(token, {}, 'embedded key')),
  telling('exp moved into the future', (token) => forge(token, { payload: inForce }, 'kept')),
  telling('sub changed', (token) => forge(token, { payload: { sub: 'somebody-else' } }, 'kept')),
  {
    how: 'scope widened',
    make: (token) => forge(token, { payload: { scope: 'everything', scp: 'everything' } }, 'kept'),
  },
  forged('with alg none', { alg: 'none' }, 'none'),
  forged('signed with an own key', { alg: 'ES256', kid: 'own' }, 'own key'),
  forged('without a signature', { alg: 'RS256', kid: 'own' }, 'none'),
];
const FOUR = [0, 1, 2, 3];

/** Every token that the recipes make. None of them may be the same token in an encoding that it may have. */
export function madeFrom(token: string, beside: Beside, breadth: 'whole' | 'telling'): readonly Made[] {
  const made = RECIPES.filter(({ isTelling }) => breadth === 'whole' || isTelling).flatMap(({ how, make }): Made[] => {
    const result = make(token, beside);
    if (result === undefined || result === token) return [];
    const isFree = isSpelledAlike(token, result);
    return isFree || !isSameToken(token, result) ? [{ how, token: result, isFree }] : [];
  });
  return [...new Map(made.map((one) => [one.token, one])).values()];
}

/** The characters at these places changed. A separator at the end of a prefix is a part of it. */
function changed(token: string, places: readonly number[]): string {
  return places.reduce((made, at) => tamperAt(made, at).token, token);
}

/** The first of the tokens, made with a growing count, that is another one in every encoding. */
function another(token: string, make: (count: number) => string): string | undefined {
  return [1, 2, 3, 4, 5, 6, 7, 8].map(make).find((made) => !isSameToken(token, made));
}

/** In a JWT, only the signature changes. */
function swapCase(token: string, most: number): string | undefined {
  let left = most;
  const from = isJwt(token) ? token.lastIndexOf('.') + 1 : 0;
  const swapped = token.slice(from).replace(/[A-Za-z]/g, (letter) => {
    if (left <= 0) return letter;
    left -= 1;
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
  return token.slice(0, from) + swapped;
}

function splice(token: string, other: string | undefined): string | undefined {
  if (other === undefined || isJwt(token)) return undefined;
  const half = Math.floor(token.length / 2);
  // If both tokens begin with the same half, the result is the other valid token.
  const spliced = token.slice(0, half) + other.slice(half);
  return spliced === other ? undefined : spliced;
}

/** A JWT that names a person, where the target's own token is none. */
function forged(how: string, header: object, signature: 'none' | 'own key'): Recipe {
  return telling(`replaced by a JWT that names the person, ${how}`, (token, { person, issuer }) =>
    isJwt(token) || person === undefined ? undefined : naming(person, issuer, header, signature),
  );
}

type Changes = { readonly header?: object; readonly payload?: object };

/** `own key` signs with the algorithm of the token, `another algorithm` with ES256. */
type Signature = 'none' | 'kept' | 'own key' | 'another algorithm' | 'embedded key';

/** The seconds since the epoch until which a forged token is said to be in force. */
const FAR_FUTURE = 4_102_444_800;

/** A JWT with changed claims, and no signature, the old one or one by another key (RFC 8725 2.1 and 3.1). */
function forge(token: string, { header = {}, payload = {} }: Changes, signature: Signature): string | undefined {
  if (!isJwt(token)) return undefined;
  const [head = '', body = '', kept = ''] = token.split('.');
  const [protectedHeader, original] = [objectIn(head), objectIn(body)];
  // A JWS may have any payload (RFC 7515 3). Without claims, there is nothing to forge.
  if (!protectedHeader || !original) return undefined;
  const claims: object = { ...original, ...payload };
  if (signature === 'kept') return `${head}.${encode(claims)}.${kept}`;
  return signed({ ...protectedHeader, ...header }, claims, signature);
}

const inForce = { exp: FAR_FUTURE };

/** A JWT that names a person, for targets whose own tokens look otherwise (outcomes 2). */
export function naming(email: string, issuer: string, header: object, signature: Signature): string {
  const person = { sub: email, email, preferred_username: email, upn: email };
  const scope = 'SEARCH CHAT';
  const claims = { iss: issuer, aud: issuer, iat: FAR_FUTURE - 10 ** 9 * 3, ...inForce, ...person, scope, scp: scope };
  return signed({ typ: 'JWT', ...header }, claims, signature);
}

function signed(header: Readonly<Record<string, unknown>>, claims: object, signature: Signature): string {
  const lines = (head: object) => `${encode(head)}.${encode(claims)}`;
  if (signature === 'none') return `${lines(header)}.`;
  const alg = signature === 'own key' ? String(header['alg']) : 'ES256';
  if (alg === 'HS256')
    return `${lines(header)}.${createHmac('sha256', OWN_SECRET).update(lines(header)).digest('base64url')}`;
  const isRsa = alg === 'RS256';
  const { privateKey, publicKey } = isRsa ? ownRsaKey() : OWN_KEY;
  const embedded = signature === 'embedded key' ? { jwk: publicKey.export({ format: 'jwk' }) } : {};
  const input = lines({ ...header, alg: isRsa ? alg : 'ES256', ...embedded });
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const OWN_SECRET = randomBytes(32);
const OWN_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let rsaKey: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;
function ownRsaKey() {
  rsaKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
  return rsaKey;
}

/** The JSON object in a part of a token. Undefined if it is no JSON object. */
function objectIn(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
