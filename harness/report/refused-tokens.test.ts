import { expect, test } from 'vitest';
import { reportOf } from '../testing/report.ts';
import { answer } from '../testing/small-world.ts';
import { refusedInWords } from './refused-tokens.ts';

/** The tokens that a report names first, if every request of the kind USER gets a status. */
const namedAfter = async (status: number) => {
  const { refusedTokens } = await reportOf({ instead: ({ kind }) => (kind === 'USER' ? answer(status) : undefined) });
  return refusedTokens.map((refused) => [refused.token, refused.status]);
};

test.each([400, 401, 403])('a full token that gets %i every time is named first', async (status) => {
  expect(await namedAfter(status)).toEqual([['$USER_TOKEN', status]]);
});

test.each([404, 408, 429])(
  'a full token that gets %i every time is not, because that says nothing about it',
  async (status) => {
    expect(await namedAfter(status)).toEqual([]);
  },
);

test('a GLOBAL token in USER_TOKEN is recognised by the message, which is shown with what to do', async () => {
  const body = '{"error":"Required header missing: X-Service-ActAs"}';
  const { refusedTokens } = await reportOf({
    instead: ({ kind }) => (kind === 'USER' ? answer(400, body) : undefined),
  });
  expect(refusedTokens.map(refusedInWords)).toEqual([
    '$USER_TOKEN was refused on every request (400: Required header missing: X-Service-ActAs). It seems to be a GLOBAL token: set GLOBAL_TOKEN to it, and USER_TOKEN to a token of its own kind.',
  ]);
});

test('another refusal shows what it says, and no kind', async () => {
  const instead = ({ kind }: { kind: string }) => (kind === 'USER' ? answer(401, '{"detail":"no"}') : undefined);
  const { refusedTokens } = await reportOf({ instead });
  expect(refusedTokens.map(refusedInWords)).toEqual([
    '$USER_TOKEN was refused on every request (401: no). Check the token first.',
  ]);
});
