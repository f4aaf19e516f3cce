import { visible } from '../contract/visible-text.ts';
import type { NotTried } from '../report/not-tried.ts';
import { notTriedInWords } from './not-tried-words.ts';
import type { Colors } from './terminal-table.ts';

/** What a run does not try, in the lines of both `plan` and `run`. */
export function renderNotTried(list: readonly NotTried[], colors: Colors): string[] {
  if (list.length === 0) return [];
  const lines = notTriedInWords(list).flatMap(({ what, bearing }) => [
    `  ${visible(what)}`,
    colors.dim(`    ${visible(bearing)}`),
  ]);
  return [colors.bold('Not tried'), ...lines];
}
