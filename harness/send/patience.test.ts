import { expect, test } from 'vitest';
import { operationOf } from '../contract/contract.ts';
import type { Failure } from '../record/observation.ts';
import { simulatedClock } from '../testing/simulated-clock.ts';
import { accepted, contract, reset } from '../testing/small-world.ts';
import { createGate } from './gate.ts';
import { createPatience } from './patience.ts';
import { sendUntilAnswered } from './retry.ts';

const timeout: Failure = { kind: 'failure', failure: 'timeout', detail: 'timeout' };
const clock = simulatedClock();
const GATE = { clock, rate: undefined, concurrency: 1, patienceMs: 1_000_000 };
const [search, chat] = [operationOf(contract, 'search'), operationOf(contract, 'chat')];

const isAnswering = async () => true;

/** After so many chats without an answer. */
function after(...requests: readonly string[]) {
  const patience = createPatience({ timeoutMs: 10_000, chatTimeoutMs: 90_000 });
  for (const request of requests) patience.note(chat, request, timeout, 90_000);
  return patience;
}

test('a run waits in full until three requests got no answer', () => {
  expect(after('a', 'b').waitMs(chat)).toBe(90_000);
  expect(after('a', 'b').isKnown(chat, timeout)).toBe(false);
  expect(after('a', 'b', 'c').waitMs(chat)).toBe(2_000);
  expect(after('a', 'b', 'c').isKnown(chat, timeout)).toBe(true);
});

test('one request that gets no answer each time is one', () => {
  expect(after('a', 'a', 'a', 'a').waitMs(chat)).toBe(90_000);
});

test('the silence of one operation says nothing of another, and only silence counts', () => {
  const patience = after('a', 'b', 'c');
  expect(patience.waitMs(search)).toBe(10_000);
  expect(patience.isKnown(chat, reset)).toBe(false);
  for (const request of ['a', 'b', 'c']) patience.note(search, request, reset, 10);
  expect(patience.waitMs(search)).toBe(10_000);
});

test('a slow answer keeps the run waiting ten times as long, and never longer than at first; a slow failure does not', () => {
  const patience = after('a', 'b', 'c');
  patience.note(chat, 'd', accepted, 700);
  patience.note(chat, 'e', accepted, 200);
  patience.note(chat, 'e', reset, 3_000);
  expect(patience.waitMs(chat)).toBe(7_000);
  patience.note(chat, 'f', accepted, 20_000);
  expect(patience.waitMs(chat)).toBe(90_000);
});

test.each([
  ['to an operation of which nothing is known', search, 4],
  ['to an operation that is known to be silent', chat, 1],
  ['to no operation', undefined, 4],
])('a request %s is sent again while that may help', async (_what, operation, times) => {
  const [patience, gate] = [after('a', 'b', 'c'), createGate(GATE)];
  let sent = 0;
  const once = async () => {
    sent += 1;
    return { observation: timeout, ms: sent };
  };
  const sending = sendUntilAnswered(
    { gate, patience, isAnswering },
    { operation, name: 'd', once, optionsOf: () => ({}) },
  );
  expect([(await clock.until(sending))?.ms, sent]).toEqual([times, times]);
});

test('what came at last is noted once, unless the request may get no answer', async () => {
  const [patience, gate] = [after('a', 'b'), createGate(GATE)];
  const once = async () => ({ observation: timeout, ms: 90_000 });
  const send = (name: string, mayBeSilent: boolean) =>
    clock.until(
      sendUntilAnswered(
        { gate, patience, isAnswering },
        { operation: chat, name, once, optionsOf: () => ({ mayBeSilent }) },
      ),
    );
  await send('c', true);
  await send('b', false);
  expect(patience.isKnown(chat, timeout)).toBe(false);
  await send('c', false);
  expect(patience.isKnown(chat, timeout)).toBe(true);
});
