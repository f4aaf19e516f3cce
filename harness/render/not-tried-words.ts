import { visible } from '../contract/visible-text.ts';
import type { NotTried } from '../report/not-tried.ts';
import { counted } from './amounts.ts';
import { type Colors, MOST_LISTED } from './terminal-table.ts';

/** What was not tried, in the words of every output. */
export interface NotTriedWords {
  /** `9 checks not run (they need --intrusive): bursts, tampering`. */
  readonly what: string;
  /** `bears on token.tampered, token.unknown`. */
  readonly bearing: string;
  readonly requirements: readonly string[];
}

/** A line for each reason, and one for everything that no claim needs. */
export function notTriedInWords(list: readonly NotTried[]): readonly NotTriedWords[] {
  const optional = list.filter(({ what }) => what === 'optional');
  const needs = optional.map(neededFor);
  const tokens = needs.length > MOST_LISTED ? `${needs.length} tokens that are not set` : needs.join(', ');
  const [first] = optional;
  return [
    ...list.filter(({ what }) => what !== 'optional').map((one) => inWords(one, reasonOf(one))),
    ...(first ? [inWords({ ...first, ...together(optional) }, `they need ${tokens}`)] : []),
  ];
}

function together(list: readonly NotTried[]): Pick<NotTried, 'count' | 'requirements'> {
  const count = list.reduce((sum, one) => sum + one.count, 0);
  return { count, requirements: [...new Set(list.flatMap(({ requirements }) => requirements))] };
}

function reasonOf(one: NotTried): string {
  return one.variable === undefined ? one.reason : `they need ${neededFor(one)}`;
}

function neededFor({ reason, variable }: NotTried): string {
  return variable === undefined ? reason : `$${variable}`;
}

function inWords({ what, count, checks, requirements }: NotTried, why: string): NotTriedWords {
  const names = checks.length === 0 ? '' : `: ${checks.join(', ')}`;
  return {
    what: `${counted(count, NOUNS[what])} ${DEEDS[what]}${why === DEEDS[what] ? '' : ` (${why})`}${names}`,
    bearing: `bears on ${requirements.join(', ')}`,
    requirements,
  };
}

const NOUNS = {
  checks: 'check',
  unfinished: 'check',
  ways: 'check',
  cases: 'case',
  optional: 'optional case',
} as const;
const DEEDS = {
  checks: 'not run',
  unfinished: 'not run to the end',
  ways: 'run only in the most telling ways',
  cases: 'not sent',
  optional: 'not sent',
} as const;

/** What a run does not try, in the lines of both `plan` and `run`. */
export function renderNotTried(list: readonly NotTried[], colors: Colors): string[] {
  if (list.length === 0) return [];
  const lines = notTriedInWords(list).flatMap(({ what, bearing }) => [
    `  ${visible(what)}`,
    colors.dim(`    ${visible(bearing)}`),
  ]);
  return [colors.bold('Not tried'), ...lines];
}
