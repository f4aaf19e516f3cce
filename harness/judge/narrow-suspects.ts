import type { Suspect } from '../plan/expectation.ts';
import type { Missed } from './conjunction.ts';
import { answerKey } from './same-answer.ts';

/**
 * Narrows the suspects of cases with several faults. A miss with a single suspect proves its requirement broken. A case
 * with several faults is then blamed only on requirements that are proven broken. How a broken rule treats a request
 * with two faults says nothing about the other rule (outcomes 3).
 *
 * A stray message is treated in the same way. With another fault, the wrong answer to a broken rule can have an
 * admitted status, so that only its message is wrong. If the same answer proved that rule broken, the rule is blamed.
 */
export function narrowSuspects(missed: readonly Missed[]): readonly Missed[] {
  const proven = new Map<string, Set<string>>();
  for (const { suspects, verdict } of missed) {
    const [only, ...others] = new Set(suspects.map(({ template }) => template));
    if (only === undefined || others.length > 0) continue;
    proven.set(only, (proven.get(only) ?? new Set()).add(answerKey(verdict.observation)));
  }
  const provenAmong = (suspects: readonly Suspect[]) => suspects.filter(({ template }) => proven.has(template));
  return missed.map((miss) => {
    const { miss: answered, case: planned, observation } = miss.verdict;
    const sameAnswer = planned.expectation.suspects.filter(({ template }) =>
      proven.get(template)?.has(answerKey(observation)),
    );
    const suspects = answered.strayMessage && sameAnswer.length > 0 ? sameAnswer : provenAmong(miss.suspects);
    return suspects.length > 0 ? { ...miss, suspects } : miss;
  });
}
