import { amount } from '../contract/amounts.ts';
import { attributionOf } from '../contract/attribution.ts';
import { cites } from '../contract/citing-rules.ts';
import type { Contract, Requirement, Rule, When } from '../contract/contract.ts';
import { citedSections } from '../contract/sections.ts';
import { describeOutcome } from '../judge/miss.ts';
import { allSuspects } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { casesAtFull } from '../plan/requirements-about.ts';
import { sectionLines } from '../render/step-lines.ts';
import { aboutCase, type ExplainContext, type Row, type Section, section, sectionIfAny } from './explain-case.ts';

export function aboutRequirement(context: ExplainContext, requirement: Requirement): Section[] {
  const { contract } = context;
  const { id, source, level, text, excluded } = requirement;
  const head = section(`Requirement ${id}`, []);
  if (excluded !== undefined) return [head, section('Why the suite does not test it', [[source, excluded]])];
  const rules = contract.rules.refusals.filter((rule) => cites(contract.operations, id, rule));
  const messages = Object.values(contract.rules.messages).filter((message) => message.requirement === id);
  const inCore = context.coreAbout(id);
  const [example] = [...inCore].sort((a, b) => a.deviations - b.deviations || shareOf(id, b) - shareOf(id, a));
  const decidingChecks = contract.checks.filter(({ requirements }) => requirements.includes(id));
  return [
    head,
    section('What it demands', [[source, `${text} (${level})`], ...supportOf(contract, requirement)]),
    ...sectionIfAny('The specification', sectionLines(citedSections(contract.sections, source))),
    ...sectionIfAny(
      'Rules',
      rules.flatMap((rule) => aboutRule(contract, rule)),
    ),
    ...sectionIfAny(
      'The message, which must be a whole line',
      messages.map((message) => message.text),
    ),
    section('What decides it', [
      ['cases', `${amount(casesAtFull(contract)[id] ?? 0)} at depth full, ${amount(inCore.length)} at depth core`],
      ...decidingChecks.map((check): Row => ['check', `${check.id}: ${check.title}`]),
    ]),
    ...(example ? [section('Example', []), ...aboutCase(context, example)] : []),
  ];
}

/** The share that a requirement has in a case: 1 if the case is about nothing else, which makes it the best example. */
function shareOf(id: string, { expectation }: PlannedCase): number {
  const suspects = allSuspects(expectation);
  return suspects.some(({ requirement }) => requirement === id) ? 1 / suspects.length : 0;
}

/** Whether the requirement is stated, or how it is interpreted; also where that differs between kinds of token. */
function supportOf(contract: Contract, { id, interpreted }: Requirement): readonly Row[] {
  const { basis, reason } = attributionOf(contract, id);
  const { when = {}, reason: other = '' } = interpreted ?? {};
  return [
    [basis, reason ?? 'as the specification says it'],
    ...(interpreted ? [['interpreted', `${conditionsOf(when)}: ${other}`] as const] : []),
  ];
}

function conditionsOf(when: When): string {
  const conditions = Object.entries(when).map(([aspect, value]) => `${aspect} is ${[value].flat().join(' or ')}`);
  return `if ${conditions.join(' and ')}`;
}

export function aboutRule(contract: Contract, rule: Rule): readonly Row[] {
  const admitted =
    rule.outcome === undefined
      ? `left open, never ${rule.never.join(', ')}`
      : `${outcomesIn(contract, rule)} (${rule.basis})`;
  const reason = rule.silent ?? rule.reason;
  return [[rule.id, `${conditionsOf(rule.when)}: ${admitted}`], ...(reason === undefined ? [] : [reason])];
}

export function outcomesIn(contract: Contract, { outcome = [] }: Rule): string {
  return outcome.map((one) => describeOutcome(contract, one)).join('; or ');
}
