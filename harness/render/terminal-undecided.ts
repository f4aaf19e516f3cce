import { visible } from '../contract/visible-text.ts';
import type { ReportedCheck } from '../report/cases.ts';
import type { Report } from '../report/report.ts';
import { decidedInWords, undecidedDecisions } from '../report/verdict-words.ts';
import { counted } from './amounts.ts';
import { unverifiedInWords } from './run-figures.ts';
import { type Colors, table } from './terminal-table.ts';

const MOST_ROWS = 12;
/** Requirements, places and checks that one line names. */
const MOST_NAMED = 3;

/** What is claimed and undecided, and why. */
export function renderUndecided(report: Report, colors: Colors): string[] {
  const { undecided: reasons, restsOnWord, narrowed } = report;
  const rows = reasons.slice(0, MOST_ROWS).map(({ reason, variable, status, accepted, requirements, units }) => {
    const checks = namesOf(report.checks.filter((found) => found.detail === reason && found.verdict === status));
    const of = checks.length === 0 ? '' : ` (${checks.length === 1 ? 'check' : 'checks'} ${firstOf(checks)})`;
    const what = `${firstOf(requirements)} on ${firstOf(units)}${of}`;
    if (accepted) return ['accepted gap', `${reason}: ${what}`];
    if (status !== 'not-testable') return ['inconclusive', `${visible(reason)}: ${what}`];
    return variable === undefined ? ['not testable', `${reason}: ${what}`] : [`set ${variable}`, `to decide ${what}`];
  });
  const together = reasons.some(({ variable }) => variable !== undefined)
    ? ['`plan` says which of these to set first, and which belong together.']
    : [];
  const notes = [...together, ...(restsOnWord.length === 0 ? [] : [`Tokens ${unverifiedInWords(restsOnWord)}`])].map(
    (note) => colors.dim(`  ${note}`),
  );
  if (rows.length === 0 && notes.length === 0) return [];
  const all = decidedInWords(undecidedDecisions(report), narrowed === null ? '' : ' in this part');
  return [colors.bold(rows.length === 0 ? all : 'Undecided'), ...table(rows, colors), ...notes];
}

/** `a, b, c and 4 more`. */
function firstOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The checks that decided nothing although other cases and checks decided their requirements, and why. */
export function renderUndecidedChecks({ checks, undecided }: Report, colors: Colors): string[] {
  const known = new Set(undecided.map(({ reason }) => reason));
  const lost = checks.filter(({ verdict, detail }) => verdict === 'inconclusive' && !known.has(detail));
  const reasons = [...new Set(lost.map(({ detail }) => detail))];
  const rows = reasons.slice(0, MOST_ROWS).map((reason) => {
    const names = namesOf(lost.filter(({ detail }) => detail === reason));
    return ['inconclusive', `${visible(reason)}: ${firstOf(names)}`];
  });
  const more = reasons.length - MOST_ROWS;
  if (rows.length === 0) return [];
  return [
    colors.bold('Checks that decided nothing. Others decided their requirements'),
    ...table(rows, colors),
    ...(more > 0 ? [colors.dim(`  ${counted(more, 'more reason')} in the report`)] : []),
  ];
}

/** `isolation/search/USER`, or the check alone if it decided nothing for any operation and kind. */
function namesOf(found: readonly ReportedCheck[]): readonly string[] {
  const names = found.map(({ check, operation, kind }) =>
    operation === 'any' && kind === 'any' ? check : `${check}/${operation}/${kind}`,
  );
  return [...new Set(names)];
}
