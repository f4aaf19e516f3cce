import { type Contract, requirementFor } from '../contract/contract.ts';
import { allSuspects } from '../plan/expectation.ts';
import { unitOf } from '../plan/group.ts';
import { textOfLack } from '../plan/lack.ts';
import type { Undecidable } from '../plan/plan.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import type { Decision } from '../record/exchange.ts';
import type { Finding } from './findings.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { JudgedCases, RequirementVerdict } from './judge-requirements.ts';

/** What an entry may be about: a case, or what a check decided. */
export interface Subject {
  readonly key: string | Decision;
  readonly names: readonly string[];
  readonly requirements: readonly string[];
  /** `untestable`: without it a requirement is undecided; `spare`: untestable, and others decide the same. */
  readonly state: 'fails' | 'warns' | 'untestable' | 'spare' | 'undecided' | 'right';
  readonly unit: string;
  readonly reason: string;
}

/** What was decided of a run, as far as an entry may be about it. */
export interface Decided extends JudgedCases {
  /** What stayed undecided of each requirement. */
  readonly requirements: readonly RequirementVerdict[];
}

export function subjectsOf(input: Decided): readonly Subject[] {
  const { contract, plan, verdicts, findings, decisions } = input;
  const lacking = new Set(
    input.requirements.flatMap(({ requirement, undecided }) =>
      undecided.map(({ unit, lack }) => `${requirement.id} ${unit} ${textOfLack(lack)}`),
    ),
  );
  const blamed = new Map<string, Finding>();
  for (const finding of findings)
    if (finding.verdict !== 'inconclusive') for (const { case: found } of finding.cases) blamed.set(found.id, finding);
  return [
    ...verdicts.map((verdict) => ofCase(contract, verdict, blamed.get(verdict.case.id))),
    ...plan.undecidable.flatMap((found) => (found.status === 'not-testable' ? [untestable(found, lacking)] : [])),
    ...decisions.map(ofDecision),
  ];
}

/** A case that is wrong counts for the requirement that it is blamed on, any other for all that it can decide. */
function ofCase(contract: Contract, { case: found, verdict, reason = '' }: CaseVerdict, finding?: Finding): Subject {
  const { id, values } = found;
  const state = stateOf(verdict);
  const requirements = finding
    ? [requirementFor(finding.template, values.operation)]
    : requirementsAbout(contract, found);
  return { key: id, names: [id], requirements, state, unit: unitOf(values), reason };
}

/** A case that cannot be tested counts for the requirements that nothing else decides there. */
function untestable({ case: { id, values }, expectation, lack }: Undecidable, lacking: ReadonlySet<string>): Subject {
  const reason = textOfLack(lack);
  const all = allSuspects(expectation).map(({ requirement }) => requirement);
  const unit = unitOf(values);
  const needed = all.filter((requirement) => lacking.has(`${requirement} ${unit} ${reason}`));
  const common = { key: id, names: [id], unit, reason };
  return needed.length > 0
    ? { ...common, requirements: needed, state: 'untestable' }
    : { ...common, requirements: all, state: 'spare' };
}

function ofDecision(decision: Decision): Subject {
  const { check, requirement, verdict, detail } = decision;
  const unit = unitOf(decision);
  const names = [check, `${check}/${unit}`];
  return { key: decision, names, requirements: [requirement], state: stateOf(verdict), unit, reason: detail };
}

function stateOf(verdict: CaseVerdict['verdict']): Subject['state'] {
  switch (verdict) {
    case 'fail':
      return 'fails';
    case 'warn':
      return 'warns';
    case 'not-testable':
    case 'not-applicable':
      return 'untestable';
    case 'inconclusive':
      return 'undecided';
    case 'pass':
    case 'observed':
      return 'right';
  }
}
