import type { Contract } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import { unitOf } from '../plan/group.ts';
import type { Missed } from './conjunction.ts';
import { answerKey, outcomeOf } from './same-answer.ts';

/**
 * Narrows the suspects of cases with several faults. A miss with a single suspect proves its requirement broken. A case
 * with several faults is then blamed only on requirements that are proven broken. How a broken rule treats a request
 * with two faults says nothing about the other rule (outcomes 3).
 *
 * A stray message is treated in the same way. With another fault, the wrong answer to a broken rule can have an
 * admitted status, so that only its message is wrong. If the same answer proved that rule broken, the rule is blamed.
 */
export function narrowSuspects(contract: Contract, all: readonly Missed[]): readonly Missed[] {
  const missed = withoutFollowers(contract, all);
  const proven = new Map<string, Set<string>>();
  for (const { suspects, verdict } of missed) {
    const templates = new Set(suspects.map(({ template }) => template));
    if (templates.size > 1) continue;
    for (const only of templates) proven.set(only, (proven.get(only) ?? new Set()).add(answerKey(verdict.observation)));
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

/**
 * Blames a requirement's sibling where the same outcome breaks both for one operation and kind: a target that takes a token
 * without a header cannot mind what the header says. That is one fault, and the ledger names the sibling.
 */
function withoutFollowers({ requirements }: Contract, missed: readonly Missed[]): readonly Missed[] {
  const siblings = new Map(requirements.map((requirement) => [requirement.id, requirement.siblings]));
  const keyOf = (requirement: string, { verdict }: Missed) =>
    `${requirement} ${unitOf(verdict.case.values)} ${outcomeOf(verdict.observation)}`;
  const alone = new Map<string, readonly Suspect[]>();
  for (const miss of missed) {
    const blamed = new Set(miss.suspects.map(({ requirement }) => requirement));
    if (blamed.size > 1) continue;
    for (const only of blamed) alone.set(keyOf(only, miss), miss.suspects);
  }
  return missed.map((miss) => {
    const followed = miss.suspects.map(
      ({ requirement }) => siblings.get(requirement)?.flatMap((sibling) => alone.get(keyOf(sibling, miss)) ?? []) ?? [],
    );
    return followed.every(({ length }) => length > 0) ? { ...miss, suspects: followed.flat() } : miss;
  });
}
