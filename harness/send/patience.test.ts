import { expect, test } from 'vitest';
import { operationOf } from '../contract/contract.ts';
import type { Failure } from '../record/observation.ts';
import { accepted, contract, reset } from '../testing/small-world.ts';
import { createPatience } from './patience.ts';

const timeout: Failure = { kind: 'failure', failure: 'timeout', detail: 'timeout' };
const [search, chat] = [operationOf(contract, 'search'), operationOf(contract, 'chat')];

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
