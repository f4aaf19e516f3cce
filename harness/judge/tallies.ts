import type { Contract } from '../contract/contract.ts';
import { type Lack, lackInWords, textOfLack, unitOf, variableLack } from '../plan/case.ts';
import { allSuspects } from '../plan/expectation.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import { requirementsAbout } from '../plan/requirements-about.ts';
import type { Decision } from '../record/exchange.ts';
import type { Finding } from './findings.ts';
import { whyUnread } from './judge-answer.ts';
import type { CaseVerdict } from './judge-cases.ts';
import type { Miss } from './miss.ts';

/** The judged cases of a run, its findings, and the decisions of its checks. */
export interface JudgedCases {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly verdicts: readonly CaseVerdict[];
  readonly findings: readonly Finding[];
  readonly decisions: readonly Decision[];
  /** The documented lists that some answer of the run showed. Others may have been left out because they were empty. */
  readonly listsShown?: ReadonlySet<string> | undefined;
  /** Why the run stopped early. Such a run never conforms. */
  readonly stopped?: string | undefined;
}
/** What was seen of one requirement in one unit, which is an operation and a kind. */
export interface Tally {
  decided: number;
  observed: number;
  /** What is missing to test it, by its text. */
  readonly missing: Map<string, Lack>;
  /** Why answers were lost. */
  readonly lost: Set<string>;
  /** Why answers were lost that might have been about another fault of their case. */
  readonly lostBeside: Set<string>;
  /** Which tokens the target refuses where it must accept them. They leave it undecided, whatever other tokens show. */
  readonly refused: Set<string>;
  /** Who did not find their own document. That leaves a grave requirement undecided, whatever a check passed (outcomes 2). */
  readonly unseen: Set<string>;
  /** A case that could have decided it failed or warned. */
  masked: boolean;
}
/** By requirement, then by unit. */
type Tallies = ReadonlyMap<string, ReadonlyMap<string, Tally>>;
type TallyOf = (requirement: string, unit: string) => Tally;

/** Counts, for each requirement and unit, what cases, findings, checks and untestable cases say. */
export function tallyUp(judged: JudgedCases): Tallies {
  const tallies = new Map<string, Map<string, Tally>>();
  const tallyOf: TallyOf = (requirement, unit) => {
    const units = tallies.get(requirement) ?? new Map<string, Tally>();
    const tally = units.get(unit) ?? emptyTally();
    tallies.set(requirement, units.set(unit, tally));
    return tally;
  };
  for (const verdict of judged.verdicts) countCase(judged.contract, tallyOf, verdict);
  for (const finding of judged.findings)
    if (finding.verdict !== 'inconclusive')
      for (const found of finding.cases)
        for (const requirement of brokenBy(finding, found)) {
          const { case: planned, miss } = found;
          const tally = tallyOf(requirement, unitOf(planned.values));
          const unseen = miss?.leftOut?.find((name) => !judged.listsShown?.has(name));
          if (unseen === undefined) tally.decided += 1;
          else tally.lost.add(neverShown(unseen));
        }
  for (const { case: found, expectation, status, lack } of judged.plan.undecidable)
    if (status !== 'not-applicable')
      for (const { requirement } of allSuspects(expectation)) {
        // A unit that only an optional token shows is counted, and is not undecided (outcomes 3).
        const { missing } = tallyOf(requirement, unitOf(found.values));
        if (status === 'not-testable') missing.set(textOfLack(lack), lack);
      }
  for (const decision of judged.decisions) countDecision(tallyOf(decision.requirement, unitOf(decision)), decision);
  const failed = new Set(judged.decisions.map((one) => one.verdict === 'fail' && `${one.requirement} ${unitOf(one)}`));
  const grave = judged.contract.requirements.filter((one) => one.grave).map(({ id }) => id);
  for (const { unseen, detail, ...decision } of judged.decisions) {
    const unit = unitOf(decision);
    if (unseen)
      for (const id of grave) if (!failed.has(`${id} ${unit}`)) tallies.get(id)?.get(unit)?.unseen.add(detail);
  }
  return tallies;
}

/**
 * What a case of a finding breaks itself. If that is only what is wrong with its control, what other cases of the finding break in
 * its unit, or else all of it.
 */
function brokenBy({ requirements, cases }: Finding, { case: planned, miss }: CaseVerdict): readonly string[] {
  const broken = (some: readonly (Miss | undefined)[]) =>
    requirements.filter((id) => some.some((one) => one?.suspects.some(({ requirement }) => requirement === id)));
  const own = requirements.length > 1 ? broken([miss]) : requirements;
  if (own.length > 0) return own;
  const unit = unitOf(planned.values);
  const others = broken(cases.filter((one) => unitOf(one.case.values) === unit).map((one) => one.miss));
  return others.length > 0 ? others : requirements;
}

const neverShown = (list: string) =>
  `no answer of this run showed ${list}: set ACT_AS_PRIVATE_QUERY or USER_PRIVATE_QUERY, so that something is found`;

export function emptyTally(): Tally {
  return {
    decided: 0,
    observed: 0,
    missing: new Map(),
    lost: new Set(),
    lostBeside: new Set(),
    refused: new Set(),
    unseen: new Set(),
    masked: false,
  };
}

function countCase(contract: Contract, tallyOf: TallyOf, judged: CaseVerdict): void {
  const { case: planned, verdict, reason = 'not decided', tokenRefused, satisfied, unread = [] } = judged;
  const { values, expectation } = planned;
  const unit = unitOf(values);
  const isLost = verdict === 'inconclusive';
  const certain = new Set([...(isSole(planned) ? expectation.suspects : []), ...expectation.silent]);
  for (const suspect of allSuspects(expectation)) {
    const tally = tallyOf(suspect.requirement, unit);
    if (isLost) tally[tokenRefused ? 'refused' : certain.has(suspect) ? 'lost' : 'lostBeside'].add(reason);
    tally.masked ||= verdict === 'fail' || verdict === 'warn';
  }
  if (isLost) for (const requirement of formOf(contract, planned)) tallyOf(requirement, unit).lost.add(reason);
  for (const { requirement } of expectation.silent) tallyOf(requirement, unit).observed += isLost ? 0 : 1;
  for (const requirement of satisfied) tallyOf(requirement, unit).decided += 1;
  for (const requirement of unread) tallyOf(requirement, unit).lost.add(whyUnread(judged.observation));
}

/** Whether the right answer decides all suspects. A refusal may be about either of two faults, or about what is left open. */
function isSole({ expectation: { kind, suspects, silent } }: PlannedCase): boolean {
  return (
    kind !== 'refuse' || (silent.length === 0 && new Set(suspects.map(({ requirement }) => requirement)).size === 1)
  );
}

/** The requirements on the form of the answer. A case that may be accepted or refused decides none of them for certain. */
function formOf(contract: Contract, planned: PlannedCase): readonly string[] {
  if (planned.expectation.kind === 'open') return [];
  const suspects = allSuspects(planned.expectation).map(({ requirement }) => requirement);
  return requirementsAbout(contract, planned).filter((requirement) => !suspects.includes(requirement));
}

function countDecision(tally: Tally, { verdict, detail, variable }: Decision): void {
  switch (verdict) {
    case 'pass':
    case 'fail':
    case 'warn':
      tally.decided += 1;
      return;
    case 'observed':
      tally.observed += 1;
      return;
    case 'not-testable':
      tally.missing.set(detail, variable === undefined ? lackInWords(detail) : variableLack(variable));
      return;
    case 'inconclusive':
      tally.lost.add(detail);
  }
}
