import { createHash } from 'node:crypto';
import { picked } from '../contract/collections.ts';
import { VERDICTS, type Verdict } from '../judge/judge-cases.ts';
import type { ContractEnd } from '../report/latency.ts';
import type { Report, ReportedFinding, SentCounts } from '../report/report.ts';
import { undecidedDecisions } from '../report/verdict-words.ts';

/** What a statement says as the report says it. */
const KEPT = [
  ...(['suite', 'contract', 'ownContract', 'run', 'startedAt', 'durationMs', 'target', 'embedded'] as const),
  ...(['claims', 'depth', 'narrowed', 'stopped', 'varied', 'notTried', 'undecided', 'baseline'] as const),
  ...(['restsOnWord', 'freedoms'] as const),
] as const;
/** How the run ended. A statement is about the contract, which has no limit for the latency. */
const END = ['ending', 'line', 'exitCode'] as const;
/** A cause without its evidence, which report.json has. */
const CAUSE = ['id', 'verdict', 'requirements', 'text', 'where', 'got', 'listed'] as const;

/** What somebody who tested a target hands to others. It is statement.json; statement.html is made from it. */
export interface Statement extends Pick<Report, (typeof KEPT)[number]>, ContractEnd {
  readonly statementVersion: 1;
  readonly counts: SentCounts;
  readonly requirements: Readonly<Record<Verdict, readonly string[]>>;
  readonly causes: readonly Pick<ReportedFinding, (typeof CAUSE)[number]>[];
  /** How many decisions of checks are undecided, without those that the baseline lists. */
  readonly undecidedDecisions: number;
  /** The number of cases that were left out because an optional token is not set. */
  readonly skipped: number;
  /** Requirements that no request can test. */
  readonly excluded: readonly string[];
  /** SHA-256 of the files that the statement rests on, in hexadecimal digits. */
  readonly files: FileHashes;
}
export type FileHashes = Readonly<Record<'journal.ndjson' | 'report.json', string>>;

/** Makes the statement of a run. It has no requests and no answers, only verdicts. Pure. */
export function makeStatement(report: Report, files: FileHashes): Statement {
  const { planned, further, executed, requests } = report.counts;
  return {
    statementVersion: 1,
    ...picked(report, KEPT),
    ...picked(report.byContract, END),
    counts: { planned, ...(further > 0 && { further }), executed, requests },
    requirements: byVerdict(report),
    causes: report.findings.map((finding) => picked(finding, CAUSE)),
    undecidedDecisions: undecidedDecisions(report),
    skipped: report.outOfPlan.reduce((sum, { cases }) => sum + cases, 0),
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

export function statementJson(statement: Statement): string {
  return `${JSON.stringify(statement, null, 1)}\n`;
}

/** More rows of one kind would not fit on one page of paper. statement.json has all of them. */
export const MOST_ROWS = 3;

/** Names that one row lists. */
export const MOST_NAMES = 2;
/** The same in a row of what was decided, of which there are few. */
export const MOST_DECIDED = 6;

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
