import { attributionOf, joined } from '../contract/attribution.ts';
import type { Attribution, Contract } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import type { Cause } from './causes.ts';

/**
 * Adds what checks found. If the matrix has a cause of the same requirement, or of a sibling in the ledger (one sentence
 * for two kinds of token, or for two parts of a target), the decision belongs to that cause. Otherwise it is a new cause,
 * which siblings share.
 */
export function withDecisions(contract: Contract, causes: readonly Cause[], decisions: readonly Decision[]): Cause[] {
  const failed = decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const siblings = new Map(contract.requirements.map(({ id, siblings = [] }) => [id, siblings]));
  const extended = causes.map((cause): Cause => {
    if (cause.verdict === 'inconclusive') return cause;
    const own = new Set(cause.requirements.flatMap((id) => [id, ...(siblings.get(id) ?? [])]));
    const isSame = (id: string) =>
      own.has(id) || (siblings.get(id) ?? []).some((one) => cause.requirements.includes(one));
    const found = failed.filter(({ requirement }) => isSame(requirement));
    const requirements = [...new Set([...cause.requirements, ...found.map(({ requirement }) => requirement)])];
    const attribution = joined([cause.attribution, ...found.map((one) => attributionOfDecision(contract, one))]);
    // A failed check makes the cause a failure, even if the matrix only warns.
    const verdict = found.some((one) => one.verdict === 'fail') ? 'fail' : cause.verdict;
    return { ...cause, requirements, decisions: found, attribution, verdict };
  });
  const known = new Set(extended.flatMap((cause) => (cause.verdict === 'inconclusive' ? [] : cause.requirements)));
  const bySibling = new Map<string, Decision[]>();
  for (const decision of failed) {
    if (known.has(decision.requirement)) continue;
    const [sibling = decision.requirement] = siblings.get(decision.requirement) ?? [];
    bySibling.set(sibling, [...(bySibling.get(sibling) ?? []), decision]);
  }
  return [...extended, ...[...bySibling.values()].map((found) => causeOfDecisions(contract, found))];
}

/** The kind of a decision matters: what is stated of one family of tokens may be interpreted for another. */
export function attributionOfDecision(contract: Contract, decision: Decision): Attribution {
  return attributionOf(contract, decision.requirement, decision);
}

function causeOfDecisions(contract: Contract, found: readonly Decision[]): Cause {
  const requirements = [...new Set(found.map(({ requirement }) => requirement))];
  return {
    verdict: found.some(({ verdict }) => verdict === 'fail') ? 'fail' : 'warn',
    template: requirements[0] ?? '',
    requirements,
    attribution: joined(found.map((one) => attributionOfDecision(contract, one))),
    places: [],
    scattered: 0,
    cases: [],
    decisions: found,
    example: undefined,
  };
}
