import { firstOf } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { visible } from '../contract/visible-text.ts';
import { type Colors, type Mark, marked } from '../render/amounts.ts';
import { notTriedInWords } from '../render/not-tried-words.ts';
import { verdictLine } from '../report/verdict-words.ts';
import type { Point } from './point.ts';
import { MOST_NAMES, type Statement, UNKNOWABLE } from './statement.ts';
import type { Verification } from './verify.ts';

/** How a verification ends: whether the statement is true, and not whether the target conforms. */
export type Outcome = Point['state'];

/** Exit codes as of a run: 1 if it does not hold, 3 if this suite cannot tell (outcomes 4). */
export const VERIFICATION_EXIT_CODES: Readonly<Record<Outcome, number>> = { holds: 0, 'does not hold': 1, unknown: 3 };

export function outcomeOf({ points }: Verification): Outcome {
  const states = points.map(({ state }) => state);
  return (['does not hold', 'unknown'] as const).find((state) => states.includes(state)) ?? 'holds';
}

/** What verify prints: each point, what to bear in mind, what nobody can know, and the end. */
export function renderVerification(
  statement: Statement,
  verification: Verification,
  others: readonly string[],
  colors: Colors,
): string {
  const outcome = outcomeOf(verification);
  const notes = notesOn(statement, verification, others);
  const end = {
    holds: `the statement holds: ${visible(verdictLine(statement))}`,
    'does not hold': 'the statement does not hold',
    unknown: 'this suite cannot tell whether the statement holds',
  }[outcome];
  return [
    ...verification.points.flatMap((point) => linesOf(point, colors)),
    '',
    ...(notes.length === 0 ? [] : [colors.bold('Bear in mind'), ...notes.map((note) => `  ${visible(note)}`), '']),
    colors.bold('What no folder can show'),
    ...UNKNOWABLE.map((line) => `  ${line}`),
    '',
    `${colors.bold(marked(MARKS[outcome], end, colors))} ${colors.dim(`(exit code ${VERIFICATION_EXIT_CODES[outcome]})`)}`,
  ].join('\n');
}

const MARKS: Readonly<Record<Point['state'], Mark>> = { holds: 'good', 'does not hold': 'bad', unknown: 'open' };

function linesOf({ state, text, problems }: Point, colors: Colors): string[] {
  return (state === 'holds' ? [text] : problems).map((line) => marked(MARKS[state], visible(line), colors));
}

/** What a reader might overlook although it is true. */
function notesOn(
  statement: Statement,
  { withoutBaseline }: Verification,
  others: readonly string[],
): readonly string[] {
  const { embedded, narrowed, depth, stopped, claims, notTried, restsOnWord } = statement;
  return given([
    embedded && 'the target is the reference service of the suite, and no implementation of a vendor',
    narrowed !== null && `only a part was run: ${narrowed}`,
    stopped !== null && `the run stopped early: ${stopped}`,
    withoutBaseline !== undefined && `a baseline of the operator counts; without it: ${withoutBaseline}`,
    depth !== 'full' && `depth ${depth} is a part of the matrix`,
    ...notTriedInWords(notTried).map(({ what, bearing }) => `not tried: ${what}; ${bearing}`),
    claims.inferred && 'the claims were inferred from the variables that were set',
    restsOnWord.length > 0 &&
      `never accepted, so only the operator knows what they are: ${firstOf(restsOnWord, MOST_NAMES)}`,
    others.length > 0 && `not looked at: ${others.join(', ')}`,
  ]);
}
