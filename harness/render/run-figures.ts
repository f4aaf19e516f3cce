import type { Report } from '../report/report.ts';
import { COUNTED_IN_FRAMES, sightInWords } from '../report/sight.ts';
import { GRAVITY } from '../report/verdict-words.ts';
import { claimsInWords } from '../settings/claims.ts';
import { amount, counted, countsInWords, durationInWords } from './amounts.ts';
import type { Fact } from './finding-view.ts';
import { claimedIn, requirementRows } from './requirement-rows.ts';
import { MOST_LISTED } from './terminal-table.ts';

/** What to know of a run besides its causes. The page, the summary of a step and its annotations print it. */
export function figuresOf(report: Report): readonly Fact[] {
  const { claims, depth, counts, sight, durationMs, startedAt, run } = report;
  const basis = claims.inferred ? 'inferred from the variables that are set' : 'as CONFORMANCE_CLAIMS states';
  const duration = durationInWords(durationMs);
  return [
    ['claims', `${claimsInWords(claims)}; ${basis}`],
    ['requirements', requirementsInWords(report)],
    ['depth', `${depth}; cases: ${countsInWords(counts)}`],
    ...(sight ? [['would catch', `${sightInWords(sight)[0]}; ${COUNTED_IN_FRAMES}`] as const] : []),
    ['tokens', unverifiedInWords(report.restsOnWord)],
    ...(duration === undefined ? [] : [['duration', duration] as const]),
    ['date', `${startedAt.slice(0, 16).replace('T', ' ')} UTC, run ${run}`],
  ];
}

/** `40 of 40 claimed are decided everywhere: 38 pass, 2 observed`. */
function requirementsInWords(report: Report): string {
  const verdicts = claimedIn(report).map(({ verdict }) => verdict);
  const counts = GRAVITY.map((one) => [one, verdicts.filter((verdict) => verdict === one).length] as const);
  const tally = counts.flatMap(([verdict, count]) => (count === 0 ? [] : `${amount(count)} ${verdict}`));
  return `${requirementRows(report)[0]}${tally.length === 0 ? '' : `: ${tally.join(', ')}`}`;
}

/** What is known of tokens whose acceptance nobody saw. */
export function unverifiedInWords(names: readonly string[]): string {
  if (names.length === 0) return 'all verified: each was accepted at least once, or was made for this run';
  const tokens = names.length > MOST_LISTED ? `${counted(names.length, 'token')} (see the report)` : names.join(', ');
  return `not verified: ${tokens}. The target never accepted these tokens; we take your word for what they are.`;
}
