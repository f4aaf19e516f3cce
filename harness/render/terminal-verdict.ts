import { counted, firstOf, firstShown } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { calledAs } from '../contract/package-files.ts';
import { visible } from '../contract/visible-text.ts';
import { ANYWHERE, unitOf } from '../plan/case.ts';
import { decisionId } from '../record/exchange.ts';
import type { ReportedCheck } from '../report/cases.ts';
import { type RefusedToken, refusedInWords } from '../report/refused-tokens.ts';
import type { Report } from '../report/report.ts';
import { COUNTED_IN_FRAMES, type ReportedSight, sightInWords, unseenInWords } from '../report/sight.ts';
import { decidedInWords, ENDING_WORDS, hasWarnings, undecidedDecisions, verdictLine } from '../report/verdict-words.ts';
import { type Colors, durationInWords, type Mark, marked, rowsNamed, table, titled } from './amounts.ts';
import { unverifiedInWords } from './run-figures.ts';

/** The full tokens that were refused, with a command line for each. They lead the output. */
export function renderRefusedTokens(refused: readonly RefusedToken[], colors: Colors): string[] {
  return refused.flatMap((token) => [
    colors.red(colors.bold(`✘ ${refusedInWords(token)}`)),
    ...table([['reproduce', token.curl]], colors, '   '),
  ]);
}

/** What the command knows of the end of a run, and the report does not. */
export interface AtEnd {
  /** Where the report is, or why it was not written. Undefined if it could not be. */
  readonly file?: string | undefined;
  /** What could not be written. The process ends with the exit code of that, and says so last. */
  readonly problem?: Error | undefined;
  /** What the commands need that a hint names, with a blank before it: --contract, if the run had it. */
  readonly flags?: string;
}

/** How the run ended. It is the last thing on the screen. */
export function renderVerdict(report: Report, { file, problem }: AtEnd, colors: Colors): readonly string[] {
  const { narrowed, stopped, trouble, exitCode } = report;
  const duration = durationInWords(report.durationMs);
  const ending = problem ? '' : ` ${colors.dim(`(exit code ${exitCode})`)}`;
  return given([
    `${colors.bold(marked(markOf(report), visible(verdictLine(report)), colors))}${ending}`,
    narrowed !== null && `  narrowed: ${visible(narrowed)}`,
    stopped !== null && colors.yellow(`  stopped: ${visible(stopped)}`),
    ...trouble.map((sentence) => colors.yellow(`  trouble: ${visible(sentence)}`)),
    duration !== undefined && `  duration: ${duration}`,
    file !== undefined && `  report: ${visible(file)}`,
  ]);
}

function markOf(report: Report): Mark {
  const { looks } = ENDING_WORDS[report.ending];
  if (looks === 'pass') return hasWarnings(report) ? 'warning' : 'good';
  return looks === 'fail' ? 'bad' : 'open';
}

const MOST_ROWS = 12;
/** Requirements, places and checks that one line names. */
const MOST_NAMED = 3;

export function renderUndecided(report: Report, { flags = '' }: AtEnd, colors: Colors): string[] {
  const { undecided: reasons, restsOnWord, narrowed } = report;
  const rows = reasons.slice(0, MOST_ROWS).map(({ reason, variable, status, accepted, requirements, units }) => {
    const checks = namesOf(report.checks.filter((found) => found.detail === reason && found.verdict === status));
    const of =
      checks.length === 0 ? '' : ` (${checks.length === 1 ? 'check' : 'checks'} ${firstOf(checks, MOST_NAMED)})`;
    const what = `${firstOf(requirements, MOST_NAMED)} on ${firstOf(units, MOST_NAMED)}${of}`;
    if (accepted) return ['accepted gap', `${reason}: ${what}`];
    if (status !== 'not-testable') return ['inconclusive', `${visible(reason)}: ${what}`];
    return variable === undefined ? ['not testable', `${reason}: ${what}`] : [`set ${variable}`, `to decide ${what}`];
  });
  const together = reasons.some(({ variable }) => variable !== undefined)
    ? [`\`${calledAs} plan${flags}\` says which of these to set first, and which belong together.`]
    : [];
  const notes = [...together, ...(restsOnWord.length === 0 ? [] : [`Tokens ${unverifiedInWords(restsOnWord)}`])].map(
    (note) => colors.dim(`  ${note}`),
  );
  if (rows.length === 0 && notes.length === 0) return [];
  const all = decidedInWords(undecidedDecisions(report), narrowed === null ? '' : ' in this part');
  return [colors.bold(rows.length === 0 ? all : 'Undecided'), ...table(rows, colors), ...notes];
}

/** The checks that decided nothing although other cases and checks decided their requirements, and why. */
export function renderUndecidedChecks({ checks, undecided }: Report, colors: Colors): readonly string[] {
  const known = new Set(undecided.map(({ reason }) => reason));
  const lost = checks.filter(({ verdict, detail }) => verdict === 'inconclusive' && !known.has(detail));
  const reasons = [...new Set(lost.map(({ detail }) => detail))];
  const rows = reasons.map((reason) => {
    const names = namesOf(lost.filter(({ detail }) => detail === reason));
    return ['inconclusive', `${visible(reason)}: ${firstOf(names, MOST_NAMED)}`];
  });
  const rest = (more: number) => colors.dim(`  ${counted(more, 'more reason')} in the report`);
  const lines = firstShown(table(rows, colors), MOST_ROWS, rest);
  return titled('Checks that decided nothing. Others decided their requirements', lines, colors);
}

/** `isolation/search/USER`, or the check alone if it decided nothing for any operation and kind. */
function namesOf(found: readonly ReportedCheck[]): readonly string[] {
  const names = found.map((one) => (unitOf(one) === ANYWHERE ? one.check : decisionId(one)));
  return [...new Set(names)];
}

/** The rows of what a run would catch, in the words of both `plan` and `run`. */
export function sightRows(sight: readonly ReportedSight[], narrowed: string | null): string[][] {
  return [
    ...rowsNamed('would catch', sightInWords(sight)),
    ...(narrowed === null ? [] : [['would miss', unseenInWords(sight)]]),
    ['', COUNTED_IN_FRAMES],
  ];
}
