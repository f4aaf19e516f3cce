import { generateKeyPairSync } from 'node:crypto';
import { compactDecrypt } from 'jose';
import { expect, test } from 'vitest';
import { encryptedFor } from './encrypted-jwt.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${encode({ alg: 'RS256' })}.${encode({ sub: 'ada' })}.AAAA`;

test.each([
  ['an RSA key', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
])('a JWT without a signature is encrypted for %s', async (_what, { publicKey, privateKey }) => {
  const { plaintext, protectedHeader } = await compactDecrypt(encryptedFor(publicKey, token) ?? '', privateKey);
  expect([Buffer.from(plaintext).toString(), protectedHeader.cty]).toEqual([
    `${encode({ alg: 'none' })}.${encode({ sub: 'ada' })}.`,
    'JWT',
  ]);
});

test('nobody can encrypt for a key that only signs, or a token that is no JWT', () => {
  expect(encryptedFor(generateKeyPairSync('ed25519').publicKey, token)).toBeUndefined();
  expect(encryptedFor(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, 'opaque')).toBeUndefined();
});
