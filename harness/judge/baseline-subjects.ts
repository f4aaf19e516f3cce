import { type Contract, requirementFor } from '../contract/contract.ts';
import { textOfLack, unitOf } from '../plan/case.ts';
import { allSuspects } from '../plan/expectation.ts';
import type { Undecidable } from '../plan/plan.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import type { Decision } from '../record/exchange.ts';
import { blamedFor } from './causes-of-checks.ts';
import type { Finding } from './findings.ts';
import type { CaseVerdict, Verdict } from './judge-cases.ts';
import type { RequirementVerdict } from './judge-requirements.ts';
import type { JudgedCases } from './tallies.ts';

/** What a baseline entry can list: a case, or a decision of a check. */
export interface Subject {
  readonly key: string | Decision;
  readonly names: readonly string[];
  readonly requirements: readonly string[];
  /** `untestable`: it stays undecided for that. `not-needed`: it is not testable either, but other cases decide the same. */
  readonly state: 'fails' | 'warns' | 'untestable' | 'not-needed' | 'undecided' | 'right';
  readonly unit: string;
  readonly reason: string;
}

/** Everything in a judged run that a baseline entry can list. */
export interface Decided extends JudgedCases {
  readonly requirements: readonly RequirementVerdict[];
}

export function subjectsOf(input: Decided): readonly Subject[] {
  const { contract, plan, verdicts, findings, decisions } = input;
  const lacking = new Set(
    input.requirements.flatMap(({ requirement, undecided }) =>
      undecided.map(({ unit, lack }) => `${requirement.id} ${unit} ${textOfLack(lack)}`),
    ),
  );
  const blamed = new Map<string | Decision, Finding>();
  for (const finding of findings) {
    for (const decision of finding.decisions) blamed.set(decision, finding);
    if (finding.verdict !== 'inconclusive') for (const { case: found } of finding.cases) blamed.set(found.id, finding);
  }
  return [
    ...verdicts.map((verdict) => ofCase(contract, verdict, blamed.get(verdict.case.id))),
    ...plan.undecidable.flatMap((found) => (found.status === 'not-testable' ? [untestable(found, lacking)] : [])),
    ...decisions.map((decision) => ofDecision(decision, blamed.get(decision))),
  ];
}

/** A wrong case counts for the requirement that is blamed, any other case for all requirements that it can decide. */
function ofCase(contract: Contract, { case: found, verdict, reason = '' }: CaseVerdict, finding?: Finding): Subject {
  const { id, values } = found;
  const state = STATES[verdict];
  const requirements = finding
    ? [requirementFor(finding.template, values.operation)]
    : requirementsAbout(contract, found);
  return { key: id, names: [id], requirements, state, unit: unitOf(values), reason };
}

/** An untestable case counts for the requirements that no other case decides in its unit. */
function untestable({ case: { id, values }, expectation, lack }: Undecidable, lacking: ReadonlySet<string>): Subject {
  const reason = textOfLack(lack);
  const all = allSuspects(expectation).map(({ requirement }) => requirement);
  const unit = unitOf(values);
  const needed = all.filter((requirement) => lacking.has(`${requirement} ${unit} ${reason}`));
  const common = { key: id, names: [id], unit, reason };
  return needed.length > 0
    ? { ...common, requirements: needed, state: 'untestable' }
    : { ...common, requirements: all, state: 'not-needed' };
}

function ofDecision(decision: Decision, finding?: Finding): Subject {
  const { check, requirement, verdict, detail } = decision;
  const unit = unitOf(decision);
  const names = [check, `${check}/${unit}`];
  const requirements = finding ? blamedFor(finding.requirements, decision) : [requirement];
  return { key: decision, names, requirements, state: STATES[verdict], unit, reason: detail };
}

const STATES: Readonly<Record<Verdict, Subject['state']>> = {
  fail: 'fails',
  warn: 'warns',
  'not-testable': 'untestable',
  'not-applicable': 'untestable',
  inconclusive: 'undecided',
  pass: 'right',
  observed: 'right',
};
