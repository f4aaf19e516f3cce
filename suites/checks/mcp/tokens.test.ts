import { expect, test } from 'vitest';
import { madeFrom } from '../shared/token-recipes.ts';
import { FEW } from './tokens.ts';

test('each of the few forged tokens that a target elsewhere gets is made by a telling recipe', () => {
  const parts = [{ alg: 'ES256', kid: 'k' }, { sub: 'ada' }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const beside = { other: undefined, person: undefined, issuer: 'https://issuer.example' };
  const telling = madeFrom([...parts, 'A'.repeat(86)].join('.'), beside, 'telling').map(({ how }) => how);
  expect(FEW.filter((how) => !telling.includes(how))).toEqual([]);
});
