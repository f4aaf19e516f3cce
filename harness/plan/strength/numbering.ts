import { numberIn } from '../../contract/collections.ts';
import type { Contract, Dimension } from '../../contract/contract.ts';
import { unitOf } from '../case.ts';
import type { Isolated } from './isolation.ts';

/** What combinations are counted for, and the dimensions whose values are not counted beside it. */
interface Counting {
  readonly subject: (isolated: Isolated) => string;
  readonly frame: readonly Dimension[];
}
/** Values beside a rule, operation and kind among them. */
const OVERALL: Counting = { subject: ({ rule }) => rule, frame: [] };
/** Values beside a rule in a frame, which is an operation and a kind. */
export const IN_FRAMES: Counting = {
  subject: ({ rule, values }) => `${unitOf(values)} ${rule}`,
  frame: ['operation', 'kind'],
};

/** The numbers of values on which a fault may depend. */
export const STRENGTHS = [1, 2, 3] as const;
export type Strength = (typeof STRENGTHS)[number];

/**
 * Gives every combination a number: a subject, and one to three values beside it. The numbers leave few gaps, so that a table
 * of them is small. Every command asks for a million of them, so they are counted in plain loops.
 */
export interface Numbering {
  /** Where the numbers of the combinations of so many values begin, and where they end. */
  range(strength: Strength): readonly [from: number, to: number];
  /** The numbers of a case's combinations of up to so many values, fewer values first. The next call writes into the same list. */
  numbersOf(isolated: Isolated, strength: Strength): Int32Array;
}

/** Numbers the combinations of these cases. Another case has none. */
export function numberingOf(
  contract: Contract,
  known: readonly Isolated[],
  { subject, frame }: Counting = OVERALL,
): Numbering {
  const dimensions = contract.dimensions.filter((dimension) => !frame.includes(dimension));
  // The row of a case: the number of its subject, and of its value in each dimension.
  const width = 1 + dimensions.length;
  const columns = Array.from({ length: width }, () => new Map<string, number>());
  const rows = new Map<Isolated, number>();
  const codes = new Uint16Array(known.length * width);
  for (const [index, one] of known.entries()) {
    const row = index * width;
    rows.set(one, row);
    const names = [subject(one), ...dimensions.map((dimension) => one.values[dimension] ?? '')];
    for (const [column, numbers] of columns.entries()) codes[row + column] = numberIn(numbers, names[column] ?? '');
  }
  const sizes = Int32Array.from(columns, ({ size }) => size);
  const choices = STRENGTHS.map((strength) => choicesOf(strength, width));
  const { starts, ranges } = startsOf(choices, sizes);
  const ends = choices.map((_, index) => choices.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0));
  const lists = ends.map((end) => new Int32Array(end));
  const [pairs = 0, triples = 0] = ends;

  return {
    range: (strength) => ranges[strength - 1] ?? [0, 0],
    numbersOf(isolated, strength) {
      const row = rows.get(isolated);
      const list = lists[strength - 1];
      if (row === undefined || !list) return new Int32Array();
      let [second, third] = [pairs, triples];
      const rule = codes[row] ?? 0;
      for (let a = 1; a < width; a += 1) {
        const one = rule * (sizes[a] ?? 0) + (codes[row + a] ?? 0);
        list[a - 1] = (starts[a - 1] ?? 0) + one;
        if (strength === 1) continue;
        for (let b = a + 1; b < width; b += 1) {
          const two = one * (sizes[b] ?? 0) + (codes[row + b] ?? 0);
          list[second] = (starts[second] ?? 0) + two;
          second += 1;
          if (strength === 2) continue;
          for (let c = b + 1; c < width; c += 1) {
            list[third] = (starts[third] ?? 0) + two * (sizes[c] ?? 0) + (codes[row + c] ?? 0);
            third += 1;
          }
        }
      }
      return list;
    },
  };
}

/** Where the numbers of each choice of columns begin: after those of the choice before it. And the ranges of the strengths. */
function startsOf(choices: readonly (readonly (readonly number[])[])[], sizes: Int32Array) {
  const starts: number[] = [];
  let next = 0;
  const ranges = choices.map((ofStrength) => {
    const from = next;
    for (const choice of ofStrength) {
      starts.push(next);
      next += choice.reduce((product, column) => product * (sizes[column] ?? 0), sizes[0] ?? 0);
    }
    return [from, next] as const;
  });
  return { starts: Int32Array.from(starts), ranges };
}

/** Every choice of so many of these columns, without that of the subject. */
function choicesOf(strength: number, width: number): readonly (readonly number[])[] {
  if (strength === 0) return [[]];
  return choicesOf(strength - 1, width).flatMap((choice) => {
    const next = 1 + (choice.at(-1) ?? 0);
    return Array.from({ length: width - next }, (_, index) => [...choice, next + index]);
  });
}
