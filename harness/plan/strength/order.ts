import type { Contract } from '../../contract/contract.ts';
import type { Group } from '../plan.ts';
import { type Combinations, createCombinations } from './combinations.ts';
import { type Isolated, isolationOf } from './isolation.ts';

/** A group that waits, with what each of its requests would add on average when it was last asked. */
interface Waiting {
  readonly group: Group;
  readonly shown: readonly Isolated[];
  readonly isGrave: boolean;
  rate: number;
}

/**
 * Orders groups by what each of their requests adds to what is seen, so that a run that is cut short has seen most.
 * Among equals, a requirement comes first that keeps the data of one person from another.
 */
export function mostTellingFirst(contract: Contract, groups: readonly Group[]): readonly Group[] {
  const grave = new Set(contract.requirements.flatMap(({ id, grave: is }) => (is ? [id] : [])));
  const waiting = groups.map(
    (group): Waiting => ({
      group,
      shown: group.cases.flatMap((one) => isolationOf(contract, one) ?? []),
      isGrave: group.cases.some(({ expectation }) => expectation.suspects.some((one) => grave.has(one.requirement))),
      rate: Number.POSITIVE_INFINITY,
    }),
  );
  const combinations = createCombinations(
    waiting.flatMap(({ shown }) => shown),
    [2],
  );
  const ordered: Group[] = [];
  while (waiting.length > 0) {
    // A rate never grows. So the first group whose rate stays the largest when it is asked again is the best.
    waiting.sort((a, b) => b.rate - a.rate || Number(b.isGrave) - Number(a.isGrave));
    const [first, second] = waiting;
    if (!first) break;
    first.rate = rateOf(combinations, first);
    if (second && first.rate < second.rate) continue;
    for (const one of first.shown) combinations.add(one);
    ordered.push(first.group);
    waiting.shift();
  }
  return ordered;
}

function rateOf(combinations: Combinations, { group, shown }: Waiting): number {
  let gain = 0;
  for (const one of shown) {
    gain += combinations.gain(one);
    combinations.add(one);
  }
  for (const one of shown) combinations.remove(one);
  return gain / Math.max(1, group.cases.length);
}
