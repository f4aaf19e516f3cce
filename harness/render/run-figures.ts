import { amount, counted, firstOf } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { type Left, leftInWords } from '../report/left.ts';
import type { Report, ReportedRequirement } from '../report/report.ts';
import { COUNTED_IN_FRAMES, sightInWords } from '../report/sight.ts';
import { startOf } from '../report/since.ts';
import { GRAVITY } from '../report/verdict-words.ts';
import { basisOfClaims, claimsInWords } from '../settings/claims.ts';
import { countsInWords, durationInWords, MOST_LISTED } from './amounts.ts';
import type { Fact } from './finding-view.ts';

/** What to know of a run besides its causes. The page, the summary of a step and its annotations print it. */
export function figuresOf(report: Report): readonly Fact[] {
  const { claims, depth, counts, sight, durationMs, run } = report;
  const duration = durationInWords(durationMs);
  return given<Fact>([
    ['claims', `${claimsInWords(claims)}; ${basisOfClaims(claims)}`],
    ['requirements', requirementsInWords(report)],
    ['depth', `${depth}; cases: ${countsInWords(counts)}`],
    sight !== null && ['would catch', `${sightInWords(sight)[0]}; ${COUNTED_IN_FRAMES}`],
    ['tokens', unverifiedInWords(report.restsOnWord)],
    duration !== undefined && ['duration', duration],
    ['date', `${startOf(report)}, run ${run}`],
  ]);
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

const MOST_NAMED = 12;

/** How many claimed requirements are decided everywhere, and which ones only in some operations and kinds. */
export function requirementRows(report: Pick<Report, 'requirements'>): readonly string[] {
  const claimed = claimedIn(report);
  const decided = claimed.filter(({ undecided }) => undecided.length === 0);
  const partly = decided.filter(isPartly);
  const named = partly.map((one) => `${one.id} (${placesInWords(one)})`);
  const everywhere = partly.length === 0 ? ' everywhere' : '';
  return given([
    `${amount(decided.length)} of ${amount(claimed.length)} claimed are decided${everywhere}`,
    partly.length > 0 &&
      `${amount(partly.length)} of them for some operations and kinds only: ${firstOf(named, MOST_NAMED)}`,
  ]);
}

/** The requirements that the target claims, and that the run was to decide. Every output counts these. */
export function claimedIn({ requirements }: Pick<Report, 'requirements'>): readonly ReportedRequirement[] {
  return requirements.filter(({ verdict }) => verdict !== 'not-applicable');
}

/** Whether a requirement was decided only for some of the operations and kinds that it concerns. */
export function isPartly({ verdict, places }: ReportedRequirement): boolean {
  return verdict !== 'observed' && verdict !== 'not-applicable' && places.decided < places.of;
}

/** `1 of 14`. */
export function placesInWords({ places }: ReportedRequirement): string {
  return `${places.decided} of ${places.of}`;
}

const MOST_LEFT = 3;

interface LeftRow {
  readonly words: string;
  /** The first names, `3f2a, 77b0, 91cc and 4 more`. Empty if the target gives none. */
  readonly names: string;
}

/** What a run left on the target, for a report with little space. report.json has more names. */
export function leftRows(left: readonly Left[]): readonly LeftRow[] {
  return left.map((one) => {
    const shown = one.ids.slice(0, MOST_LEFT);
    const more = one.created - one.removed - shown.length;
    const names = shown.join(', ');
    return { words: leftInWords(one), names: names !== '' && more > 0 ? `${names} and ${amount(more)} more` : names };
  });
}
