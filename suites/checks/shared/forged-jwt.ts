import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { objectIn } from './json-object.ts';

export type Changes = { readonly header?: object; readonly payload?: object };
/** `own key` signs with the algorithm of the token, `another algorithm` with ES256, a secret with HS256. */
export type Signature =
  | 'none'
  | 'kept'
  | 'own key'
  | 'another algorithm'
  | 'embedded key'
  | 'zeros'
  | { readonly secret: string };
/** The seconds since the epoch until which a forged token is said to be in force. */
export const FAR_FUTURE = 4_102_444_800;

/** A JWT with changed claims, and no signature, the old one or one by another key (RFC 8725 2.1 and 3.1). */
export function forge(token: string, { header = {}, payload = {} }: Changes, signature: Signature): string | undefined {
  const [head = '', body = '', kept = ''] = token.split('.');
  const [protectedHeader, original] = [head, body].map((part) => objectIn(Buffer.from(part, 'base64url').toString()));
  // Another token has neither, and a JWS may have any payload (RFC 7515 3). Without claims, there is nothing to forge.
  if (!protectedHeader || !original) return undefined;
  const claims: object = { ...original, ...payload };
  if (signature === 'kept') return `${head}.${encode(claims)}.${kept}`;
  return signed({ ...protectedHeader, ...header }, claims, signature);
}

/** A JWT that names a person, for targets whose own tokens look otherwise (outcomes 2). */
export function naming(email: string, issuer: string, header: object, signature: Signature): string {
  const person = { sub: email, email, preferred_username: email, upn: email };
  const scope = 'SEARCH CHAT';
  const claims = {
    iss: issuer,
    aud: issuer,
    iat: FAR_FUTURE - 10 ** 9 * 3,
    exp: FAR_FUTURE,
    ...person,
    scope,
    scp: scope,
  };
  return signed({ typ: 'JWT', ...header }, claims, signature);
}

function signed(header: Readonly<Record<string, unknown>>, claims: object, signature: Signature): string {
  const lines = (head: object) => `${encode(head)}.${encode(claims)}`;
  if (signature === 'none') return `${lines(header)}.`;
  if (signature === 'zeros') return `${lines(header)}.${Buffer.alloc(64).toString('base64url')}`;
  const alg = signature === 'own key' ? header['alg'] : undefined;
  const secret = typeof signature === 'object' ? signature.secret : alg === 'HS256' ? OWN_SECRET : undefined;
  if (secret !== undefined)
    return `${lines(header)}.${createHmac('sha256', secret).update(lines(header)).digest('base64url')}`;
  const isRsa = alg === 'RS256';
  const { privateKey, publicKey } = isRsa ? ownRsaKey() : OWN_KEY;
  const embedded =
    signature === 'embedded key'
      ? { jwk: publicKey.export({ format: 'jwk' }), x5c: [ownCertificate().toString('base64')] }
      : {};
  const input = lines({ ...header, alg: isRsa ? alg : 'ES256', ...embedded });
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** The certificate of the own key that it signed itself (RFC 5280 4.1). */
function ownCertificate(): Buffer {
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const [nobody, serial] = [der(0x30), der(2, Buffer.from([1]))];
  const validity = der(0x30, ...['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time))));
  const key = OWN_KEY.publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(0x30, serial, algorithm, nobody, validity, nobody, key);
  return der(0x30, signed, algorithm, der(3, Buffer.from([0]), sign('sha256', signed, OWN_KEY.privateKey)));
}

/** A value with its tag and length. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]), value]);
}

const OWN_SECRET = randomBytes(32);
const OWN_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let rsaKey: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;
function ownRsaKey() {
  rsaKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
  return rsaKey;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
