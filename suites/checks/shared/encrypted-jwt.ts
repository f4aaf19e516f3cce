import {
  createCipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { forge } from './forged-jwt.ts';

/**
 * A JWT without a signature inside of a JWE for a public key, which everybody has. A server that decrypts it may look for no
 * signature any more (RFC 7519 11.2). Undefined if nobody can encrypt for such a key, or if the token is no JWT.
 */
export function encryptedFor(publicKey: KeyObject, token: string): string | undefined {
  const jwt = forge(token, { header: { alg: 'none' } }, 'none');
  const agreed = agreedFor(publicKey);
  if (!agreed || jwt === undefined) return undefined;
  const { key, wrapped, ...header } = agreed;
  const head = Buffer.from(JSON.stringify({ ...header, enc: 'A256GCM', cty: 'JWT' })).toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(head));
  const text = Buffer.concat([cipher.update(jwt), cipher.final()]);
  return [head, ...[wrapped, iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

/** A key that the owner of the private key can find out, and what says so in the header (RFC 7518 4.3 and 4.6). */
function agreedFor(publicKey: KeyObject) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '' } = {} } = publicKey;
  switch (type) {
    case 'rsa': {
      const key = randomBytes(32);
      return { alg: 'RSA-OAEP-256', key, wrapped: publicEncrypt({ key: publicKey, oaepHash: 'sha256' }, key) };
    }
    case 'ec': {
      const own = generateKeyPairSync('ec', { namedCurve });
      const shared = diffieHellman({ privateKey: own.privateKey, publicKey });
      const epk = own.publicKey.export({ format: 'jwk' });
      return { alg: 'ECDH-ES', epk, key: derivedFrom(shared), wrapped: Buffer.alloc(0) };
    }
    default:
      return undefined;
  }
}

/** Concat KDF for A256GCM, between parties without names (RFC 7518 4.6.2). */
function derivedFrom(shared: Buffer): Buffer {
  const number = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
  const enc = Buffer.from('A256GCM');
  const parts = [number(1), shared, number(enc.length), enc, number(0), number(0), number(256)];
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}
