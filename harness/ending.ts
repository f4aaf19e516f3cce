import type { Contract, Requirement } from './contract.ts';
import type { Finding } from './findings.ts';
import type { Decision } from './journal.ts';
import type { Plan } from './plan.ts';
import type { Claims } from './settings.ts';
import type { CaseVerdict, Verdict } from './verdicts.ts';

export const ENDINGS = ['conforms', 'partial', 'deviates', 'inconclusive', 'incomplete'] as const;
export type Ending = (typeof ENDINGS)[number];
/** The exit code of each way to end; 2 is a configuration error and 130 an interruption (OUTCOMES 4). */
export const EXIT_CODES: Readonly<Record<Ending, number>> = {
  conforms: 0,
  partial: 0,
  deviates: 1,
  inconclusive: 3,
  incomplete: 4,
};

/** An `operation/kind` that no cell decided a requirement for. */
export interface Undecided {
  readonly unit: string;
  readonly reason: string;
  readonly status: 'not-testable' | 'inconclusive';
}
/** What was decided of one requirement. */
export interface RequirementVerdict {
  readonly requirement: Requirement;
  readonly verdict: Verdict;
  /** `operation/kind` units that no cell decided, and why: a variable to set, or what went wrong. */
  readonly undecided: readonly Undecided[];
  readonly decidedCases: number;
}
export interface EndingInput {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly verdicts: readonly CaseVerdict[];
  readonly findings: readonly Finding[];
  readonly decisions: readonly Decision[];
  readonly narrowed: boolean;
  /** Why the run ended before its end; what is cut short never conforms. */
  readonly stopped?: string | undefined;
}
export interface RunVerdict {
  readonly ending: Ending;
  readonly requirements: readonly RequirementVerdict[];
}

const UNREAD = 'the body of no answer was read to its end';

interface Unit {
  decided: number;
  observed: number;
  readonly missing: Set<string>;
  readonly lost: Set<string>;
}

/** The verdict on each requirement and on the run. Pure. */
export function concludeRun(input: EndingInput): RunVerdict {
  const requirements = concludeRequirements(input);
  const has = (verdict: Verdict) => requirements.some((requirement) => requirement.verdict === verdict);
  const undecided = (status: 'not-testable' | 'inconclusive') =>
    requirements.some((r) => r.undecided.some((unit) => unit.status === status));
  if (has('fail')) return { ending: 'deviates', requirements };
  if (undecided('inconclusive') || input.stopped !== undefined) return { ending: 'inconclusive', requirements };
  if (input.narrowed) return { ending: 'partial', requirements };
  return { ending: undecided('not-testable') ? 'incomplete' : 'conforms', requirements };
}

/** The line a run ends with, naming what the target claims. */
export function endingLine({ ending }: RunVerdict, claims: Claims): string {
  const named = [...claims.kinds.map((kind) => kind.toLowerCase()), ...claims.capabilities].join(' ');
  const how = claims.inferred ? 'inferred from the variables that are set' : 'as CONFORMANCE_CLAIMS states';
  switch (ending) {
    case 'conforms':
      return `conforms: ${named} (claims ${how})`;
    case 'partial':
      return 'partial: nothing deviates';
    case 'deviates':
      return 'deviates';
    case 'inconclusive':
      return 'inconclusive: something claimed stayed undecided';
    case 'incomplete':
      return 'incomplete: something claimed cannot be tested with the variables that are set';
  }
}

function concludeRequirements({ contract, plan, verdicts, findings, decisions }: EndingInput): RequirementVerdict[] {
  const units = new Map<string, Map<string, Unit>>();
  const unitOf = (requirement: string, key: string): Unit => {
    const known = units.get(requirement) ?? new Map<string, Unit>();
    units.set(requirement, known);
    const unit = known.get(key) ?? { decided: 0, observed: 0, missing: new Set<string>(), lost: new Set<string>() };
    known.set(key, unit);
    return unit;
  };
  for (const { case: planned, verdict, reason = 'not decided', satisfied, unread = [] } of verdicts) {
    const { values, expectation } = planned;
    const key = `${values.operation}/${values.kind}`;
    const isLost = verdict === 'inconclusive';
    for (const { requirement } of [...expectation.suspects, ...expectation.silent]) {
      const unit = unitOf(requirement, key);
      if (isLost) unit.lost.add(reason);
    }
    for (const { requirement } of expectation.silent) unitOf(requirement, key).observed += isLost ? 0 : 1;
    for (const requirement of satisfied) unitOf(requirement, key).decided += 1;
    for (const requirement of unread) unitOf(requirement, key).lost.add(UNREAD);
  }
  for (const finding of findings)
    for (const { case: planned } of finding.cases)
      if (finding.verdict !== 'inconclusive')
        for (const requirement of finding.requirements)
          unitOf(requirement, `${planned.values.operation}/${planned.values.kind}`).decided += 1;
  for (const { case: found, expectation, status, reason } of plan.undecidable)
    if (status === 'not-testable')
      for (const { requirement } of [...expectation.suspects, ...expectation.silent])
        unitOf(requirement, `${found.values.operation}/${found.values.kind}`).missing.add(reason);
  for (const decision of decisions)
    countDecision(unitOf(decision.requirement, `${decision.operation}/${decision.kind}`), decision);
  const worst = new Map<string, 'fail' | 'warn'>();
  const blame = (requirement: string, verdict: string) => {
    if (verdict === 'fail' || (verdict === 'warn' && !worst.has(requirement))) worst.set(requirement, verdict);
  };
  for (const { requirements, verdict } of findings) for (const requirement of requirements) blame(requirement, verdict);
  for (const { requirement, verdict } of decisions) blame(requirement, verdict);
  return contract.requirements
    .filter(({ excluded }) => excluded === undefined)
    .map((requirement) => concludeOne(requirement, units.get(requirement.id) ?? new Map(), worst.get(requirement.id)));
}

function countDecision(unit: Unit, { verdict, detail }: Decision): void {
  switch (verdict) {
    case 'pass':
    case 'fail':
    case 'warn':
      unit.decided += 1;
      return;
    case 'observed':
      unit.observed += 1;
      return;
    case 'not-testable':
      unit.missing.add(detail);
      return;
    case 'inconclusive':
      unit.lost.add(detail);
  }
}

function concludeOne(
  requirement: Requirement,
  units: ReadonlyMap<string, Unit>,
  worst: 'fail' | 'warn' | undefined,
): RequirementVerdict {
  const undecided = [...units].flatMap(([unit, { decided, observed, missing, lost }]): Undecided[] => {
    if (decided + observed > 0) return [];
    return [
      ...[...missing].sort().map((reason) => ({ unit, reason, status: 'not-testable' }) as const),
      ...[...lost].slice(0, 1).map((reason) => ({ unit, reason, status: 'inconclusive' }) as const),
    ];
  });
  const all = [...units.values()];
  const decidedCases = all.reduce((sum, { decided }) => sum + decided, 0);
  const verdict = (): Verdict => {
    if (worst === 'fail') return 'fail';
    if (undecided.some(({ status }) => status === 'inconclusive')) return 'inconclusive';
    if (undecided.length > 0) return 'not-testable';
    if (worst === 'warn') return 'warn';
    if (decidedCases > 0) return 'pass';
    return all.some(({ observed }) => observed > 0) ? 'observed' : 'not-applicable';
  };
  return { requirement, verdict: verdict(), undecided, decidedCases };
}
