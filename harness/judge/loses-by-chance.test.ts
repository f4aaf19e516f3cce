import { expect, test } from 'vitest';
import { accepted, exchangeOf, plannedCase, planWith, reset } from '../testing/small-world.ts';
import { losesByChance } from './judge-case.ts';

const search = plannedCase(planWith(), 'search', 'USER');
/** A case that got so many answers, and lost so many requests. */
const sent = (answered: number, lost: number, role: 'cell' | 'check' = 'cell') =>
  Array.from({ length: answered + lost }, (_, at) => exchangeOf(search, at < answered ? accepted : reset, at, role));

test.each([
  [6, 20, true],
  [5, 20, false],
  [4, 1, false],
])('%d lost and %d answered requests of one case are chance: %s', (lost, answered, isChance) => {
  expect(losesByChance([sent(answered, lost)])).toBe(isChance);
});

test('a case that never gets an answer, and what a check sends, say nothing of chance', () => {
  expect(losesByChance([sent(0, 100)])).toBe(false);
  expect(losesByChance([sent(5, 100, 'check'), sent(20, 2)])).toBe(false);
});
