import { type Contract, DEPTHS, DIMENSIONS, FAMILIES } from '../contract/contract.ts';
import { citedSections } from '../contract/sections.ts';
import { ENDINGS, type Ending, EXIT_CODES } from '../judge/ending.ts';
import { describeOutcome } from '../judge/wording.ts';
import { sectionLines } from '../render/step-lines.ts';
import { GRAVITY, MEANINGS } from '../report/verdict-words.ts';
import type { About } from './explain-cases.ts';
import type { Section } from './explain-context.ts';
import { aboutRule } from './explain-requirement.ts';
import { FAMILY_MEANINGS } from './explain-term.ts';
import { OUTPUT_WORDS } from './output-words.ts';

/**
 * Explains a word that an output prints, in either case: verdicts, endings, exit codes, depths, statuses, sections, dimensions,
 * freedoms, and labels.
 */
export const aboutWord: About = ({ contract }, id) => {
  const word = id.toLowerCase();
  const means = meaningOf(contract, word);
  const found = [
    ...(means === undefined ? [] : [{ title: id, rows: [['', means] as const] }]),
    ...(aboutSection(contract, word) ?? []),
    ...(aboutStatus(contract, word) ?? []),
    ...(aboutDimension(contract, word) ?? []),
    ...(aboutFreedom(contract, word) ?? []),
  ];
  return found.length === 0 ? undefined : found;
};

/** The words that can be suggested. */
export const KNOWN_WORDS: readonly string[] = [
  ...GRAVITY,
  ...ENDINGS,
  ...DEPTHS,
  ...DIMENSIONS,
  ...Object.keys(OUTPUT_WORDS),
];

function meaningOf(contract: Contract, word: string): string | undefined {
  const verdict = GRAVITY.find((known) => known === word.replace(' ', '-'));
  const ending = ENDINGS.find((known) => known === word.replaceAll(' ', '-'));
  const depth = DEPTHS.find((known) => known === word);
  const family = FAMILIES.find((known) => known === word);
  const meanings = [
    ...(verdict ? [`a verdict: ${MEANINGS[verdict]}`] : []),
    ...(ending ? [`an ending of a run, with exit code ${EXIT_CODES[ending]}: ${ENDING_MEANINGS[ending]}`] : []),
    ...(depth ? [`a depth: ${contract.matrix.depths[depth].description}`] : []),
    ...(family ? [`a family of kinds: ${FAMILY_MEANINGS[family]}`] : []),
    ...(Object.hasOwn(EXIT_MEANINGS, word) ? [`an exit code: ${EXIT_MEANINGS[word]}`] : []),
    ...(Object.hasOwn(OUTPUT_WORDS, word) ? [`${OUTPUT_WORDS[word]}`] : []),
  ];
  return meanings.length === 0 ? undefined : meanings.join('; ');
}

const ENDING_MEANINGS: Readonly<Record<Ending, string>> = {
  conforms: 'everything that is claimed is decided and passes',
  'conforms-except': 'the same, except for what the baseline lists',
  partial: 'nothing deviates in the part that was run',
  deviates: 'a requirement is broken that the baseline does not list',
  inconclusive: 'the network or a refused token kept something from being decided',
  incomplete: 'something that is claimed needs more variables',
};

const EXIT_MEANINGS: Readonly<Record<string, string>> = {
  '0': 'conforms, conforms except what the baseline lists, or a part in which nothing deviates',
  '1': 'deviates, or is too slow',
  '2': 'a variable, flag or address is wrong; nothing was tested',
  '3': 'inconclusive: something kept the run from deciding',
  '4': 'incomplete: something that is claimed needs more variables',
  '70': 'a defect of the suite, and not of the target: please report it',
  '130': 'somebody interrupted the run',
};

/** `5.1`, `spec 5.1`, `RFC 9110 15.5.2`. */
function aboutSection({ sections }: Contract, word: string): readonly Section[] | undefined {
  const [, rfc, number = ''] = /^(?:spec |(rfc \d+) )?(\d+(?:\.\d+)*)$/.exec(word) ?? [];
  const cited = citedSections(sections, rfc === undefined ? `spec ${number}` : `${rfc.toUpperCase()} ${number}`);
  if (number === '' || cited.length === 0) return undefined;
  return [{ title: `Section ${number}`, rows: sectionLines(cited).map((line) => ['', line] as const) }];
}

/** A status of HTTP: the rules that admit it. */
function aboutStatus(contract: Contract, word: string): readonly Section[] | undefined {
  if (!/^[1-5]\d\d$/.test(word)) return undefined;
  const rules = contract.rules.refusals.filter(({ outcome = [] }) =>
    outcome.some(({ status }) => [status].flat().includes(Number(word))),
  );
  const rows = rules.map(
    (rule) => [rule.id, `${rule.outcome?.map((one) => describeOutcome(contract, one)).join('; or ')}`] as const,
  );
  return [
    { title: `Status ${word}`, rows: [['', STATUS_MEANINGS[Number(word[0]) - 1] ?? '']] },
    ...(rows.length === 0 ? [] : [{ title: 'Rules that name it', rows }]),
  ];
}

const STATUS_MEANINGS = [
  'says that an answer follows',
  'the request was accepted',
  'a redirect, which the suite never follows',
  'the request was refused. 408, 425 and 429 say nothing about it: the run waits and sends it again',
  'the target failed. 502, 503, 504 and 52x come from a gateway: the run sends the request again',
];

function aboutDimension({ matrix }: Contract, word: string): readonly Section[] | undefined {
  const dimension = DIMENSIONS.find((known) => known === word.replaceAll(' ', '-'));
  if (dimension === undefined || dimension === 'operation' || dimension === 'kind') return undefined;
  const values = dimension === 'holding' ? HOLDINGS : matrix.dimensions[dimension];
  return [{ title: `The values of ${dimension}`, rows: Object.entries(values) }];
}

const HOLDINGS: Readonly<Record<string, string>> = {
  all: 'every scope',
  none: 'no scope that covers an operation',
  'only:SCOPE': 'that scope alone',
  'all-but:SCOPE': 'every scope but that',
  'set:NAME': 'a set of scopes that the specification names',
};

/** What a report says under the name of a freedom: `act as, doubled`, `blank act-as`. */
function aboutFreedom(contract: Contract, word: string): readonly Section[] | undefined {
  const named: Readonly<Record<string, string>> = {
    'blank act-as': 'act-as.blank',
    'missing auth type': 'auth-type.missing',
  };
  const rule = contract.rules.refusals.find(
    ({ id, silent }) =>
      id === named[word] || (silent !== undefined && id.replace('.', ', ').replaceAll('-', ' ') === word),
  );
  return rule && [{ title: 'What is left open', rows: aboutRule(contract, rule) }];
}
