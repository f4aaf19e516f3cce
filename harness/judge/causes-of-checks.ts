import type { Contract } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import type { Cause } from './causes.ts';

/**
 * What a check found belongs to the cause that the matrix found for the same requirement, or is one of its own. Siblings
 * of the ledger, one sentence for two kinds of token, are one cause where both are missed.
 */
export function withDecisions(
  { requirements }: Contract,
  causes: readonly Cause[],
  decisions: readonly Decision[],
): Cause[] {
  const failed = decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const folded = causes.map((cause): Cause => {
    if (cause.verdict === 'inconclusive') return cause;
    const found = failed.filter(({ requirement }) => cause.requirements.includes(requirement));
    // What a check saw broken is broken, however mild the matrix found it.
    return { ...cause, decisions: found, ...(found.some(({ verdict }) => verdict === 'fail') && { verdict: 'fail' }) };
  });
  const known = new Set(folded.flatMap((cause) => (cause.verdict === 'inconclusive' ? [] : cause.requirements)));
  const siblings = new Map(requirements.map(({ id, sibling }) => [id, sibling ?? id]));
  const own = new Map<string, Decision[]>();
  for (const decision of failed) {
    const family = siblings.get(decision.requirement) ?? decision.requirement;
    if (!known.has(decision.requirement)) own.set(family, [...(own.get(family) ?? []), decision]);
  }
  return [...folded, ...[...own.values()].map(causeOfDecisions)];
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
