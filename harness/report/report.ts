import { attributionOf } from '../contract/attribution.ts';
import { ownContractOf } from '../contract/contract.ts';
import { visibleIn } from '../contract/visible-text.ts';
import { endingLine, exitCodeOf } from '../judge/ending.ts';
import { type Freedom, freedomsOf } from '../judge/freedoms.ts';
import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import type { Undecided } from '../judge/judge-requirements.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { describeNarrowing } from '../plan/narrowing.ts';
import type { Breadth } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import type { Claims } from '../settings/claims.ts';
import { type ReportedBaseline, reportBaseline } from './baseline.ts';
import { type ReportedCase, type ReportedCheck, type ReportedExpectation, reportCases } from './cases.ts';
import { type ReportedAttribution, type ReportedFinding, reportAttribution, reportFinding } from './findings.ts';
import {
  type ContractEnd,
  durationOf,
  endWithLimits,
  type Latency,
  latencyOf,
  type MeasuredLimit,
  measuredLimits,
  type RunEnding,
} from './latency.ts';
import { type Left, leftOn } from './left.ts';
import {
  type OutOfPlan,
  outOfPlan,
  type Places,
  placesOf,
  type ReportedLack,
  type ReportedUndecided,
  reportLack,
  restsOnWord,
  undecidedBy,
} from './limits.ts';
import { type NotTried, notTried, type ReportedVaried, variedIn } from './not-tried.ts';
import { type RefusedToken, refusedTokens, troubleOf } from './refused-tokens.ts';
import { type ReportedMatrix, type ReportedSight, reportMatrix, sightOf } from './sight.ts';
import { type Since, sinceEarlier } from './since.ts';
import { createStepLog, type ReportedResponse } from './steps.ts';

export type { ReportedFinding } from './findings.ts';

/** The result of a run as one value. It is report.json; the terminal, the page and JUnit are made from it. */
export interface Report {
  readonly reportVersion: 1;
  readonly suite: string;
  readonly run: string;
  readonly startedAt: string;
  /** Milliseconds from then to the last answer. Null if nothing was sent, or if an older version recorded the journal. */
  readonly durationMs: number | null;
  readonly contract: string;
  /** The name of a contract that somebody else wrote. */
  readonly ownContract?: string;
  readonly target: string;
  readonly embedded: boolean;
  readonly depth: string;
  /** The flags that narrowed the run. Null for a whole run. */
  readonly narrowed: string | null;
  /** How much the checks tried. Null if an older version recorded the journal. */
  readonly breadth: Breadth | null;
  readonly claims: Claims;
  readonly ending: RunEnding;
  readonly line: string;
  readonly exitCode: number;
  /** How the run ends by the contract alone. It differs only if the run is too slow. */
  readonly byContract: ContractEnd;
  /** Why the run stopped early. Null if it did not. */
  readonly stopped: string | null;
  /** Problems that made the run wait or send again, one sentence each. */
  readonly trouble: readonly string[];
  /** Full tokens that the target refused every time. */
  readonly refusedTokens: readonly RefusedToken[];
  /** What changed since an earlier run. Null if the run was not compared with one. */
  readonly since: Since | null;
  readonly counts: Required<SentCounts> & { readonly verdicts: Readonly<Record<Verdict, number>> };
  /** How long requests took, by operation and outcome. */
  readonly latency: readonly Latency[];
  /** The limits of --max-latency, and what was measured. Empty without one. */
  readonly maxLatency: readonly MeasuredLimit[];
  /** How many of the faults that depend on one, two and three values the run saw. Null if nobody counted. */
  readonly sight: readonly ReportedSight[] | null;
  readonly requirements: readonly ReportedRequirement[];
  /** Sentences of the specification that the suite leaves out, and why. */
  readonly excluded: readonly { readonly id: string; readonly source: string; readonly reason: string }[];
  readonly findings: readonly ReportedFinding[];
  /** The state of each baseline entry. Null without a baseline. */
  readonly baseline: ReportedBaseline | null;
  /** What the run did not try, and why. */
  readonly varied: readonly ReportedVaried[];
  readonly notTried: readonly NotTried[];
  /** What is claimed and undecided, by the variable that would decide it or by what went wrong. */
  readonly undecided: readonly ReportedUndecided[];
  /** Cases that no claimed requirement needs, by the reason why they are not planned. */
  readonly outOfPlan: readonly OutOfPlan[];
  /** Variables whose tokens are not verified: no request can show that they ever worked (outcomes 2). */
  readonly restsOnWord: readonly string[];
  readonly freedoms: readonly Freedom[];
  /** What the run created on the target, and what of it is still there. */
  readonly left: readonly Left[];
  /** The meaning of the operations, headers and values in case ids. */
  readonly matrix: ReportedMatrix;
  /** What cases admit. Cases refer to these by index. */
  readonly expectations: readonly ReportedExpectation[];
  /** The distinct responses to cases. Cases refer to these by index. */
  readonly responses: readonly ReportedResponse[];
  /** Every case that `counts.verdicts` counts. */
  readonly cases: readonly ReportedCase[];
  readonly checks: readonly ReportedCheck[];
}
/** The cases and requests of a run. */
export interface SentCounts {
  readonly planned: number;
  /** Cases that the run sent beyond its plan, to find the conditions of misses, and their controls. Absent if there are none. */
  readonly further?: number;
  readonly executed: number;
  readonly requests: number;
}
export interface ReportedRequirement extends ReportedAttribution {
  readonly id: string;
  readonly source: string;
  readonly level: string;
  readonly text: string;
  readonly verdict: Verdict;
  readonly decidedCases: number;
  readonly places: Places;
  readonly undecided: readonly (ReportedLack & Pick<Undecided, 'unit' | 'status' | 'accepted'>)[];
}

/** Makes the report of a judged run, redacted and visible. Pure. @param sight null if nobody asks: to count it takes some time. */
export function makeReport(
  given: RunFacts,
  judged: JudgedRun,
  sight: Report['sight'] = sightOf(given, judged),
): Report {
  const facts = { ...given, plan: judged.plan };
  const { settings, plan, redactor, run, startedAt, contract, narrowing } = facts;
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of judged.verdicts) counts[verdict] += 1;
  for (const { status } of plan.undecidable) if (status !== 'out-of-plan') counts[status] += 1;
  const own = ownContractOf(contract);
  const log = createStepLog(facts, judged.exchanges);
  const latency = latencyOf(plan, judged.exchanges);
  const maxLatency = measuredLimits(facts.maxLatency ?? [], latency);
  const report: Report = {
    reportVersion: 1,
    suite: suiteVersion,
    run,
    startedAt,
    durationMs: durationOf(judged.exchanges) ?? null,
    contract: contract.digest,
    ...(own !== undefined && { ownContract: own }),
    target: redactor.text(settings.baseUrl),
    embedded: settings.trusted,
    depth: settings.depth,
    narrowed: describeNarrowing(narrowing) || null,
    breadth: facts.breadth ?? null,
    claims: settings.claims,
    ...endWithLimits(
      { ending: judged.ending, line: endingLine(judged, settings.claims, contract), exitCode: exitCodeOf(judged) },
      maxLatency,
    ),
    stopped: judged.stopped ?? null,
    trouble: troubleOf(judged.exchanges),
    refusedTokens: refusedTokens(facts, judged.exchanges),
    since: null,
    counts: {
      planned: given.plan.cases.size,
      further: plan.cases.size - given.plan.cases.size,
      executed: judged.verdicts.filter(({ sent }) => sent > 0).length,
      requests: judged.exchanges.length,
      verdicts: counts,
    },
    latency,
    maxLatency,
    sight,
    requirements: judged.requirements.map((found) => ({
      id: found.requirement.id,
      source: found.requirement.source,
      level: found.requirement.level ?? 'must',
      text: found.requirement.text ?? '',
      ...reportAttribution(attributionOf(contract, found.requirement.id)),
      verdict: found.verdict,
      decidedCases: found.decidedCases,
      places: placesOf(contract, settings.claims.kinds, found),
      undecided: found.undecided.map(({ unit, lack, status, accepted }) => ({
        unit,
        ...reportLack(lack),
        status,
        accepted,
      })),
    })),
    excluded: contract.requirements.flatMap(({ id, source, excluded }) =>
      excluded === undefined ? [] : [{ id, source, reason: excluded }],
    ),
    findings: judged.findings.map((finding) => reportFinding(facts, finding, judged.baseline, log)),
    baseline: reportBaseline(judged.baseline),
    varied: variedIn(facts, judged.decisions),
    notTried: notTried(facts, judged).map((one) => ({ ...one, reason: redactor.text(one.reason) })),
    undecided: undecidedBy(judged),
    outOfPlan: outOfPlan(facts),
    restsOnWord: settings.trusted ? [] : restsOnWord(facts, judged),
    freedoms: freedomsOf(contract, judged.verdicts),
    left: leftOn(facts, judged),
    matrix: reportMatrix(contract),
    ...reportCases(facts, judged, log),
  };
  return visibleIn<Report>({ ...report, since: facts.earlier ? sinceEarlier(facts.earlier, report) : null });
}
