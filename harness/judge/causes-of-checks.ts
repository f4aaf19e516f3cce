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
  const subjectOf = subjectsOf(failed);
  const siblings = new Map(contract.requirements.map(({ id, siblings = [] }) => [id, siblings]));
  const extended = causes.map((cause): Cause => {
    if (cause.verdict === 'inconclusive') return cause;
    const own = new Set(cause.requirements.flatMap((id) => [id, ...(siblings.get(id) ?? [])]));
    const isSame = (id: string) => own.has(id) || (siblings.get(id) ?? []).some((one) => own.has(one));
    const found = failed.filter((decision) => isSame(subjectOf(decision)));
    const requirements = [...new Set([...cause.requirements, ...found.map(({ requirement }) => requirement)])];
    const attribution = joined([cause.attribution, ...found.map((one) => attributionOfDecision(contract, one))]);
    // A failed check makes the cause a failure, even if the matrix only warns.
    const verdict = found.some((one) => one.verdict === 'fail') ? 'fail' : cause.verdict;
    return { ...cause, requirements, decisions: found, attribution, verdict };
  });
  const explained = new Set(extended.flatMap((cause) => cause.decisions));
  const bySibling = new Map<string, Decision[]>();
  for (const decision of failed) {
    if (explained.has(decision)) continue;
    const subject = subjectOf(decision);
    const [sibling = subject] = siblings.get(subject) ?? [];
    bySibling.set(sibling, [...(bySibling.get(sibling) ?? []), decision]);
  }
  return [...extended, ...[...bySibling.values()].map((found) => causeOfDecisions(contract, found))];
}

/**
 * Maps each decision to the requirement that its fault is about. A check may decide two requirements by one wrong answer:
 * one advice, and that the reference service follows all advice. The first of the two names the fault.
 */
function subjectsOf(decisions: readonly Decision[]): (decision: Decision) => string {
  // Without a step that broke it, only decisions on the same requirement can be about the same answer.
  const answerOf = ({ check, operation, kind, broke, detail, requirement }: Decision) =>
    JSON.stringify([check, operation, kind, broke ?? requirement, detail]);
  const byAnswer = new Map<string, string>();
  for (const decision of decisions)
    if (!byAnswer.has(answerOf(decision))) byAnswer.set(answerOf(decision), decision.requirement);
  return (decision) => byAnswer.get(answerOf(decision)) ?? decision.requirement;
}

/** The verdict of a cause on each of its requirements. Checks may only warn about one of them while another one fails. */
export function blamedIn({ verdict, requirements, cases, decisions }: Cause) {
  return requirements.map((requirement) => {
    const isOfCases = cases.some(({ miss }) => miss?.suspects.some((one) => one.requirement === requirement));
    const said = decisions
      .filter((decision) => decision.requirement === requirement)
      .map((decision) => decision.verdict);
    const onlyWarned = said.includes('warn') && !said.includes('fail') && !isOfCases;
    return { requirement, verdict: onlyWarned ? 'warn' : verdict };
  });
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
