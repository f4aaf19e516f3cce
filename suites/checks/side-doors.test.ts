import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { passing } from '../../fixtures/deviants/build.ts';
import { send, succeed } from '../../fixtures/plain/answers.ts';
import { peopleEnv } from '../../fixtures/plain/people.ts';
import { bodyField, chatPath, type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import type { PlainOptions } from '../../fixtures/plain/target.ts';
import { sideDoors as variants } from '../../fixtures/variants/influences.ts';
import { answering, blameOnPlain, runOnPlain, saying } from '../testing/one-check.ts';
import { ofPlain, plainDeviants } from '../testing/plain-deviants.ts';
import { sideDoors } from './influences.ts';

const deviants = plainDeviants(/^plain\.side-door\./);

test('passes on the plain target on both operations', async () => {
  const { decisions, requests } = await runOnPlain(sideDoors);
  expect(decisions.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual(
    Array(2).fill('pass: 168 variations: with none of them, a request without a token is accepted'),
  );
  expect(requests).toBeLessThan(341);
});

test.each(deviants)('$what: found and named', async ({ breaks, options }) => {
  const { blamed, why } = await blameOnPlain(sideDoors, options());
  expect(blamed).toEqual([breaks]);
  expect(why).toMatch(/a request without a token is accepted with/);
});

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

describe('where the body of a chat is free', () => {
  const onChat = async (options: PlainOptions) => {
    const { decisions } = await runOnPlain(sideDoors, options);
    return decisions.flatMap(({ operation, verdict, detail }) => (operation === 'chat' ? `${verdict}: ${detail}` : []));
  };
  /** Chats with this body, also with PUT and without a token. */
  const putting = (body: (request: PlainRequest) => unknown, required?: readonly string[]): PlainOptions => {
    const door = { path: chatPath, scope: 'CHAT', method: 'PUT', ...(required && { required }) };
    return {
      operations: [...plainOperations, door],
      ...passing('authorization.missing', ({ method }) => method === 'PUT')(() => {}),
      succeed: (request, person) =>
        request.path === chatPath ? { status: 200, body: body(request) } : succeed(request, person),
    };
  };
  /** Refuses each PUT but the first one. */
  const once = (): PlainOptions => {
    let times = 0;
    return answering(({ method, path }) => method === 'PUT' && path === chatPath && ++times > 1, saying(404));
  };
  const runs = ['fail: a request without a token is accepted with PUT'];
  const untold = /^observed: (?:OPTIONS|PUT): nothing shows that the operation runs with it$/;

  test.each(ofPlain(variants))('it is observed: $what', async ({ options }) => {
    const [decided, ...others] = await onChat(options());
    expect(decided).toMatch(untold);
    expect(others).toEqual([]);
  });

  test('an empty answer is observed', async () => {
    const isEmpty = ({ method, path }: PlainRequest) => path === chatPath && ['OPTIONS', 'POST'].includes(method);
    const empty = answering(isEmpty, (reply) => {
      if (reply.status !== 200 && reply.status !== 405) return reply;
      return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '' };
    });
    expect((await onChat(empty))[0]).toMatch(untold);
  });

  test('an operation that needs its query runs, even if it answers nothing', async () => {
    const empty = answering(
      ({ path, method }) => path === chatPath && ['POST', 'PUT'].includes(method),
      (reply) => (reply.status === 200 ? { ...reply, body: '' } : reply),
    );
    expect(await onChat({ ...putting(() => ({}), ['query']), ...empty })).toEqual(runs);
  });

  test('an operation that answers what it was asked runs', async () => {
    const answer = (request: PlainRequest) => (bodyField(request, 'query') === undefined ? 'Please ask' : 'Here it is');
    expect(await onChat(putting((request) => ({ id: randomUUID(), text: answer(request) })))).toEqual(runs);
  });

  test('an answer that only repeats what it was asked is observed', async () => {
    const echo = (request: PlainRequest) => ({
      text: `You sent ${JSON.stringify(bodyField(request, 'query') ?? null)}`,
    });
    expect((await onChat(putting(echo)))[0]).toMatch(untold);
  });

  test('an operation that shows a private document runs', async () => {
    const { USER_PRIVATE_MARKER } = peopleEnv;
    const shown = putting(({ method }) => ({ text: method === 'PUT' ? USER_PRIVATE_MARKER : 'Nothing is found' }));
    expect(await onChat(shown)).toEqual(runs);
  });

  test('an answer that comes once and not again is observed', async () => {
    const short = putting(() => ({ ok: true }));
    expect((await onChat({ ...short, ...once() }))[0]).toMatch(untold);
  });

  test('an answer that is another one each time is observed', async () => {
    const words = ['first', 'second', 'third', 'fourth', 'fifth'];
    const another = putting(({ method }) => ({ text: method === 'PUT' ? words.shift() : 'Hello' }));
    expect((await onChat(another))[0]).toMatch(untold);
  });

  test('an operation that begins a conversation runs, even if it does so only once', async () => {
    const begins = putting(() => ({ conversationId: randomUUID() }));
    expect(await onChat({ ...begins, ...once() })).toEqual(runs.map((one) => `${one}; sent again, it was refused`));
  });
});

test('is inconclusive if the documented request is refused', async () => {
  const { decisions } = await runOnPlain(
    sideDoors,
    answering(() => true, saying(403)),
  );
  expect(decisions.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
});

test('a target that stays silent to odd requests is asked a few times, and not waited for as long as others', async () => {
  const { decisions, requests } = await runOnPlain(
    sideDoors,
    { send: (reply, response, request) => (request.method === 'POST' ? send(reply, response) : undefined) },
    { CONFORMANCE_TIMEOUT_MS: '300' },
  );
  expect(decisions.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
  // For each operation: the documented request with and without a token, and one that is odd before eight side by side.
  expect(requests).toBe(2 * (2 + 1 + 8));
});
