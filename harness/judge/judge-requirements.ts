import type { Contract, Requirement } from '../contract/contract.ts';
import { type Lack, lackInWords, textOfLack, variableLack } from '../plan/lack.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Finding } from './findings.ts';
import type { CaseVerdict, Verdict } from './judge-cases.ts';

/** What was judged of a run: its cases, the causes of what was wrong, and the decisions of its checks. */
export interface JudgedCases {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly verdicts: readonly CaseVerdict[];
  readonly findings: readonly Finding[];
  readonly decisions: readonly Decision[];
}
/** An `operation/kind` that no case decided a requirement for. */
export interface Undecided {
  readonly unit: string;
  /** A variable to set, or what went wrong. */
  readonly lack: Lack;
  readonly status: 'not-testable' | 'inconclusive';
  /** The baseline lists it as a gap. */
  readonly accepted: boolean;
}
/** What was decided of one requirement. */
export interface RequirementVerdict {
  readonly requirement: Requirement;
  readonly verdict: Verdict;
  /** `operation/kind` units that no case decided, and why. */
  readonly undecided: readonly Undecided[];
  readonly decidedCases: number;
}

/** Never green for want of a decision: what could show it failed for something else. */
const MASKED = 'every case that could show it fails for another requirement';
const UNREAD = 'the body of no answer was read to its end';

interface Unit {
  decided: number;
  observed: number;
  /** What is missing to test it, by its text. */
  readonly missing: Map<string, Lack>;
  readonly lost: Set<string>;
  /** Something that could have shown it failed. */
  masked: boolean;
}

/** What was decided of each requirement, in the order of the ledger. Pure. */
export function judgeRequirements({
  contract,
  plan,
  verdicts,
  findings,
  decisions,
}: JudgedCases): RequirementVerdict[] {
  const units = new Map<string, Map<string, Unit>>();
  const unitOf = (requirement: string, key: string): Unit => {
    const known = units.get(requirement) ?? new Map<string, Unit>();
    units.set(requirement, known);
    const unit = known.get(key) ?? {
      decided: 0,
      observed: 0,
      missing: new Map<string, Lack>(),
      lost: new Set<string>(),
      masked: false,
    };
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
      unit.masked ||= verdict === 'fail' || verdict === 'warn';
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
  for (const { case: found, expectation, status, lack } of plan.undecidable)
    if (status === 'not-testable')
      for (const { requirement } of [...expectation.suspects, ...expectation.silent])
        unitOf(requirement, `${found.values.operation}/${found.values.kind}`).missing.set(textOfLack(lack), lack);
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
    .map((requirement) =>
      judgeRequirement(requirement, units.get(requirement.id) ?? new Map(), worst.get(requirement.id)),
    );
}

function countDecision(unit: Unit, { verdict, detail, variable }: Decision): void {
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
      unit.missing.set(detail, variable === undefined ? lackInWords(detail) : variableLack(variable));
      return;
    case 'inconclusive':
      unit.lost.add(detail);
  }
}

function judgeRequirement(
  requirement: Requirement,
  units: ReadonlyMap<string, Unit>,
  worst: 'fail' | 'warn' | undefined,
): RequirementVerdict {
  const undecided = [...units].flatMap(([unit, { decided, observed, missing, lost, masked }]): Undecided[] => {
    if (decided + observed > 0) return [];
    const nothing = masked && missing.size + lost.size === 0 ? [MASKED] : [];
    return [
      ...[...missing]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, lack]) => ({ unit, lack, status: 'not-testable', accepted: false }) as const),
      ...[...nothing, ...lost]
        .slice(0, 1)
        .map((reason) => ({ unit, lack: lackInWords(reason), status: 'inconclusive', accepted: false }) as const),
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
