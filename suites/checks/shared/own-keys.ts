import { createHmac, constants as crypto, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}
type Hash = 'sha256' | 'sha384' | 'sha512';
interface Algorithm {
  readonly keys: keyof typeof PAIRS;
  readonly hash?: Hash;
  readonly isPss?: true;
}

const PAIRS = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ed25519: () => generateKeyPairSync('ed25519'),
} satisfies Readonly<Record<string, () => KeyPair>>;

const ES256: Algorithm = { keys: 'P-256', hash: 'sha256' };
/** With which keys the algorithms of a JWT sign (RFC 7518 3.1, RFC 8037 3.1). */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  ES256,
  ES384: { keys: 'P-384', hash: 'sha384' },
  ES512: { keys: 'P-521', hash: 'sha512' },
  EdDSA: { keys: 'ed25519' },
  ...ofRsa('256', 'sha256'),
  ...ofRsa('384', 'sha384'),
  ...ofRsa('512', 'sha512'),
};
/** The algorithms that sign with a secret (RFC 7518 3.2). */
const WITH_SECRET: Readonly<Record<string, Hash>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

function ofRsa(bits: string, hash: Hash): Readonly<Record<string, Algorithm>> {
  return { [`RS${bits}`]: { keys: 'rsa', hash }, [`PS${bits}`]: { keys: 'rsa', hash, isPss: true } };
}

/** What signs a JWT in place of its issuer. */
export interface Signer {
  readonly alg: string;
  readonly sign: (input: string) => Buffer;
  /** The members of a header that hold the key. A server that trusts them accepts the signature (RFC 7515 4.1.3 and 4.1.6). */
  readonly embedded: () => object;
}

/** A signer with a key of this run. @param alg the algorithm of a header. An unknown one is replaced by ES256. */
export function ownSigner(alg: unknown): Signer {
  const name = typeof alg === 'string' ? alg : '';
  if (Object.hasOwn(WITH_SECRET, name)) return secretSigner(OWN_SECRET, name);
  const isKnown = Object.hasOwn(ALGORITHMS, name);
  const algorithm = (isKnown && ALGORITHMS[name]) || ES256;
  const { privateKey: key, publicKey } = pairOf(algorithm);
  const pss = { padding: crypto.RSA_PKCS1_PSS_PADDING, saltLength: crypto.RSA_PSS_SALTLEN_DIGEST };
  const options = { key, dsaEncoding: 'ieee-p1363', ...(algorithm.isPss && pss) } as const;
  return {
    alg: isKnown ? name : 'ES256',
    sign: (input) => sign(algorithm.hash, Buffer.from(input), options),
    embedded: () => ({ jwk: publicKey.export({ format: 'jwk' }), x5c: [certificateOf(publicKey).toString('base64')] }),
  };
}

/** A signer with a secret that a server may have or take. */
export function secretSigner(secret: string | Buffer, alg = 'HS256'): Signer {
  const hash = WITH_SECRET[alg] ?? 'sha256';
  return {
    alg,
    sign: (input) => createHmac(hash, secret).update(input).digest(),
    embedded: () => ({ jwk: { kty: 'oct', k: Buffer.from(secret).toString('base64url') } }),
  };
}

const OWN_SECRET = randomBytes(64);
const pairs = new Map<keyof typeof PAIRS, KeyPair>();

function pairOf({ keys }: Algorithm): KeyPair {
  const pair = pairs.get(keys) ?? PAIRS[keys]();
  pairs.set(keys, pair);
  return pair;
}

/** A certificate of a key (RFC 5280 4.1). A server that trusts one in a header does not ask who signed it. */
function certificateOf(publicKey: KeyObject): Buffer {
  const algorithm = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const [nobody, serial] = [der(0x30), der(2, Buffer.from([1]))];
  const validity = der(0x30, ...['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time))));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(0x30, serial, algorithm, nobody, validity, nobody, key);
  return der(0x30, signed, algorithm, der(3, Buffer.from([0]), sign('sha256', signed, pairOf(ES256).privateKey)));
}

/** A value with its tag and length. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]), value]);
}
