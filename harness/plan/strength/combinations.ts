import type { Contract, Values } from '../../contract/contract.ts';
import type { Catalogue } from '../../settings/catalogue.ts';
import { type Case, differing, exclusionOf, makeCase, neutralCase, unitsIn } from '../case.ts';
import { faultsOf } from '../expectation.ts';
import { type Factors, factorsOf } from '../product.ts';
import { cheapestFirst, STAGES, stageOf } from './cost.ts';
import type { Isolated } from './isolation.ts';
import type { Numbering, Strength } from './numbering.ts';

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
  count(strength: Strength): Count;
}
export interface Count {
  readonly seen: number;
  readonly all: number;
}

/** The weight of a combination that one case alone shows. One that two cases show has half of it, and so on. */
const RAREST = 60;

/**
 * @param known every case that can be sent. The combinations that occur in them are all that can be seen.
 * @param strengths of the combinations that are counted, in ascending order.
 * @param numbering of these cases, and perhaps of others. Tables can share it.
 */
export function createCombinations(
  known: readonly Isolated[],
  strengths: readonly Strength[],
  numbering: Numbering,
): Combinations {
  const most = strengths.at(-1) ?? 1;
  const [from] = numbering.range(strengths[0] ?? 1);
  const [, to] = numbering.range(most);
  const times = new Uint16Array(to);
  /** The number of cases in which it occurs, and of those of which nothing is left open. */
  const [occurring, clear] = [new Uint16Array(to), new Uint16Array(to)];

  for (const one of known) {
    const numbers = numbering.numbersOf(one, most);
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] ?? 0;
      occurring[number] = (occurring[number] ?? 0) + 1;
      if (one.isClear) clear[number] = (clear[number] ?? 0) + 1;
    }
  }
  const shownBy = (isolated: Isolated): readonly number[] => {
    const numbers = numbering.numbersOf(isolated, most);
    const shown: number[] = [];
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at] ?? 0;
      if (number >= from && (isolated.isClear || clear[number] === 0)) shown.push(number);
    }
    return shown;
  };

  return {
    add(isolated) {
      for (const number of shownBy(isolated)) times[number] = (times[number] ?? 0) + 1;
    },
    remove(isolated) {
      for (const number of shownBy(isolated)) times[number] = (times[number] ?? 0) - 1;
    },
    gain(isolated) {
      let gain = 0;
      for (const number of shownBy(isolated))
        if (times[number] === 0) gain += Math.max(1, Math.round(RAREST / (clear[number] || occurring[number] || 1)));
      return gain;
    },
    isRedundant: (isolated) => shownBy(isolated).every((number) => (times[number] ?? 0) > 1),
    count(strength) {
      const [first, end] = numbering.range(strength);
      let [seen, all] = [0, 0];
      for (let number = first; number < end; number += 1) {
        if (!occurring[number]) continue;
        all += 1;
        if (times[number]) seen += 1;
      }
      return { seen, all };
    },
  };
}

/**
 * One case for each pair of documented faults (`faults` in matrix.yaml): the cheapest one that breaks both requirements
 * and no other, with the tokens that a run is likeliest to have. A check of one must not disable the check of the other, whatever the order of the checks.
 */
export function pairsOfFaults(catalogue: Catalogue): readonly Case[] {
  const { contract } = catalogue;
  const candidates = unitsIn(contract).flatMap((unit) =>
    doubleFaults(contract, neutralCase(contract, unit.operation, unit.kind).values, factorsOf(contract, unit)),
  );
  const pairs = new Map<string, Case>();
  const likeliest = cheapestFirst(catalogue, candidates)
    .map((candidate) => ({ candidate, stage: STAGES.indexOf(stageOf(catalogue, candidate.values)) }))
    .sort((a, b) => a.stage - b.stage);
  for (const { candidate } of likeliest) {
    const pair = requirementsOf(contract, candidate.values).sort().join(' ');
    if (!pairs.has(pair)) pairs.set(pair, candidate);
  }
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
}

/** Every case of the product that differs from the neutral one in two dimensions, and each difference is a fault. */
function doubleFaults(contract: Contract, neutral: Values, factors: Factors): readonly Case[] {
  const { faults } = contract.matrix.depths.core;
  const isDocumented = (values: Values) => faultsOf(contract, values).some(({ id }) => faults.includes(id));
  const single = [...factors]
    .flatMap(([dimension, all]) => all.map((value) => makeCase(contract, { ...neutral, [dimension]: value }).values))
    .filter(isDocumented);
  return single.flatMap((first, index) =>
    single.slice(index + 1).flatMap((second) => {
      const both = { ...second, ...changes(contract, neutral, first) };
      const found = makeCase(contract, both);
      const isPair = requirementsOf(contract, found.values).length === 2;
      return isPair && exclusionOf(contract.matrix.exclusions, found.values) === undefined ? [found] : [];
    }),
  );
}

function changes(contract: Contract, neutral: Values, values: Values): Readonly<Record<string, string>> {
  const different = differing(contract, neutral, values);
  return Object.fromEntries(different.map((dimension) => [dimension, values[dimension] ?? '']));
}

function requirementsOf(contract: Contract, values: Values): string[] {
  return [...new Set(faultsOf(contract, values).map(({ requirement }) => requirement))];
}
