import { verify, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { forge } from './forged-jwt.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('an own key signs a JWT and the certificate that its header holds', () => {
  const token = forge(`${encode({ alg: 'RS256', kid: 'k' })}.${encode({ sub: 'ada' })}.AAAA`, {}, 'embedded key');
  const [head = '', body = '', signature = ''] = token?.split('.') ?? [];
  const { alg, kid, x5c } = JSON.parse(Buffer.from(head, 'base64url').toString());
  expect([alg, kid, x5c.length]).toEqual(['ES256', 'k', 1]);
  const certificate = new X509Certificate(Buffer.from(x5c[0], 'base64'));
  const { publicKey: key, validTo } = certificate;
  expect(certificate.verify(key)).toBe(true);
  const signed = Buffer.from(`${head}.${body}`);
  expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(Date.parse(validTo)).toBeGreaterThan(Date.now());
});
