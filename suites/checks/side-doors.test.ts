import { expect, test } from 'vitest';
import { sideDoors as deviants } from '../../fixtures/deviants/side-doors.ts';
import { send } from '../../fixtures/plain/answers.ts';
import { chatPath, type PlainRequest } from '../../fixtures/plain/request.ts';
import { answering, blameOnPlain, runOnPlain, saying, tokens } from '../testing/one-check.ts';
import { sideDoors } from './side-doors.ts';

test('passes on the plain target on both operations', async () => {
  const { decisions, requests } = await runOnPlain(sideDoors);
  expect(decisions.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual(
    Array(2).fill('pass: 23 other methods and paths give no data without a token'),
  );
  expect(requests).toBeLessThan(52);
});

test.each(deviants.flatMap((deviant) => (deviant.base === 'plain' ? [deviant] : [])))(
  '$what: found and named',
  async ({ breaks, replace }) => {
    const { blamed, why } = await blameOnPlain(
      sideDoors,
      replace(() => undefined, tokens.env),
    );
    expect(blamed).toEqual([breaks]);
    expect(why).toMatch(/gives data without a token/);
  },
);

test('blames no target for a page, or for an empty answer', async () => {
  const page = () => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome</h1>' });
  expect(
    (
      await blameOnPlain(
        sideDoors,
        answering(({ method }) => method === 'GET', page),
      )
    ).blamed,
  ).toEqual([]);
  const options = answering(({ method }) => method === 'OPTIONS', saying(200));
  expect((await blameOnPlain(sideDoors, options)).blamed).toEqual([]);
});

test('blames no target for an empty answer to OPTIONS, where chats are answered with an empty body', async () => {
  const isEmpty = ({ method, path }: PlainRequest) => method === 'OPTIONS' || path === chatPath;
  const empty = answering(isEmpty, (reply) => {
    if (reply.status !== 200 && reply.status !== 405) return reply;
    return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '' };
  });
  expect((await blameOnPlain(sideDoors, empty)).blamed).toEqual([]);
});

test('is inconclusive if the documented request is refused', async () => {
  const { decisions } = await runOnPlain(
    sideDoors,
    answering(() => true, saying(403)),
  );
  expect(decisions.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
});

test('a target that stays silent to odd requests is asked once for each operation, and not as long as others', async () => {
  const { decisions, requests } = await runOnPlain(
    sideDoors,
    { send: (reply, response, request) => (request.method === 'POST' ? send(reply, response) : undefined) },
    { CONFORMANCE_TIMEOUT_MS: '300' },
  );
  expect(decisions.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  // For each operation: the documented request with and without a token, and one that is odd.
  expect(requests).toBe(6);
});
