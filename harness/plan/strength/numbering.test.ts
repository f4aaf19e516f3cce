import { expect, test } from 'vitest';
import { contract } from '../../testing/small-world.ts';
import { percentOf } from './documented-rows.ts';
import { type Isolated, isolatedCases } from './isolation.ts';
import { numberingOf, STRENGTHS, type Strength } from './numbering.ts';

const known = isolatedCases(contract, ['GLOBAL']);
const numbering = numberingOf(contract, known);

/** The combinations of exactly so many values, each as a text, in no order. */
function combinationsOf({ rule, values }: Isolated, strength: number): readonly string[] {
  const choose = (from: number, left: number): readonly string[] =>
    left === 0
      ? ['']
      : contract.dimensions
          .slice(from)
          .flatMap((dimension, index) =>
            choose(from + index + 1, left - 1).map((rest) => `${dimension}:${values[dimension]} ${rest}`),
          );
  return choose(0, strength).map((text) => `${rule} ${text}`);
}
const numbersOf = (one: Isolated, strength: Strength) => {
  const [from] = numbering.range(strength);
  return [...numbering.numbersOf(one, strength)].filter((number) => number >= from);
};

test.each(STRENGTHS)('every combination of %i has a number of its own, the same in every case', (strength) => {
  const texts = new Set<string>();
  const numbers = new Set<number>();
  for (const one of known) {
    const [combinations, numbered] = [combinationsOf(one, strength), numbersOf(one, strength)];
    expect(numbered).toHaveLength(combinations.length);
    for (const text of combinations) texts.add(text);
    for (const number of numbered) numbers.add(number);
  }
  expect(numbers.size).toBe(texts.size);
});

test('the numbers of each strength lie in its range, and the ranges follow one another', () => {
  const ranges = STRENGTHS.map((strength) => numbering.range(strength));
  expect(ranges.map(([from]) => from)).toEqual([0, ranges[0]?.[1], ranges[1]?.[1]]);
  for (const [index, strength] of STRENGTHS.entries()) {
    const largest = known.reduce((most, one) => Math.max(most, ...numbersOf(one, strength)), 0);
    expect(largest).toBeLessThan(ranges[index]?.[1] ?? 0);
  }
});

test('a case that is not numbered has no combination', () => {
  const [other] = isolatedCases(contract, ['USER']);
  expect(other && [...numbering.numbersOf(other, 3)]).toEqual([]);
});

test.each([
  [{ seen: 0, all: 0 }, 0],
  [{ seen: 0, all: 9 }, 0],
  [{ seen: 1, all: 1000 }, 1],
  [{ seen: 999, all: 1000 }, 99],
  [{ seen: 9, all: 9 }, 100],
])('%o is %d per cent', (count, percent) => {
  expect(percentOf(count)).toBe(percent);
});
