import { amount, counted, firstShown } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { type Contract, operationOf } from '../contract/contract.ts';
import { describeWanted } from '../judge/miss.ts';
import { curlFor } from '../plan/curl.ts';
import { allSuspects, type Suspect } from '../plan/expectation.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Settings } from '../settings/settings.ts';
import { howToMake } from '../settings/variable-meanings.ts';

export function aboutCase(
  { contract, find, core, parts, settings, words }: ExplainContext,
  planned: PlannedCase,
): Section[] {
  const { values, expectation, credential } = planned;
  const operation = operationOf(contract, values.operation);
  const { dimensions, kinds } = contract.matrix;
  const rows = contract.dimensions.flatMap((dimension): Row[] => {
    const value = values[dimension] ?? '-';
    switch (dimension) {
      case 'operation':
        return [[dimension, `${operation.method} ${operation.path}${needed(operation.scopes)}`]];
      case 'kind':
        return [[dimension, `${value}: ${kinds[value]?.made ?? words.families[kinds[value]?.family ?? '']}`]];
      case 'holding':
        return value === '-' ? [] : [[dimension, `${value}: the scope is ${values.scope}`]];
      default:
        return value === '-' ? [] : [[dimension, `${value}: ${dimensions[dimension]?.[value]}`]];
    }
  });
  const token = settings.catalogue.tokens.find(({ name }) => name === credential?.variable);
  const control = planned.control === undefined ? undefined : find(planned.control);
  return [
    section(`Case ${planned.id} (${core.has(planned.id) ? 'every depth' : 'not at depth core'})`, []),
    section(
      'What is sent',
      given<Row>([
        ...rows,
        credential && ['token', credential.recipe],
        token && ['how to create', howToMake(contract, token)],
      ]),
    ),
    section('Admitted answers', [describeWanted(contract, expectation, operation)]),
    section(
      'Why',
      allSuspects(expectation).flatMap((suspect) => reasonsOf(contract, suspect)),
    ),
    ...sectionIfAny(
      'Control (must be accepted; the refusal proves nothing while its token is accepted nowhere)',
      control ? [control.id] : [],
    ),
    section('Send it yourself', [curlFor(parts, settings, planned)]),
  ];
}

const needed = (scopes: readonly string[]) => (scopes.length > 0 ? `; needs the scope ${scopes.join(' and ')}` : '');

function reasonsOf(contract: Contract, { rule: id, requirement, attribution }: Suspect): readonly Row[] {
  const rule = contract.rules.refusals.find((known) => known.id === id);
  const { basis, reason } = attribution;
  const how = rule ? `rule ${id}` : 'decided by its acceptance';
  return [
    [requirement, citedText(contract, requirement)],
    ...(rule?.silent === undefined ? [] : [`left open: ${rule.silent}`]),
    `${how}, ${basis}${reason === undefined ? '' : `: ${reason}`}`,
  ];
}

/** Cases that an explanation names. */
const MOST_CASES = 5;

const andMore = (more: number) => `and ${amount(more)} more`;

/** Some of these cases, the plainest first. */
export function exampleCases(cases: readonly PlannedCase[]): Section {
  const plainest = [...cases].sort((a, b) => a.deviations - b.deviations).map(({ id }) => id);
  return section(`${counted(cases.length, 'case')} at depth full`, firstShown(plainest, MOST_CASES, andMore));
}

/** A part of an explanation: a title, and rows of a name and its text. */
export interface Section {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}
/** A row with a name, or a text without one. */
export type Row = string | Section['rows'][number];

export function section(title: string, rows: readonly Row[]): Section {
  return { title, rows: rows.map((row) => (typeof row === 'string' ? ['', row] : row)) };
}

export function sectionIfAny(title: string, rows: readonly Row[]): readonly Section[] {
  return rows.length === 0 ? [] : [section(title, rows)];
}

/** What explanations are made from: the contract and all cases, planned as if every variable were set. */
export interface ExplainContext {
  readonly contract: Contract;
  /** To plan all cases takes half a second, so the first explanation that needs them does it. */
  readonly plan: () => Pick<Plan, 'cases' | 'groups'>;
  /** Plans one case. Undefined if there is none with this id. */
  readonly find: (id: string) => PlannedCase | undefined;
  readonly coreAbout: (requirement: string) => readonly PlannedCase[];
  readonly core: ReadonlySet<string>;
  readonly parts: RequestParts;
  readonly settings: Settings;
  readonly words: Words;
}

export type Words = Readonly<
  Record<
    'outputs' | 'endings' | 'exits' | 'statuses' | 'holdings' | 'families' | 'capabilities' | 'measures',
    Readonly<Record<string, string>>
  >
>;

/** The text of a requirement, with its source and level. */
export function citedText({ requirements }: Contract, id: string): string {
  const requirement = requirements.find((known) => known.id === id);
  return requirement ? `${requirement.text ?? ''} (${requirement.source}, ${requirement.level})` : '';
}
