import type { Suspect } from '../plan/expectation.ts';
import type { Missed } from './conjunction.ts';
import { answerKey } from './same-answer.ts';

/**
 * A case with a single fault convicts its requirement; a case with several is then blamed on the convicted among them:
 * what a broken rule makes of a request with two faults says nothing against the other rule. Nor does it where the same
 * wrong answer happens to be wrong for its message only, since the fault beside admits its status.
 */
export function convict(missed: readonly Missed[]): readonly Missed[] {
  const convicted = new Map<string, Set<string>>();
  for (const { suspects, verdict } of missed) {
    const [only, ...others] = new Set(suspects.map(({ template }) => template));
    if (only === undefined || others.length > 0) continue;
    convicted.set(only, (convicted.get(only) ?? new Set()).add(answerKey(verdict.observation)));
  }
  const guilty = (suspects: readonly Suspect[]) => suspects.filter(({ template }) => convicted.has(template));
  return missed.map((miss) => {
    const alike = guilty(miss.verdict.case.expectation.suspects).filter(({ template }) =>
      convicted.get(template)?.has(answerKey(miss.verdict.observation)),
    );
    const narrowed = miss.verdict.miss.strayMessage && alike.length > 0 ? alike : guilty(miss.suspects);
    return narrowed.length > 0 ? { ...miss, suspects: narrowed } : miss;
  });
}
