import type { Contract } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import type { Cause } from './causes.ts';

/**
 * Adds what checks found. If the matrix has a cause of the same requirement, the decision belongs to that cause.
 * Otherwise it is a new cause. Siblings in the ledger (one sentence for two kinds of token) share a cause.
 */
export function withDecisions(
  { requirements }: Contract,
  causes: readonly Cause[],
  decisions: readonly Decision[],
): Cause[] {
  const failed = decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const extended = causes.map((cause): Cause => {
    if (cause.verdict === 'inconclusive') return cause;
    const found = failed.filter(({ requirement }) => cause.requirements.includes(requirement));
    // A failed check makes the cause a failure, even if the matrix only warns.
    return { ...cause, decisions: found, ...(found.some(({ verdict }) => verdict === 'fail') && { verdict: 'fail' }) };
  });
  const known = new Set(extended.flatMap((cause) => (cause.verdict === 'inconclusive' ? [] : cause.requirements)));
  const siblings = new Map(requirements.map(({ id, sibling }) => [id, sibling ?? id]));
  const bySibling = new Map<string, Decision[]>();
  for (const decision of failed) {
    if (known.has(decision.requirement)) continue;
    const sibling = siblings.get(decision.requirement) ?? decision.requirement;
    bySibling.set(sibling, [...(bySibling.get(sibling) ?? []), decision]);
  }
  return [...extended, ...[...bySibling.values()].map(causeOfDecisions)];
}

function causeOfDecisions(found: readonly Decision[]): Cause {
  const requirements = [...new Set(found.map(({ requirement }) => requirement))];
  return {
    verdict: found.some(({ verdict }) => verdict === 'fail') ? 'fail' : 'warn',
    template: requirements[0] ?? '',
    requirements,
    basis: 'stated',
    places: [],
    scattered: 0,
    cases: [],
    decisions: found,
    example: undefined,
  };
}
