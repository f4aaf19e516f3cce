import { groupedBy, picked, tallied } from '../contract/collections.ts';
import { DEPTHS } from '../contract/contract.ts';
import type { Verdict } from '../judge/judge-cases.ts';
import { decidedPairs, decidesNothing, pairOf, unitsByRequirement } from './decided-pairs.ts';
import type { ReportedFinding } from './findings.ts';
import type { Latency } from './latency.ts';
import type { Report } from './report.ts';
import { changesBetween, rulesOf, type Since } from './since.ts';

/** A report folder remembers so many runs. */
export const MOST_RUNS = 50;
/** A run remembers so many causes, the gravest first. */
const MOST_CAUSES = 100;

/** What history keeps of a report as it is. */
const HEAD = [
  'run',
  'startedAt',
  'durationMs',
  'suite',
  'contract',
  'target',
  'embedded',
  'depth',
  'narrowed',
  'breadth',
  'ending',
  'exitCode',
] as const;
const CAUSE = ['key', 'id', 'verdict', 'requirements', 'where', 'listed'] as const;

/** The facts of a run that its report folder keeps in history.json. It has no request and no response. */
export interface HistoryRun extends Pick<Report, (typeof HEAD)[number]> {
  readonly requests: number;
  /** How many cases have each verdict. A verdict that none has is absent. */
  readonly cases: Counts;
  /** The same of requirements. */
  readonly requirements: Counts;
  readonly causes: readonly HistoryCause[];
  /** How long accepted requests took. */
  readonly latency: readonly HistoryLatency[];
  readonly failing: Pairs;
  readonly decided: Pairs;
  readonly undecided: Pairs;
}
export type HistoryCause = Pick<ReportedFinding, (typeof CAUSE)[number]>;
type HistoryLatency = Omit<Latency, 'outcome'>;
type Counts = Readonly<Partial<Record<Verdict, number>>>;

/** Pairs of a requirement and a unit: each of these requirements on each of these units. */
type Pairs = readonly { readonly requirements: readonly string[]; readonly units: readonly string[] }[];

/** What history keeps of a run. Pure. */
export function historyRun(report: Report): HistoryRun {
  const { counts, requirements, findings, latency } = report;
  const { failing, decided, undecided } = decidedPairs(report);
  return {
    ...picked(report, HEAD),
    requests: counts.requests,
    cases: Object.fromEntries(Object.entries(counts.verdicts).filter(([, count]) => count > 0)),
    requirements: Object.fromEntries(tallied(requirements.map(({ verdict }) => verdict))),
    causes: findings.slice(0, MOST_CAUSES).map((finding) => picked(finding, CAUSE)),
    latency: latency.flatMap(({ outcome, ...times }) => (outcome === 'accepted' ? [times] : [])),
    failing: grouped(failing.keys()),
    decided: grouped(decided),
    undecided: grouped(undecided),
  };
}

/** Requirements of the same units together: a run decides hundreds of pairs. */
function grouped(pairs: Iterable<string>): Pairs {
  return [...groupedBy(unitsByRequirement(pairs), ([, units]) => units.join(' ')).values()].map((alike) => ({
    requirements: alike.map(([requirement]) => requirement),
    units: alike[0][1],
  }));
}

export function pairsIn(pairs: Pairs): ReadonlySet<string> {
  return new Set(
    pairs.flatMap(({ requirements, units }) => requirements.flatMap((id) => units.map((unit) => pairOf(id, unit)))),
  );
}

/** Whether history keeps a run. One that decided nothing says nothing, and of shards what is merged is kept. */
function isKept(report: Report): boolean {
  return !decidesNothing(report) && !/(^| )--shard \d+\/\d+$/.test(report.narrowed ?? '');
}

/** The runs of several histories, the oldest first: the last ones, and each once. What comes later in the list counts. */
export function joinedRuns(...histories: readonly (readonly HistoryRun[])[]): readonly HistoryRun[] {
  const known = new Map(histories.flat().map((run) => [`${run.startedAt} ${run.run}`, run]));
  return [...known.values()].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)).slice(-MOST_RUNS);
}

/** The runs with that of a report, if history keeps it. */
export function withRun(runs: readonly HistoryRun[], report: Report): readonly HistoryRun[] {
  return isKept(report) ? joinedRuns(runs, [historyRun(report)]) : runs;
}

type Tested = Pick<HistoryRun, 'target' | 'embedded'>;

/** Whether two runs are about the same target. The embedded service has another port each time. */
export function isSameTarget(a: Tested, b: Tested): boolean {
  return a.embedded ? b.embedded : !b.embedded && a.target === b.target;
}

/** A run and its number: 1 is the last run, 2 the one before. */
export interface NumberedRun {
  readonly number: number;
  readonly run: HistoryRun;
}

/** The runs with their numbers, the last one first. */
export function numbered(runs: readonly HistoryRun[]): readonly NumberedRun[] {
  return [...runs].reverse().map((run, index) => ({ number: index + 1, run }));
}

/**
 * Compares two runs of a history. It does not know which cases failed, so what failed before is fixed only if the later run tried
 * as much: at that depth or a deeper one, in as many ways, and not in another part. Pure.
 */
export function sinceRun(before: HistoryRun, now: HistoryRun): Since {
  const depths: readonly string[] = DEPTHS;
  const rank = ({ depth }: HistoryRun) => depths.indexOf(depth);
  const triesAsMuch =
    rank(now) >= rank(before) &&
    (now.breadth === 'whole' || before.breadth !== 'whole') &&
    (now.narrowed === null || now.narrowed === before.narrowed);
  return changesBetween(
    {
      ...before,
      rules: rulesOf(before),
      failing: [...pairsIn(before.failing)],
      decided: [...pairsIn(before.decided)],
    },
    {
      rules: rulesOf(now),
      failing: pairsIn(now.failing),
      decided: pairsIn(now.decided),
      undecided: pairsIn(now.undecided),
      isTriedAgain: () => triesAsMuch,
    },
  );
}
