import { LAWS } from '../contract/variations.ts';
import { counted } from '../render/amounts.ts';
import { notTriedInWords } from '../render/not-tried-words.ts';
import { KIND_WORDS, LAW_WORDS, variedAmount } from '../render/varied-words.ts';
import { clipped, firstOf, MOST_DECIDED, MOST_ROWS } from './shortened.ts';
import type { Statement } from './statement.ts';

/** A verdict or a reason, and what it is about. */
export type Row = readonly [what: string, value: string];

/** What the run decided. Each row has a verdict and the subjects of the requirements with it. */
export function seen({ requirements, varied }: Statement): readonly Row[] {
  const rows = (['fail', 'warn', 'pass', 'observed'] as const).flatMap((verdict): Row[] => {
    const ids = requirements[verdict];
    if (ids.length === 0) return [];
    return [[`${ids.length} ${verdict}`, verdict === 'pass' ? subjectsOf(ids) : firstOf(ids, MOST_DECIDED)]];
  });
  return rows.length === 0 ? [['nothing', 'no requirement was decided']] : [...rows, ...variedRows(varied)];
}

/** With how many of the ways that the contract does not list each law was tried. */
function variedRows(varied: Statement['varied']): readonly Row[] {
  return LAWS.flatMap((law): Row[] => {
    const tried = varied.filter((one) => one.law === law && one.tried > 0);
    const words = tried.map((one) => `${variedAmount(one)} ${KIND_WORDS[one.variation]}`);
    return words.length === 0 ? [] : [[`${LAW_WORDS[law]}, varied`, clipped(words.join(', '), 200)]];
  });
}

/** What needs --intrusive, as checks and as ways. The page has no room for more. */
const MOST_NOT_TRIED = 2;

/** What the run did not decide, and why. */
export function notSeen(statement: Statement): readonly Row[] {
  const { narrowed, stopped, depth, undecided, notTried, requirements, restsOnWord, excluded } = statement;
  const gaps = undecided
    .slice(0, MOST_ROWS)
    .map(
      ({ reason, accepted, requirements: ids }): Row => [
        accepted ? 'accepted gap' : 'not decided',
        `${firstOf(ids)} (${/^[A-Z_]+$/.test(reason) ? `${reason} was not set` : clipped(reason, 100)})`,
      ],
    );
  const more = undecided.length - MOST_ROWS;
  const notClaimed = requirements['not-applicable'];
  return [
    ...(narrowed === null ? [] : [['narrowed', clipped(narrowed, 100)] as const]),
    ...(stopped === null ? [] : [['stopped early', clipped(stopped, 120)] as const]),
    ...gaps,
    ...(more > 0 ? [['not decided', `${counted(more, 'more reason')} in statement.json`] as const] : []),
    ...(notClaimed.length === 0
      ? []
      : [
          [
            'not claimed or left out',
            `${counted(notClaimed.length, 'requirement')}: ${subjectsOf(notClaimed)}`,
          ] as const,
        ]),
    ...(depth === 'full' ? [] : [['depth', `${depth} is a part of the matrix, and not every combination`] as const]),
    ...notTriedInWords(notTried)
      .slice(0, MOST_NOT_TRIED)
      .map(
        ({ what, requirements: ids }): Row => [
          'not tried',
          `${clipped(what, 200)}; ${clipped(`bears on ${subjectsOf(ids)}`, 120)}`,
        ],
      ),
    ...(restsOnWord.length === 0
      ? []
      : [
          [
            'never accepted',
            `${firstOf(restsOnWord)}: that they once worked rests on the word of the operator`,
          ] as const,
        ]),
    ['not testable', `${counted(excluded.length, 'sentence')} of the contract that no request can test`],
  ];
}

/** The subjects of requirements, which are the first parts of their ids: `act-as 3, token 7`. */
function subjectsOf(ids: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const subject = id.replace(/\..*/, '');
    counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return [...counts].map(([subject, count]) => `${subject} ${count}`).join(', ');
}
