import { objectIn } from './json-object.ts';
import { ownSigner, secretSigner } from './own-keys.ts';

export type Changes = { readonly header?: object; readonly payload?: object };
/** The own keys sign with the algorithm of the token, `another algorithm` with another one, a secret with HS256. Of an embedded key there is a certificate. */
export type Signature =
  | 'none'
  | 'kept'
  | 'own key'
  | 'another algorithm'
  | 'embedded key'
  | 'embedded secret'
  | 'zeros'
  | { readonly secret: string };
type SignedAnew = Exclude<Signature, 'kept'>;
/** The seconds since the epoch until which a forged token is said to be in force. */
export const FAR_FUTURE = 4_102_444_800;

/** A JWT with changed claims, and no signature, the old one or one by another key (RFC 8725 2.1 and 3.1). */
export function forge(token: string, { header = {}, payload = {} }: Changes, signature: Signature): string | undefined {
  const [head = '', body = '', kept = ''] = token.split('.');
  const [protectedHeader, original] = [head, body].map((part) => objectIn(Buffer.from(part, 'base64url').toString()));
  // Another token has neither, and a JWS may have any payload (RFC 7515 3). Without claims, there is nothing to forge.
  if (!protectedHeader || !original) return undefined;
  const claims: object = { ...original, ...payload };
  // What is not changed keeps its bytes, so that a signature still fits it.
  if (signature === 'kept')
    return [
      Object.keys(header).length > 0 ? encode({ ...protectedHeader, ...header }) : head,
      Object.keys(payload).length > 0 ? encode(claims) : body,
      kept,
    ].join('.');
  return signed({ ...protectedHeader, ...header }, claims, signature);
}

/** A JWT that names a person, for targets whose own tokens look otherwise (outcomes 2). */
export function naming(email: string, issuer: string, header: object, signature: SignedAnew): string {
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

function signed(header: Readonly<Record<string, unknown>>, claims: object, signature: SignedAnew): string {
  const lines = (head: object) => `${encode(head)}.${encode(claims)}`;
  if (signature === 'none') return `${lines(header)}.`;
  if (signature === 'zeros') return `${lines(header)}.${Buffer.alloc(64).toString('base64url')}`;
  const signer = typeof signature === 'object' ? secretSigner(signature.secret) : ownSigner(algOf(header, signature));
  const embedded = signature === 'embedded key' || signature === 'embedded secret' ? signer.embedded() : {};
  const input = lines({ ...header, alg: signer.alg, ...embedded });
  return `${input}.${signer.sign(input).toString('base64url')}`;
}

function algOf({ alg }: Readonly<Record<string, unknown>>, signature: Exclude<SignedAnew, object | 'none' | 'zeros'>) {
  const isOfSecret = /^HS/.test(`${alg}`);
  switch (signature) {
    case 'own key':
      return alg;
    case 'another algorithm':
      return alg === 'ES256' ? 'RS256' : 'ES256';
    case 'embedded key':
      return isOfSecret ? 'ES256' : alg;
    case 'embedded secret':
      return isOfSecret ? alg : 'HS256';
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
