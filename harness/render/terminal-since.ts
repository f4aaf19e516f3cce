import { visible } from '../contract/visible-text.ts';
import { CHANGES, type Change, changeInWords, rulesInWords, type Since, sinceTitle } from '../report/since.ts';
import { type Colors, table } from './amounts.ts';

/** Requirements that each kind of change lists, and units of each. */
const MOST_REQUIREMENTS = 12;
const MOST_UNITS = 4;

/** What changed since the earlier run. Empty if there is none. */
export function renderSince(since: Since | null, colors: Colors): string[] {
  if (since === null) return [];
  const paint = {
    new: colors.red,
    fixed: colors.green,
    stillFailing: colors.red,
    noLongerDecided: colors.yellow,
    nowDecided: colors.green,
  };
  const rows = CHANGES.flatMap((change) =>
    changeLines(since[change]).map((line, index) => [
      index === 0 ? changeInWords(since, change) : '',
      paint[change](line),
    ]),
  );
  const rules = rulesInWords(since);
  return [
    colors.bold(sinceTitle(since)),
    ...(rules === undefined ? [] : [colors.yellow(`  ${rules}`)]),
    ...(rows.length === 0 ? ['  nothing changed'] : table(rows, colors)),
  ];
}

/** `token.expired on search/USER, chat/USER`, a line for each requirement. */
export function changeLines(found: readonly Change[]): string[] {
  const more = found.length - MOST_REQUIREMENTS;
  const lines = found.slice(0, MOST_REQUIREMENTS).map(({ requirement, units }) => {
    const others = units.length - MOST_UNITS;
    return visible(
      `${requirement} on ${units.slice(0, MOST_UNITS).join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
    );
  });
  return more > 0 ? [...lines, `${more} more, see the report`] : lines;
}
