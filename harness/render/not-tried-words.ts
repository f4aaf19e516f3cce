import { amount, counted } from '../contract/amounts.ts';
import { given, setsOf } from '../contract/collections.ts';
import { LAWS, type Law } from '../contract/variations.ts';
import { visible } from '../contract/visible-text.ts';
import type { NotTried, ReportedVaried } from '../report/not-tried.ts';
import { type Colors, MOST_LISTED, table, titled } from './amounts.ts';

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
  const [first] = optional;
  const count = optional.reduce((sum, one) => sum + one.count, 0);
  const requirements = [...new Set(optional.flatMap((one) => one.requirements))];
  const reasonOf = (one: NotTried) => (one.variable === undefined ? one.reason : `they need ${neededFor(one)}`);
  return given([
    ...list.filter(({ what }) => what !== 'optional').map((one) => inWords(one, reasonOf(one))),
    first && inWords({ ...first, count, requirements }, `they need ${allNeeded(optional)}`),
  ]);
}

/** Only TOKEN_COMMAND makes a token that has no variable. */
function allNeeded(list: readonly NotTried[]): string {
  if (list.length <= MOST_LISTED) return list.map(neededFor).join(', ');
  const variables = list.filter(({ variable }) => variable !== undefined).length;
  const others = list.length - variables;
  return given([
    variables > 0 && counted(variables, 'unset variable'),
    others > 0 && `${counted(others, 'token')} from TOKEN_COMMAND`,
  ]).join(' and ');
}

function neededFor({ reason, variable }: NotTried): string {
  return variable === undefined ? reason : `$${variable}`;
}

function inWords({ what, count, checks, requirements }: NotTried, why: string): NotTriedWords {
  const names = checks.length === 0 ? '' : `: ${checks.join(', ')}`;
  const [noun, deed] = WORDS[what];
  const reason = count === 1 ? why.replace(/^they need/, 'it needs') : why;
  return {
    what: `${counted(count, noun)} ${deed}${why === deed ? '' : ` (${reason})`}${names}`,
    bearing: `bears on ${requirements.join(', ')}`,
    requirements,
  };
}

const WORDS: Readonly<Record<NotTried['what'], readonly [noun: string, deed: string]>> = {
  checks: ['check', 'not run'],
  unfinished: ['check', 'not run to the end'],
  untried: ['check', 'run in part'],
  ways: ['check', 'run only in the most telling ways'],
  cases: ['case', 'not sent'],
  optional: ['optional case', 'not sent'],
};

/** What a run does not try, in the lines of both `plan` and `run`. */
export function renderNotTried(list: readonly NotTried[], colors: Colors): readonly string[] {
  const lines = notTriedInWords(list).flatMap(({ what, bearing }) => [
    `  ${visible(what)}`,
    colors.dim(`    ${visible(bearing)}`),
  ]);
  return titled('Not tried', lines, colors);
}

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
function notVariedRows(varied: readonly ReportedVaried[]): readonly string[] {
  const reasons = varied.flatMap(({ variation, tried, why }) =>
    why !== null && tried > 0 ? [[why, KIND_WORDS[variation]] as const] : [],
  );
  return [...setsOf(reasons)].map(([why, kinds]) => `${why}: ${[...kinds].join(', ')}`);
}

export const KIND_WORDS: Readonly<Record<ReportedVaried['variation'], string>> = {
  header: 'headers',
  cookie: 'cookies',
  parameter: 'parameters',
  field: 'body fields',
  method: 'methods',
  path: 'paths',
  'content-type': 'content types',
  transport: 'transports',
  route: 'ways to the target',
  authorization: 'Authorization lines',
  'auth-type': 'authentication types',
  person: 'spellings of a person',
  acting: 'lines that name several people or nobody',
  name: 'spellings of header names',
  place: 'places of the token',
  query: 'queries',
  conversation: 'names of conversations',
};

/** What was varied, in the lines of both `plan` and `run`: a row for each kind of variation that was tried. */
export function renderVaried(varied: readonly ReportedVaried[], colors: Colors): readonly string[] {
  const kinds = [...new Set(varied.filter(({ tried }) => tried > 0).map(({ variation }) => variation))];
  const rows = kinds.map((kind) => {
    const amounts = LAWS.flatMap((law) => {
      const one = varied.find(({ law: other, variation, tried }) => other === law && variation === kind && tried > 0);
      return one ? [`${LAW_WORDS[law]} ${variedAmount(one)}`] : [];
    });
    return [KIND_WORDS[kind], amounts.join(', ')];
  });
  const left = notVariedRows(varied).map((line) => colors.dim(`  ${line}`));
  return titled('What was varied, and what must hold with it', [...table(rows, colors), ...left], colors);
}
