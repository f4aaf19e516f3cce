import { expect, test } from 'vitest';
import { accepted, answer, reset } from '../testing/small-world.ts';
import { isAccepted, isAnswer, isServerError, transportReason } from './observation.ts';

test.each([
  [200, true],
  [201, true],
  [299, true],
  [199, false],
  [300, false],
  [302, false],
  [401, false],
  [500, false],
])('status %d is accepted: %s', (status, expected) => {
  expect(isAccepted(answer(status))).toBe(expected);
});

test('a missing answer is no answer, is not accepted, and is a transport outcome', () => {
  expect([isAnswer(reset), isAccepted(reset)]).toEqual([false, false]);
  expect(transportReason(reset)).toBe(reset.detail);
});

test('a refusal is an answer too, and no transport outcome', () => {
  for (const observation of [accepted, answer(401)])
    expect([isAnswer(observation), transportReason(observation)]).toEqual([true, undefined]);
});

test.each([
  [[408, 425, 429, 502, 503, 504, 520, 522, 529], true],
  [[200, 301, 400, 401, 403, 404, 405, 413, 422, 500, 501, 505, 519, 530], false],
])('statuses %j are transport outcomes: %s', (statuses, expected) => {
  for (const status of statuses)
    expect([status, transportReason(answer(status))]).toEqual([status, expected ? `status ${status}` : undefined]);
});

test('a status from 500 to 599 is a server error, but 501 is not (RFC 9110 15.6.2)', () => {
  expect([500, 502, 503, 599].filter(isServerError)).toEqual([500, 502, 503, 599]);
  expect([200, 404, 499, 501, 600].filter(isServerError)).toEqual([]);
});
