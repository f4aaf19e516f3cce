import { DIMENSIONS } from '../../contract/contract.ts';
import type { Isolated } from './isolation.ts';

/** The numbers of values on which a fault may depend. */
export const STRENGTHS = [1, 2, 3] as const;
export type Strength = (typeof STRENGTHS)[number];

/**
 * Counts combinations: a rule, and as many values beside it as the strength says, each of another dimension. A case
 * shows a combination if it isolates the rule and has the values. If some case shows it and nothing of that case is
 * left open, then only such cases count: a target may refuse the others for what is open.
 */
export interface Combinations {
  /** The case is sent. */
  add(isolated: Isolated): void;
  /** The case is not sent after all. */
  remove(isolated: Isolated): void;
  /** What a case would add: the combinations that no other shows. One that few cases can show counts more. */
  gain(isolated: Isolated): number;
  /** Whether the cases that are sent show the same without this one. */
  isRedundant(isolated: Isolated): boolean;
  count(): Count;
}
export interface Count {
  readonly seen: number;
  readonly all: number;
}

/** The weight of a combination that one case alone shows. One that two cases show has half of it, and so on. */
const RAREST = 60;

/**
 * @param known every case that can be sent. The combinations that occur in them are all that can be seen.
 * @param codes the codes of these cases, and perhaps of others. Tables can share them.
 */
export function createCombinations(
  known: readonly Isolated[],
  strength: Strength,
  codes = codesOf(known),
): Combinations {
  const choices = choicesOf(strength);
  const size = codes.rules * codes.values ** strength;
  const times = new Uint16Array(size);
  /** The number of cases in which it occurs, and of those of which nothing is left open. */
  const [occurring, clear] = [new Uint16Array(size), new Uint16Array(size)];

  const visit = (isolated: Isolated, at: (index: number) => void): void => {
    const [rule = 0, ...values] = codes.of.get(isolated) ?? [];
    for (const choice of choices) {
      let index = rule;
      for (const dimension of choice) index = index * codes.values + (values[dimension] ?? 0);
      at(index);
    }
  };
  const visitShown = (isolated: Isolated, at: (index: number, timesSent: number) => void): void =>
    visit(isolated, (index) => {
      if (isolated.isClear || clear[index] === 0) at(index, times[index] ?? 0);
    });
  for (const one of known)
    visit(one, (index) => {
      occurring[index] = (occurring[index] ?? 0) + 1;
      if (one.isClear) clear[index] = (clear[index] ?? 0) + 1;
    });

  return {
    add: (isolated) =>
      visitShown(isolated, (index, sent) => {
        times[index] = sent + 1;
      }),
    remove: (isolated) =>
      visitShown(isolated, (index, sent) => {
        times[index] = sent - 1;
      }),
    gain(isolated) {
      let gain = 0;
      visitShown(isolated, (index, sent) => {
        if (sent === 0) gain += Math.max(1, Math.round(RAREST / (clear[index] || occurring[index] || 1)));
      });
      return gain;
    },
    isRedundant(isolated) {
      let fewest = Number.POSITIVE_INFINITY;
      visitShown(isolated, (_, sent) => {
        fewest = Math.min(fewest, sent);
      });
      return fewest > 1;
    },
    count() {
      let [seen, all] = [0, 0];
      for (let index = 0; index < size; index += 1) {
        if (!occurring[index]) continue;
        all += 1;
        if (times[index]) seen += 1;
      }
      return { seen, all };
    },
  };
}

/** The number of the rule of each case and of its value in each dimension, so that a table can count combinations. */
export interface Codes {
  readonly of: ReadonlyMap<Isolated, readonly number[]>;
  /** How many rules there are. */
  readonly rules: number;
  /** How many values there are, in all dimensions together. */
  readonly values: number;
}

export function codesOf(known: readonly Isolated[]): Codes {
  const rules = new Map<string, number>();
  const values = DIMENSIONS.map(() => new Map<string, number>());
  let count = 0;
  const of = new Map<Isolated, readonly number[]>();
  for (const one of known) {
    if (!rules.has(one.rule)) rules.set(one.rule, rules.size);
    const code = [rules.get(one.rule) ?? 0];
    for (const [index, dimension] of DIMENSIONS.entries()) {
      const numbers = values[index];
      const value = one.values[dimension];
      if (!numbers?.has(value)) {
        numbers?.set(value, count);
        count += 1;
      }
      code.push(numbers?.get(value) ?? 0);
    }
    of.set(one, code);
  }
  return { of, rules: rules.size, values: count };
}

/** Every choice of so many dimensions, by their index. */
function choicesOf(strength: number): readonly (readonly number[])[] {
  if (strength === 0) return [[]];
  return choicesOf(strength - 1).flatMap((choice) =>
    DIMENSIONS.flatMap((_, index) => (index > (choice.at(-1) ?? -1) ? [[...choice, index]] : [])),
  );
}
