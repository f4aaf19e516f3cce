import type { Contract } from '../../harness/contract/contract.ts';
import type { Case } from '../../harness/plan/case.ts';
import { expect as consult } from '../../harness/plan/expectation.ts';
import { casesAt } from '../../harness/testing/contract.ts';
import { rule, texts } from '../proof/second-oracle.ts';

export const cases = casesAt('full');

/** What rules.yaml says about a case, in the form of the second oracle. */
function rulingOfRules({ rules, ...rest }: Contract, { values }: Case): string {
  const { kind, admissible, messages } = consult({ ...rest, rules }, values);
  const text = (id: string) => rules.messages[id]?.text ?? id;
  const outcomes = admissible.flatMap(({ outcome: { status, message, verdict } }) =>
    [status].flat().map((one) => ({
      status: verdict ? `${one}, a warning` : String(one),
      ...(Array.isArray(message) && { texts: message.map(text) }),
      ...(message === 'none' && { silent: true }),
    })),
  );
  return canonical(kind !== 'refuse', outcomes, [...messages].map(text));
}

function rulingOfSecondOracle({ values }: Case): string {
  const { success, refusals } = rule(values);
  return canonical(success, refusals, texts(values));
}

function canonical(success: boolean, outcomes: readonly object[], messages: readonly string[]): string {
  const sorted = [...new Set(outcomes.map((outcome) => JSON.stringify({ texts: [], ...outcome })))].sort();
  return `${success ? 'success' : 'refusal'} ${sorted.join(' ')} messages: ${[...messages].sort().join(', ')}`;
}

const secondRulings = new Map(cases.map((found) => [found.id, rulingOfSecondOracle(found)]));

/** The cases of which rules.yaml and the second oracle do not say the same. */
export function disagreements(contract: Contract, among: readonly Case[] = cases): readonly Case[] {
  return among.filter((found) => rulingOfRules(contract, found) !== secondRulings.get(found.id));
}
