import { endingInWords, inUse } from '../judge/ending.ts';
import type { Verdict } from '../judge/judge-cases.ts';
import type { RunEnding } from './latency.ts';
import type { Report } from './report.ts';

/** Shown next to every colour, so that no information depends on colour alone. The gravest is the first. */
export const SYMBOLS: Readonly<Record<Verdict, string>> = {
  fail: '✕',
  inconclusive: '?',
  'not-testable': '–',
  warn: '!',
  pass: '✓',
  observed: '○',
  'not-applicable': '·',
};
/** The verdicts in the order in which a reader needs to see them. */
export const GRAVITY = Object.keys(SYMBOLS) as readonly Verdict[];
export const MEANINGS: Readonly<Record<Verdict, string>> = {
  fail: 'a “must” of the specification is broken',
  inconclusive: 'undecided: no answer, a refusal that did not repeat, or a token that was never accepted',
  'not-testable': 'claimed, but something is missing to test it',
  warn: 'a “should” of the specification, or the advice of an RFC, is missed',
  observed: 'the contract leaves it open; the answer is recorded',
  pass: 'the specification admits the answer',
  'not-applicable': 'not claimed, or left out of a narrowed run',
};

/** The first of some verdicts in the order of GRAVITY. Undefined if there are none. */
export function worstOf(verdicts: Iterable<Verdict>): Verdict | undefined {
  const present = new Set(verdicts);
  return GRAVITY.find((verdict) => present.has(verdict));
}

/** Each ending: its name without numbers, the verdict whose colour and symbol it has, and what stands between the target and its line. */
export const ENDING_WORDS: Readonly<
  Record<RunEnding, { readonly name: string; readonly looks: Verdict; readonly glue: string }>
> = {
  conforms: { name: 'conforms', looks: 'pass', glue: ' ' },
  'conforms-except': { name: 'conforms except listed', looks: 'pass', glue: ' ' },
  partial: { name: 'partial', looks: 'pass', glue: ': ' },
  deviates: { name: 'deviates', looks: 'fail', glue: ' ' },
  inconclusive: { name: 'inconclusive', looks: 'inconclusive', glue: ': ' },
  incomplete: { name: 'incomplete', looks: 'not-testable', glue: ': ' },
  'too-slow': { name: 'too slow', looks: 'fail', glue: ': ' },
};

/** How the run ended, with the name of the target: `https://staging.example.com deviates`. */
export function verdictLine(judged: Pick<Report, 'target' | 'embedded' | 'ending' | 'line'>): string {
  return `${targetName(judged)}${ENDING_WORDS[judged.ending].glue}${judged.line}`;
}

export function targetName({ target, embedded }: Pick<Report, 'target' | 'embedded'>): string {
  return embedded ? 'the embedded reference service' : target;
}

/** `contract 4f1c…`, or `own contract acme, 4f1c…`. */
export function contractInWords({ contract, ownContract }: Pick<Report, 'contract' | 'ownContract'>): string {
  return ownContract === undefined ? `contract ${contract}` : `own contract ${ownContract}, ${contract}`;
}

/** What a target is tested for: conformance to the client API, or to a contract that somebody else wrote. */
export function subjectOf({ ownContract }: Pick<Report, 'ownContract'>): string {
  return `${ownContract ?? 'client API'} conformance`;
}

export function endingWords(report: Pick<Report, 'ending' | 'baseline' | 'contract' | 'ownContract'>): string {
  const { ending, baseline } = report;
  return ending === 'too-slow' ? ENDING_WORDS[ending].name : endingInWords(ending, inUse(baseline), report);
}

/** Whether something warns that no baseline lists. Such a run gets no tick. */
export function hasWarnings({ findings }: Pick<Report, 'findings'>): boolean {
  return findings.some(({ verdict, listed }) => verdict === 'warn' && !listed);
}

/**
 * How many requirements are undecided in some place, without accepted gaps. The line of a run counts the same: of an incomplete
 * one those that lack variables.
 */
export function undecidedCount({ ending, undecided }: Pick<Report, 'ending' | 'undecided'>): number {
  const counts = undecided.filter(
    ({ accepted, status }) => !accepted && (ending !== 'incomplete' || status === 'not-testable'),
  );
  return new Set(counts.flatMap(({ requirements }) => requirements)).size;
}

/** How many decisions of checks are undecided, without those that the baseline lists. */
export function undecidedDecisions({ checks }: Pick<Report, 'checks'>): number {
  return checks.filter(({ verdict, listed }) => UNDECIDED.includes(verdict) && listed === undefined).length;
}
export const UNDECIDED: readonly string[] = ['inconclusive', 'not-testable'];

/**
 * What to say of a run without undecided requirements. Everything is decided only if every decision of every check is
 * (outcomes 3).
 * @param also what counts as decided, such as gaps that the baseline accepts.
 */
export function decidedInWords(undecided: number, also = ''): string {
  if (undecided === 0) return `Everything that is claimed is decided${also}`;
  const decisions = undecided === 1 ? '1 decision of a check is' : `${undecided} decisions of checks are`;
  return `Every requirement that is claimed is decided${also}, but ${decisions} not`;
}
