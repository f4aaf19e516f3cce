import { curlFor } from './curl.ts';
import { EXIT_CODES, endingLine } from './ending.ts';
import type { Finding } from './findings.ts';
import { type Freedom, freedomsOf } from './freedoms.ts';
import { describeNarrowing } from './narrow.ts';
import {
  type ReportedCase,
  type ReportedCheck,
  type ReportedExpectation,
  type ReportedMatrix,
  reportCases,
  reportMatrix,
  type ToldRun,
} from './report-cases.ts';
import type { Conclusion } from './run.ts';
import { VERDICTS, type Verdict } from './verdicts.ts';
import { suiteVersion } from './version.ts';

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
  readonly ending: string;
  readonly line: string;
  readonly exitCode: number;
  readonly stopped: string | null;
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
  /** What is claimed and undecided: the variables that would decide it, each with what it decides. */
  readonly undecided: readonly {
    readonly reason: string;
    readonly status: string;
    readonly requirements: readonly string[];
    readonly units: readonly string[];
  }[];
  /** Cases that nothing claimed needs, by the reason that they are not planned. */
  readonly outOfPlan: readonly { readonly reason: string; readonly cases: number }[];
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
  readonly undecided: readonly { readonly unit: string; readonly reason: string; readonly status: string }[];
}
export interface ReportedFinding {
  readonly id: string;
  readonly verdict: string;
  readonly requirements: readonly string[];
  readonly sources: readonly string[];
  readonly text: string;
  readonly basis: string;
  readonly where: string;
  readonly wanted: string;
  readonly got: string;
  readonly curl: string;
  readonly caveat: string | null;
  readonly example: string;
  readonly cases: readonly string[];
}
/**
 * Puts a conclusion into its reported form. Every text in it is redacted already or redacted here. Pure: the same journal
 * gives the same report, whenever it is judged.
 */
export function makeReport(told: ToldRun, conclusion: Conclusion): Report {
  const { settings, plan, redactor, run, startedAt, contract, narrowing } = told;
  const cells = conclusion.verdicts.filter(({ case: planned }) => planned.group !== '');
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cells) counts[verdict] += 1;
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
    ending: conclusion.ending,
    line: endingLine(conclusion, settings.claims),
    exitCode: EXIT_CODES[conclusion.ending],
    stopped: conclusion.stopped ?? null,
    counts: {
      planned: plan.cases.size,
      executed: cells.filter(({ sent }) => sent > 0).length,
      requests: conclusion.exchanges.length,
      verdicts: counts,
    },
    requirements: conclusion.requirements.map(({ requirement, verdict, decidedCases, undecided }) => ({
      id: requirement.id,
      source: requirement.source,
      level: requirement.level ?? 'must',
      text: requirement.text ?? '',
      verdict,
      decidedCases,
      undecided,
    })),
    excluded: contract.requirements.flatMap(({ id, source, excluded }) =>
      excluded === undefined ? [] : [{ id, source, reason: excluded }],
    ),
    findings: conclusion.findings.map((finding) => reportFinding(told, finding)),
    undecided: undecidedBy(conclusion),
    outOfPlan: outOfPlan(told),
    restsOnWord: settings.trusted ? [] : restsOnWord(told, conclusion),
    freedoms: freedomsOf(contract, conclusion.verdicts),
    matrix: reportMatrix(contract),
    ...reportCases(told, conclusion),
  };
}

function reportFinding({ contract, parts, settings, redactor }: ToldRun, finding: Finding): ReportedFinding {
  const { example, decisions } = finding;
  const [decision] = decisions;
  const cited = contract.requirements.filter(({ id }) => finding.requirements.includes(id));
  const units = [...new Set(decisions.map(({ check, operation, kind }) => `${check}/${operation}/${kind}`))];
  const places = finding.places.map((place) => place.map(({ aspect, value }) => `${aspect} ${value}`).join(', '));
  return {
    id: finding.id,
    verdict: finding.verdict,
    requirements: finding.requirements,
    sources: [...new Set(cited.map(({ source }) => source))],
    text: cited.map(({ text }) => text).join(' '),
    basis: finding.basis,
    where: example ? places.join('; or ') || 'everywhere' : units.join(', '),
    wanted: example?.miss?.wanted ?? cited.map(({ text }) => text).join(' '),
    got: redactor.text(example?.miss?.got ?? decision?.detail ?? ''),
    curl: example ? curlFor(parts, settings, example.case) : (decision?.curl ?? ''),
    caveat: finding.caveat ?? null,
    example: example?.case.id ?? units[0] ?? '',
    cases: [...finding.cases.map(({ case: { id } }) => id), ...units],
  };
}

function undecidedBy({ requirements }: Conclusion): Report['undecided'] {
  const reasons = new Map<string, { status: string; requirements: Set<string>; units: Set<string> }>();
  for (const { requirement, undecided } of requirements)
    for (const { unit, reason, status } of undecided) {
      const known = reasons.get(reason) ?? { status, requirements: new Set<string>(), units: new Set<string>() };
      known.requirements.add(requirement.id);
      known.units.add(unit);
      reasons.set(reason, known);
    }
  return [...reasons].map(([reason, { status, requirements: ids, units }]) => ({
    reason,
    status,
    requirements: [...ids].sort(),
    units: [...units].sort(),
  }));
}

function outOfPlan({ plan }: ToldRun): Report['outOfPlan'] {
  const counts = new Map<string, number>();
  for (const { status, reason } of plan.undecidable)
    if (status === 'out-of-plan') counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([reason, cases]) => ({ reason, cases }));
}

/** Credentials used for denials only: what cannot be shown to have ever been accepted (OUTCOMES 2). */
function restsOnWord({ plan }: ToldRun, { exchanges }: Conclusion): string[] {
  const accepted = new Set(
    exchanges.flatMap(({ credential, observation }) =>
      observation.kind === 'answer' && observation.status < 300 ? [credential] : [],
    ),
  );
  const used = [...plan.cases.values()].flatMap(({ credential, values }) =>
    credential && values.validity !== 'tampered' && values.family !== 'unknown' && !accepted.has(credential.recipe)
      ? [credential.variable]
      : [],
  );
  return [...new Set(used)].sort();
}
