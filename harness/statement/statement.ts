import { createHash } from 'node:crypto';
import type { Ending } from '../judge/ending.ts';
import type { Freedom } from '../judge/freedoms.ts';
import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import type { ReportedBaseline } from '../report/baseline.ts';
import type { ReportedUndecided } from '../report/limits.ts';
import type { NotTried, ReportedVaried } from '../report/not-tried.ts';
import type { Report } from '../report/report.ts';
import { undecidedDecisions } from '../report/verdict-words.ts';

/** What somebody who tested a target hands to others. It is statement.json; statement.html is made from it. */
export interface Statement {
  readonly statementVersion: 1;
  readonly suite: string;
  readonly contract: string;
  readonly run: string;
  /** When the run started, ISO 8601, by the clock of the machine that ran it. */
  readonly startedAt: string;
  /** Milliseconds until the last answer. Null if that is unknown. */
  readonly durationMs: number | null;
  readonly target: string;
  /** The target is the reference service of the suite, and no other implementation. */
  readonly embedded: boolean;
  readonly claims: Report['claims'];
  readonly depth: string;
  /** The flags that narrowed the run. Null for a whole run. */
  readonly narrowed: string | null;
  readonly ending: Ending;
  readonly line: string;
  readonly exitCode: number;
  /** Why the run stopped early. Null if it did not. */
  readonly stopped: string | null;
  readonly counts: {
    readonly planned: number;
    /** Cases that the run sent beyond its plan. Absent if there are none. */
    readonly further?: number;
    readonly executed: number;
    readonly requests: number;
  };
  /** The ids of the requirements by their verdict. */
  readonly requirements: Readonly<Record<Verdict, readonly string[]>>;
  readonly causes: readonly Cause[];
  /** What the run did not try, and why. */
  readonly varied: readonly ReportedVaried[];
  readonly notTried: readonly NotTried[];
  /** How many decisions of checks are undecided, without those that the baseline lists. */
  readonly undecidedDecisions: number;
  /** What is claimed and undecided. */
  readonly undecided: readonly ReportedUndecided[];
  /** Known deviations and accepted gaps. Null without a baseline. */
  readonly baseline: ReportedBaseline | null;
  /** The number of cases that were left out because an optional token is not set. */
  readonly skipped: number;
  /** Variables whose tokens were never accepted. */
  readonly restsOnWord: readonly string[];
  readonly freedoms: readonly Freedom[];
  /** Requirements that no request can test. */
  readonly excluded: readonly string[];
  /** SHA-256 of the files that the statement rests on, in hexadecimal digits. */
  readonly files: FileHashes;
}
/** A cause without its evidence, which report.json has. */
interface Cause {
  readonly id: string;
  readonly verdict: string;
  readonly requirements: readonly string[];
  readonly text: string;
  readonly where: string;
  readonly got: string;
  /** The baseline lists it. */
  readonly listed: boolean;
}
export type FileHashes = Readonly<Record<'journal.ndjson' | 'report.json', string>>;

/** Makes the statement of a run. It has no requests and no answers, only verdicts. Pure. */
export function makeStatement(report: Report, files: FileHashes): Statement {
  const { suite, contract, run, startedAt, durationMs, target, embedded, claims, depth, narrowed } = report;
  // A statement is about the contract, which has no limit for the latency.
  const { ending, line, exitCode } = report.byContract;
  const { stopped, counts, varied, notTried, undecided, baseline, restsOnWord, freedoms } = report;
  const { planned, further, executed, requests } = counts;
  return {
    statementVersion: 1,
    suite,
    contract,
    run,
    startedAt,
    durationMs,
    target,
    embedded,
    claims,
    depth,
    narrowed,
    ending,
    line,
    exitCode,
    stopped,
    counts: { planned, ...(further > 0 && { further }), executed, requests },
    requirements: byVerdict(report),
    causes: report.findings.map(({ id, verdict, requirements, text, where, got, listed }) => ({
      id,
      verdict,
      requirements,
      text,
      where,
      got,
      listed,
    })),
    varied,
    notTried,
    undecidedDecisions: undecidedDecisions(report),
    undecided,
    baseline,
    skipped: report.outOfPlan.reduce((sum, { cases }) => sum + cases, 0),
    restsOnWord,
    freedoms,
    excluded: report.excluded.map(({ id }) => id),
    files,
  };
}

function byVerdict({ requirements }: Report): Statement['requirements'] {
  const idsOf = (wanted: Verdict) => requirements.flatMap(({ id, verdict }) => (verdict === wanted ? [id] : []));
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, idsOf(verdict)])) as Record<Verdict, string[]>;
}

/** SHA-256 in hexadecimal digits, as `sha256sum` prints it. */
export function hashOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** How statement.json is written. */
export function statementJson(statement: Statement): string {
  return `${JSON.stringify(statement, null, 1)}\n`;
}

/** More rows of one kind would not fit on one page of paper. statement.json has all of them. */
export const MOST_ROWS = 3;

/** Names that one row lists. */
const MOST_NAMES = 2;
/** The same in a row of what was decided, of which there are few. */
export const MOST_DECIDED = 6;

/** `a, b and 4 more`. */
export function firstOf(names: readonly string[], most: number = MOST_NAMES): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whole words from the beginning of a text that is too long for its row. No sentence of ours is. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const words = cut.replace(/\s+\S*$/, '');
  return `${words === '' ? cut : words} …`;
}

/** What the files of a run cannot show to somebody who was not there. */
export const UNKNOWABLE: readonly string[] = [
  'that the journal was not made up: nobody signs it',
  'which implementation answered at that address',
  'that each token was what the name of its variable says',
  'when the run took place: the date is that of the machine that ran it',
];
