import { expect, test } from 'vitest';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { answer, reset } from '../testing/small-world.ts';
import { troubleOf } from './trouble.ts';

const slowDown = answer(429, '', { 'retry-after': '7' });

/** The requests of a check, which shows one thing after another. */
const ofCheck = (
  ...seen: readonly (readonly [shows: string, Observation, operation?: string])[]
): readonly Exchange[] =>
  seen.map(([shows, observation, operation], index) => ({
    type: 'exchange',
    seq: index + 1,
    case: 'check:isolation',
    role: 'check',
    credential: '$USER_TOKEN',
    observation,
    step: { shows, wanted: 'accepted', ...(operation !== undefined && { operation }) },
  }));
const ofMatrix = (...seen: readonly Observation[]): readonly Exchange[] =>
  ofCheck(...seen.map((one) => ['', one] as const)).map(({ step: _step, ...rest }) => ({ ...rest, role: 'cell' }));

test('a run without trouble has none', () => {
  expect(troubleOf([...ofMatrix(answer(401)), ...ofCheck(['a', answer(500)])])).toEqual([]);
});

test('a target that asks to slow down is trouble, whatever sent the request', () => {
  const said = ['the target asked to slow down once (429, Retry-After up to 7 s); the run paused each time'];
  expect(troubleOf(ofMatrix(slowDown))).toEqual(said);
  expect(troubleOf(ofCheck(['a', slowDown], ['a', answer(401)]))).toEqual(said);
});

test('a request of a check to an operation without an answer is trouble if it was sent again', () => {
  expect(troubleOf(ofMatrix(reset))).toEqual([expect.stringContaining('1 request got no answer')]);
  expect(troubleOf(ofCheck(['a', reset, 'search'], ['a', answer(200), 'search']))).toEqual(troubleOf(ofMatrix(reset)));
  expect(troubleOf(ofCheck(['a', reset, 'search'], ['b', answer(200), 'search']))).toEqual([]);
  expect(troubleOf(ofCheck(['a', reset], ['a', answer(200)]))).toEqual([]);
});

test('a malformed request of a check that the target closes every time is a refusal, and no trouble', () => {
  const malformed = ['no method', reset, 'search'] as const;
  expect(troubleOf(ofCheck(malformed, malformed, malformed))).toEqual([]);
});
