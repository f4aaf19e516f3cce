import { LAWS, type Law } from '../contract/variations.ts';
import type { ReportedVaried } from '../report/varied.ts';
import { amount } from './amounts.ts';
import { type Colors, table } from './terminal-table.ts';

/** What each law wants of an answer. */
export const LAW_WORDS: Readonly<Record<Law, string>> = {
  refusal: 'refused',
  sighting: 'hidden',
  acceptance: 'accepted',
};

/** `1,003 of 1,010`, or `-` where nothing was tried. */
export function variedAmount({ tried, known }: Pick<ReportedVaried, 'tried' | 'known'>): string {
  return tried === 0 ? '-' : tried === known ? amount(tried) : `${amount(tried)} of ${amount(known)}`;
}

/** The kinds that a run could have tried with more, by the reason. */
export function notVariedRows(varied: readonly ReportedVaried[]): readonly string[] {
  const reasons = new Map<string, Set<string>>();
  for (const { variation, tried, why } of varied)
    if (why !== null && tried > 0) reasons.set(why, (reasons.get(why) ?? new Set()).add(KIND_WORDS[variation]));
  return [...reasons].map(([why, kinds]) => `${why}: ${[...kinds].join(', ')}`);
}

/** What is varied. */
export const KIND_WORDS: Readonly<Record<ReportedVaried['variation'], string>> = {
  header: 'headers',
  cookie: 'cookies',
  parameter: 'parameters',
  field: 'body fields',
  method: 'methods',
  path: 'paths',
  'content-type': 'content types',
  transport: 'transports',
  authorization: 'Authorization lines',
  'auth-type': 'authentication types',
  person: 'spellings of a person',
  name: 'spellings of header names',
  place: 'places of the token',
  query: 'queries',
};

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
