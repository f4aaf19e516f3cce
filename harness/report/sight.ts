import type { Contract } from '../contract/contract.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { Plan } from '../plan/plan.ts';
import { STRENGTHS, type Strength } from '../plan/strength/combinations.ts';
import { isolatedCases } from '../plan/strength/isolation.ts';
import { percentOf, type Seen, seenBy } from '../plan/strength/seen.ts';

/** How much of the faults that depend on so many values a run saw (docs/proof.md). */
export interface ReportedSight {
  readonly values: Strength;
  /** The combinations of so many values that can occur beside a rule with the tokens at hand. */
  readonly combinations: number;
  /** How many of them were sent and answered, in a case that shows the rule. */
  readonly seen: number;
  readonly percent: number;
}

/** What a run saw, of what it could see with the tokens at hand. It takes a tenth of a second. */
export function sightOf(contract: Contract, { plan, verdicts }: Pick<JudgedRun, 'plan' | 'verdicts'>) {
  const decided = verdicts.filter(({ sent, verdict }) => sent > 0 && verdict !== 'inconclusive');
  return reportSight(seenOf(contract, plan, new Set(decided.map(({ case: { id } }) => id))));
}

/** What cases can see, of what the tokens of a plan can show. */
export function seenOf(contract: Contract, plan: Plan, sent: ReadonlySet<string>): Seen {
  return seenBy(isolatedCases(contract, plan.canSend), sent);
}

export function reportSight(seen: Seen): readonly ReportedSight[] {
  return STRENGTHS.map((values) => ({
    values,
    combinations: seen[values].all,
    seen: seen[values].seen,
    percent: percentOf(seen[values]),
  }));
}

/** `100 % of faults that depend on one value, 60 % of two, 37 % of three`. */
export function sightInWords(sight: readonly ReportedSight[]): string {
  const words = ['one value', 'two', 'three'];
  const [first, ...others] = sight.map(({ percent, values }) => ({ percent, words: words[values - 1] }));
  if (!first) return 'nothing';
  return [
    `${first.percent} % of faults that depend on ${first.words}`,
    ...others.map(({ percent, words: on }) => `${percent} % of ${on}`),
  ].join(', ');
}

/** What a narrowed run does not see: `97 % of faults that depend on one value, 99 % of two`. */
export function unseenInWords(sight: readonly ReportedSight[]): string {
  return sightInWords(sight.map((one) => ({ ...one, percent: 100 - one.percent })));
}
