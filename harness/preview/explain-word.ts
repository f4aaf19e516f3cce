import { type Contract, DEPTHS, FAMILIES } from '../contract/contract.ts';
import { citedSections } from '../contract/sections.ts';
import { ENDINGS, EXIT_CODES } from '../judge/ending.ts';
import { freedomsLeftBy } from '../judge/freedoms.ts';
import { sectionLines } from '../render/step-lines.ts';
import { GRAVITY, MEANINGS } from '../report/verdict-words.ts';
import { type ExplainContext, type Row, type Section, section, sectionIfAny, type Words } from './explain-case.ts';
import { aboutRule, outcomesIn } from './explain-requirement.ts';
import type { About } from './explain-term.ts';

/**
 * Explains a word that an output prints, in either case: verdicts, endings, exit codes, depths, statuses, sections, dimensions,
 * freedoms, and labels.
 */
export const aboutWord: About = ({ contract, words }, id) => {
  const word = id.toLowerCase();
  const meanings = meaningsOf(contract, words, word);
  const found = [
    ...sectionIfAny(id, meanings.length === 0 ? [] : [meanings.join('; ')]),
    ...aboutSection(contract, word),
    ...aboutStatus(contract, words, word),
    ...aboutDimension(contract, words, word),
    ...aboutFreedom(contract, word),
  ];
  return found.length === 0 ? undefined : found;
};

export function knownWords({ contract, words }: ExplainContext): readonly string[] {
  return [...GRAVITY, ...ENDINGS, ...DEPTHS, ...contract.dimensions, ...Object.keys(words.outputs)];
}

function meaningsOf(contract: Contract, words: Words, word: string): readonly string[] {
  const { matrix } = contract;
  const verdict = GRAVITY.find((known) => known === word.replace(' ', '-'));
  const ending = ENDINGS.find((known) => known === word.replaceAll(' ', '-'));
  const depth = DEPTHS.find((known) => known === word);
  const family = FAMILIES.find((known) => known === word);
  return [
    ...(verdict ? [`a verdict: ${MEANINGS[verdict]}`] : []),
    ...(ending ? [`an ending of a run, with exit code ${EXIT_CODES[ending]}: ${words.endings[ending]}`] : []),
    ...(depth ? [`a depth: ${matrix.depths[depth].description}`] : []),
    ...(family ? [`a family of kinds: ${words.families[family]}`] : []),
    ...(Object.hasOwn(words.exits, word) ? [`an exit code: ${words.exits[word]}`] : []),
    ...(Object.hasOwn(words.outputs, word) ? [withNames(contract, `${words.outputs[word]}`)] : []),
  ];
}

/** A meaning with the names of the contract in the places of `{kinds}` and others. */
function withNames({ matrix, operations }: Contract, meaning: string): string {
  const names: Readonly<Record<string, readonly string[]>> = {
    operations: operations.map(({ id }) => id),
    kinds: Object.keys(matrix.kinds).filter((kind) => matrix.kinds[kind]?.validities),
    scopes: matrix.scopes.length > 0 ? matrix.scopes : ['this contract has none'],
  };
  return meaning.replace(/\{(\w+)\}/g, (whole, name: string) => names[name]?.join(', ') ?? whole);
}

/** `5.1`, `spec 5.1`, `RFC 9110 15.5.2`. */
function aboutSection({ sections }: Contract, word: string): readonly Section[] {
  const [, rfc, number = ''] = /^(?:spec |(rfc \d+) )?(\d+(?:\.\d+)*)$/.exec(word) ?? [];
  if (number === '') return [];
  const cited = citedSections(sections, rfc === undefined ? `spec ${number}` : `${rfc.toUpperCase()} ${number}`);
  return sectionIfAny(`Section ${number}`, sectionLines(cited));
}

/** A status of HTTP: the rules that admit it. */
function aboutStatus(contract: Contract, { statuses }: Words, word: string): readonly Section[] {
  if (!/^[1-5]\d\d$/.test(word)) return [];
  const rules = contract.rules.refusals.filter(({ outcome = [] }) =>
    outcome.some(({ status }) => [status].flat().includes(Number(word))),
  );
  const rows = rules.map((rule): Row => [rule.id, outcomesIn(contract, rule)]);
  return [section(`Status ${word}`, [statuses[word.charAt(0)] ?? '']), ...sectionIfAny('Rules that name it', rows)];
}

function aboutDimension({ matrix, dimensions }: Contract, { holdings }: Words, word: string): readonly Section[] {
  const dimension = dimensions.find((known) => known === word.replaceAll(' ', '-'));
  if (dimension === undefined || dimension === 'operation' || dimension === 'kind') return [];
  const values = dimension === 'holding' ? holdings : matrix.dimensions[dimension];
  return [section(`The values of ${dimension}`, Object.entries(values ?? {}))];
}

/** What a report says under the name of a freedom: `act as, doubled`, `blank act-as`. */
function aboutFreedom(contract: Contract, word: string): readonly Section[] {
  const left = freedomsLeftBy(contract).find(({ freedom }) => freedom === word);
  const rule = contract.rules.refusals.find(({ id }) => id === left?.rule);
  return rule ? [section('What is left open', aboutRule(contract, rule))] : [];
}
