import { constants, createHmac, verify, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { forge } from './forged-jwt.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
const tokenOf = (alg: string) => `${encode({ alg, kid: 'k' })}.${encode({ sub: 'ada' })}.AAAA`;
const partsOf = (...known: Parameters<typeof forge>) => forge(...known)?.split('.') ?? [];

test.each([
  ['RS256', 'sha256', {}],
  ['RS512', 'sha512', {}],
  ['PS384', 'sha384', { padding: constants.RSA_PKCS1_PSS_PADDING }],
  ['ES256', 'sha256', { dsaEncoding: 'ieee-p1363' }],
  ['ES512', 'sha512', { dsaEncoding: 'ieee-p1363' }],
  ['EdDSA', undefined, {}],
] as const)(
  'an own key signs a JWT with its algorithm, %s, and stands in the certificate of its header',
  (alg, hash, options) => {
    const [head, body, signature = ''] = partsOf(tokenOf(alg), {}, 'embedded key');
    const { alg: named, kid, x5c } = decode(head);
    expect([named, kid, x5c.length]).toEqual([alg, 'k', 1]);
    const { publicKey: key, validTo } = new X509Certificate(Buffer.from(x5c[0], 'base64'));
    const signed = Buffer.from(`${head}.${body}`);
    expect(verify(hash, signed, { key, ...options }, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(Date.parse(validTo)).toBeGreaterThan(Date.now());
  },
);

test('a secret of its header signs a JWT that wants one', () => {
  const [head, body, signature] = partsOf(tokenOf('HS512'), {}, 'embedded secret');
  const { alg, jwk } = decode(head);
  const secret = Buffer.from(jwk.k, 'base64url');
  const right = createHmac('sha512', secret).update(`${head}.${body}`).digest('base64url');
  expect([alg, jwk.kty, signature]).toEqual(['HS512', 'oct', right]);
});

test('a JWT that wants a secret gets a key with a certificate, too', () => {
  const { alg, x5c } = decode(partsOf(tokenOf('HS512'), {}, 'embedded key')[0]);
  expect([alg, x5c.length]).toEqual(['ES256', 1]);
});

test.each([
  ['ES256', 'RS256'],
  ['RS512', 'ES256'],
])('%s is replaced by another algorithm', (alg, another) => {
  expect(decode(partsOf(tokenOf(alg), {}, 'another algorithm')[0]).alg).toBe(another);
});

test('what is not changed keeps its bytes under the old signature', () => {
  const token = tokenOf('RS256');
  const [head, body, signature] = token.split('.');
  expect(partsOf(token, { header: { more: 1 } }, 'kept').slice(1)).toEqual([body, signature]);
  const [same, changed, kept] = partsOf(token, { payload: { sub: 'bela' } }, 'kept');
  expect([same, decode(changed).sub, kept]).toEqual([head, 'bela', signature]);
});
