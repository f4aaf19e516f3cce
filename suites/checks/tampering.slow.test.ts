import { expect, test } from 'vitest';
import { findToken } from '../../fixtures/plain/tokens.ts';
import { runOnPlain } from '../testing/one-check.ts';
import { tampering } from './tampering.ts';

test('a JWS whose payload is no JSON is tampered with in every other way, and shown nowhere', async () => {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  // A JWS may have any payload (RFC 7515 3).
  const jws = [
    part('{"alg":"HS256"}'),
    part('SECRET-payload-of-a-service'),
    part('a-signature-of-32-characters----'),
  ].join('.');
  const { decisions } = await runOnPlain(
    tampering,
    { findToken: (token, known) => findToken(token === jws ? (known.env['USER_TOKEN'] ?? '') : token, known) },
    { USER_TOKEN: jws },
  );
  const ofUser = decisions.filter(({ kind }) => kind === 'USER');
  expect(ofUser.length).toBeGreaterThan(5);
  expect(new Set(ofUser.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  expect(JSON.stringify(decisions)).not.toContain('SECRET');
});
