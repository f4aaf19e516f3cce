import { type Ending, EXIT_CODES, endingLine } from '../judge/ending.ts';
import { type Freedom, freedomsOf } from '../judge/freedoms.ts';
import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { textOfLack } from '../plan/lack.ts';
import { describeNarrowing } from '../plan/narrowing.ts';
import { suiteVersion } from '../record/suite-version.ts';
import { type ReportedBaseline, reportBaseline } from './baseline.ts';
import { type ReportedCase, type ReportedCheck, reportCases } from './cases.ts';
import type { ReportedExpectation } from './expectations.ts';
import { type ReportedFinding, reportFinding } from './findings.ts';
import { type OutOfPlan, outOfPlan, type ReportedUndecided, restsOnWord, undecidedBy } from './limits.ts';
import { type ReportedMatrix, reportMatrix } from './matrix.ts';
import { troubleOf } from './trouble.ts';

export type { ReportedFinding } from './findings.ts';

/** Everything a reader of a run wants to know, in one value: report.json as it is, the terminal and others from it. */
export interface Report {
  readonly reportVersion: 1;
  readonly suite: string;
  readonly run: string;
  /** When the run began, ISO 8601. */
  readonly startedAt: string;
  readonly contract: string;
  readonly target: string;
  readonly embedded: boolean;
  readonly depth: string;
  /** The flags that made the run a part of the whole; null for a whole one. */
  readonly narrowed: string | null;
  readonly claims: {
    readonly kinds: readonly string[];
    readonly capabilities: readonly string[];
    readonly inferred: boolean;
  };
  readonly ending: Ending;
  readonly line: string;
  readonly exitCode: number;
  readonly stopped: string | null;
  /** What stood in the way and was waited for or sent again; empty for a calm target. */
  readonly trouble: readonly string[];
  readonly counts: {
    readonly planned: number;
    readonly executed: number;
    readonly requests: number;
    readonly verdicts: Readonly<Record<Verdict, number>>;
  };
  readonly requirements: readonly ReportedRequirement[];
  /** Sentences of the specification that the suite leaves out, and why. */
  readonly excluded: readonly { readonly id: string; readonly source: string; readonly reason: string }[];
  readonly findings: readonly ReportedFinding[];
  /** What became of what the baseline lists; null without one. */
  readonly baseline: ReportedBaseline | null;
  /** What is claimed and undecided: the variables that would decide it, each with what it decides. */
  readonly undecided: readonly ReportedUndecided[];
  /** Cases that nothing claimed needs, by the reason that they are not planned. */
  readonly outOfPlan: readonly OutOfPlan[];
  /** Credentials whose refusals rest on what the operator says of them: nothing could show that they ever lived. */
  readonly restsOnWord: readonly string[];
  readonly freedoms: readonly Freedom[];
  /** What the operations, headers and values that a case names stand for. */
  readonly matrix: ReportedMatrix;
  /** What cases admit; a case names its own by index. */
  readonly expectations: readonly ReportedExpectation[];
  /** Every case that was planned or is claimed; `counts.verdicts` counts these. */
  readonly cases: readonly ReportedCase[];
  /** What the hand-written checks found. */
  readonly checks: readonly ReportedCheck[];
}
export interface ReportedRequirement {
  readonly id: string;
  readonly source: string;
  readonly level: string;
  readonly text: string;
  readonly verdict: Verdict;
  readonly decidedCases: number;
  readonly undecided: readonly {
    readonly unit: string;
    readonly reason: string;
    readonly status: string;
    readonly accepted: boolean;
  }[];
}
/**
 * Puts a judged run into its reported form. Every text in it is redacted already or redacted here. Pure: the same journal
 * gives the same report, whenever it is judged.
 */
export function makeReport(facts: RunFacts, judged: JudgedRun): Report {
  const { settings, plan, redactor, run, startedAt, contract, narrowing } = facts;
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of judged.verdicts) counts[verdict] += 1;
  for (const { status } of plan.undecidable) if (status !== 'out-of-plan') counts[status] += 1;
  return {
    reportVersion: 1,
    suite: suiteVersion,
    run,
    startedAt,
    contract: contract.digest,
    target: redactor.text(settings.baseUrl),
    embedded: settings.trusted,
    depth: settings.depth,
    narrowed: describeNarrowing(narrowing) || null,
    claims: settings.claims,
    ending: judged.ending,
    line: endingLine(judged, settings.claims),
    exitCode: EXIT_CODES[judged.ending],
    stopped: judged.stopped ?? null,
    trouble: troubleOf(judged.exchanges),
    counts: {
      planned: plan.cases.size,
      executed: judged.verdicts.filter(({ sent }) => sent > 0).length,
      requests: judged.exchanges.length,
      verdicts: counts,
    },
    requirements: judged.requirements.map(({ requirement, verdict, decidedCases, undecided }) => ({
      id: requirement.id,
      source: requirement.source,
      level: requirement.level ?? 'must',
      text: requirement.text ?? '',
      verdict,
      decidedCases,
      undecided: undecided.map(({ unit, lack, status, accepted }) => ({
        unit,
        reason: textOfLack(lack),
        status,
        accepted,
      })),
    })),
    excluded: contract.requirements.flatMap(({ id, source, excluded }) =>
      excluded === undefined ? [] : [{ id, source, reason: excluded }],
    ),
    findings: judged.findings.map((finding) => reportFinding(facts, finding, judged.baseline)),
    baseline: reportBaseline(judged.baseline),
    undecided: undecidedBy(judged),
    outOfPlan: outOfPlan(facts),
    restsOnWord: settings.trusted ? [] : restsOnWord(facts, judged),
    freedoms: freedomsOf(contract, judged.verdicts),
    matrix: reportMatrix(contract),
    ...reportCases(facts, judged),
  };
}
