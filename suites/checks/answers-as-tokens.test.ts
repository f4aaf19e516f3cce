import { expect, test } from 'vitest';
import { succeed } from '../../fixtures/plain/answers.ts';
import type { PlainRequest } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { findToken, type TokenRecord } from '../../fixtures/plain/tokens.ts';
import { checkOf } from '../testing/checks.ts';
import { runOnPlain } from '../testing/one-check.ts';
import { plainDeviants } from '../testing/plain-deviants.ts';
import { answersAsTokens, influences } from './influences.ts';

/** A part of the check `influences`. */
const CHECK = { ...checkOf(influences), run: answersAsTokens };

async function decide(options: PlainOptions = {}) {
  const { decisions } = await runOnPlain(CHECK, options, { CONFORMANCE_CLAIMS: 'user' });
  return decisions.map(({ operation, requirement, verdict, detail }) => ({ operation, requirement, verdict, detail }));
}

test('the texts of an answer are refused as tokens, for each operation', async () => {
  const found = await decide();
  expect(found.map(({ operation, requirement, verdict }) => `${operation} ${requirement}: ${verdict}`)).toEqual([
    'search token.unknown: pass',
    'chat token.unknown: pass',
  ]);
});

test('a trackingToken that is accepted as a token is blamed by its name', async () => {
  const [deviant] = plainDeviants(/^plain\.given-token\.tracking-token$/);
  const [search] = await decide(deviant.options());
  expect(search).toMatchObject({ requirement: 'token.unknown', verdict: 'fail' });
  expect(search?.detail).toContain('trackingToken of an answer as the token');
});

test('a token that the target calls a renewed one is left open', async () => {
  const renewed = new Map<string, TokenRecord | undefined>();
  const found = await decide({
    findToken: (token, known) => renewed.get(token) ?? findToken(token, known),
    succeed: (request: PlainRequest, person) => {
      const answer = succeed(request, person);
      renewed.set('renewed-0123456789', request.record);
      return { ...answer, body: { ...Object(answer.body), accessToken: 'renewed-0123456789' } };
    },
  });
  expect(found.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
});
