import { LAWS } from '../contract/variations.ts';
import type { ReportedVaried } from '../report/varied.ts';
import { type Colors, table } from './terminal-table.ts';
import { KIND_WORDS, LAW_WORDS, notVariedRows, variedAmount } from './varied-words.ts';

/** What was varied, in the lines of both `plan` and `run`: a row for each kind of variation that was tried. */
export function renderVaried(varied: readonly ReportedVaried[], colors: Colors): string[] {
  const kinds = [...new Set(varied.filter(({ tried }) => tried > 0).map(({ variation }) => variation))];
  if (kinds.length === 0) return [];
  const rows = kinds.map((kind) => {
    const amounts = LAWS.map((law) => {
      const one = varied.find(({ law: other, variation }) => other === law && variation === kind);
      return `${LAW_WORDS[law]} ${one ? variedAmount(one) : '-'}`;
    });
    return [KIND_WORDS[kind], amounts.join(', ')];
  });
  const left = notVariedRows(varied).map((line) => colors.dim(`  ${line}`));
  return [colors.bold('What was varied, and what must hold with it'), ...table(rows, colors), ...left];
}
