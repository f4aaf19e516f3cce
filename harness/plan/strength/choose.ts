import { type Combinations, createCombinations } from './combinations.ts';
import type { Isolated } from './isolation.ts';
import { type Numbering, numberingOf, type Strength } from './numbering.ts';

/** Chooses among `candidates`, which are in the order that decides between equals, so that all they can show is seen. */
export interface Step {
  readonly strength: Strength;
  /** Every case that can be sent, with the candidates. */
  readonly known: readonly Isolated[];
  readonly candidates: readonly Isolated[];
}

/** Adds to what is sent anyway, one step after the other. */
export function chooseInSteps(before: readonly Isolated[], steps: readonly Step[]): readonly Isolated[] {
  const sent = [...before];
  const numbering = numberingOf([...new Set(steps.flatMap(({ known }) => known))]);
  for (const step of steps) sent.push(...choose(sent, step, numbering));
  return sent;
}

function choose(
  before: readonly Isolated[],
  { strength, known, candidates }: Step,
  numbering: Numbering,
): readonly Isolated[] {
  const combinations = createCombinations(known, [strength], numbering);
  const isKnown = new Set(known);
  for (const one of before) if (isKnown.has(one)) combinations.add(one);
  return withoutRedundant(combinations, greedily(combinations, candidates));
}

/**
 * Takes the case with the largest gain until no case adds anything. A gain never grows. So the cases wait in a list for
 * each gain, and a case whose gain has become smaller moves to another list.
 */
function greedily(combinations: Combinations, candidates: readonly Isolated[]): readonly Isolated[] {
  const waiting: number[][] = [];
  const wait = (index: number, gain: number) => {
    if (gain === 0) return;
    waiting[gain] ??= [];
    waiting[gain].push(index);
  };
  for (const [index, one] of candidates.entries()) wait(index, combinations.gain(one));
  const chosen: Isolated[] = [];
  for (let gain = waiting.length - 1; gain > 0; gain -= 1)
    for (const index of (waiting[gain] ?? []).sort((a, b) => a - b)) {
      const one = candidates[index];
      if (!one) continue;
      const now = combinations.gain(one);
      if (now < gain) {
        wait(index, now);
        continue;
      }
      combinations.add(one);
      chosen.push(one);
    }
  return chosen;
}

/** Later choices can make an earlier one superfluous. The last choices add least, so they are tried first. */
function withoutRedundant(combinations: Combinations, chosen: readonly Isolated[]): readonly Isolated[] {
  const kept: Isolated[] = [];
  for (const one of [...chosen].reverse())
    if (combinations.isRedundant(one)) combinations.remove(one);
    else kept.push(one);
  return kept.reverse();
}
