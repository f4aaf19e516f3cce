import { expect, test } from 'vitest';
import type { Credential } from '../plan/credentials.ts';
import { createCredentials } from '../plan/credentials.ts';
import { catalogue } from '../testing/contract.ts';
import { answer, reset } from '../testing/small-world.ts';
import { unlessOutlived } from './outlived.ts';

const END = Date.parse('2026-07-01T12:00:00Z');
const token: Credential = {
  source: 'minted',
  variable: 'a',
  recipe: '$USER_TOKEN',
  shell: 'c',
  token: 'd',
  endsAt: END,
};

test.each([400, 401, 403, 404])('a refusal (%i) of a token that has expired during the run is no answer', (status) => {
  expect(unlessOutlived(answer(status), token, END)).toEqual({
    kind: 'failure',
    failure: 'ended',
    detail: `${status} to $USER_TOKEN, which expired at 2026-07-01T12:00:00Z, during the run`,
  });
});

test.each([
  ['a refusal well before the token expires', answer(401), token, END - 5_001],
  ['a refusal of a token of which nobody knows when it expires', answer(401), { ...token, endsAt: undefined }, END],
  ['a refusal of a request without a token', answer(401), undefined, END],
  ['an acceptance', answer(200), token, END],
  ['a server error', answer(500), token, END],
  ['a request to slow down', answer(429), token, END],
  ['no answer', reset, token, END],
] as const)('%s stays what it is', (_what, observation, credential, now) => {
  expect(unlessOutlived(observation, credential, now)).toBe(observation);
});

test('a refusal right before the token expires is no answer either, because clocks differ', () => {
  expect(unlessOutlived(answer(401), token, END - 5_000)).toMatchObject({ failure: 'ended' });
});

test('the end of a token is that of its claims, or what TOKEN_COMMAND says, and none if it is to have expired', () => {
  const claims = Buffer.from(JSON.stringify({ exp: END / 1000 })).toString('base64url');
  const { all } = createCredentials({
    catalogue,
    variables: new Map(
      ['USER_TOKEN', 'USER_TOKEN_EXPIRED'].map((name) => [name, { value: `h.${claims}.${name}`, origin: '.env' }]),
    ),
    minted: new Map([['USER valid only:SEARCH', { token: 'opaque', expiresAt: END + 1 }]]),
    unknownToken: 'unknown',
  });
  const ends = new Map(all().map(({ credential }) => [credential.recipe.replace(/,.*/, ''), credential.endsAt]));
  expect(ends.get('$USER_TOKEN')).toBe(END);
  expect(ends.get('TOKEN_COMMAND USER valid only:SEARCH')).toBe(END + 1);
  expect(ends.get('$USER_TOKEN_EXPIRED')).toBeUndefined();
});
