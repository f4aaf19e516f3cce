import { type Contract, DIMENSIONS, operationOf, type Requirement } from '../contract/contract.ts';
import { describeWanted } from '../judge/miss.ts';
import { unitOf } from '../plan/case.ts';
import { curlFor } from '../plan/curl.ts';
import { allSuspects, type Suspect } from '../plan/expectation.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import { amount, counted } from '../render/amounts.ts';
import type { Settings } from '../settings/settings.ts';
import { howToMake } from '../settings/variable-meanings.ts';

export function aboutCase({ contract, find, core, parts, settings }: ExplainContext, planned: PlannedCase): Section[] {
  const { values, expectation, credential } = planned;
  const operation = operationOf(contract, values.operation);
  const { dimensions, kinds } = contract.matrix;
  const rows = DIMENSIONS.flatMap((dimension): [string, string][] => {
    const value = values[dimension];
    switch (dimension) {
      case 'operation':
        return [[dimension, `${operation.method} ${operation.path}; needs the scope ${operation.scope}`]];
      case 'kind':
        return [[dimension, `${value}, family ${kinds[value]?.family}`]];
      case 'holding':
        return value === '-' ? [] : [[dimension, `${value}: the scope is ${values.scope}`]];
      default:
        return value === '-' ? [] : [[dimension, `${value}: ${dimensions[dimension][value]}`]];
    }
  });
  const token = settings.catalogue.tokens.find(({ name }) => name === credential?.variable);
  const control = planned.control === undefined ? undefined : find(planned.control);
  return [
    { title: `Case ${planned.id} (${core.has(planned.id) ? 'every depth' : 'not at depth core'})`, rows: [] },
    {
      title: 'What is sent',
      rows: [
        ...rows,
        ...(credential ? [['token', credential.recipe] as const] : []),
        ...(token ? [['how to create', howToMake(contract, token)] as const] : []),
      ],
    },
    { title: 'Admitted answers', rows: [['', describeWanted(contract, expectation, operation)]] },
    {
      title: 'Why',
      rows: allSuspects(expectation).flatMap((suspect) => reasonsOf(contract, suspect)),
    },
    ...(control
      ? [
          {
            title: 'Control (must be accepted; the refusal proves nothing while its token is accepted nowhere)',
            rows: [['', control.id] as const],
          },
        ]
      : []),
    { title: 'Send it yourself', rows: [['', curlFor(parts, settings, planned)]] },
  ];
}

function reasonsOf(contract: Contract, { rule: id, requirement, attribution }: Suspect): (readonly [string, string])[] {
  const rule = contract.rules.refusals.find((known) => known.id === id);
  const { basis, reason } = attribution;
  const how = rule ? `rule ${id}` : 'decided by its acceptance';
  return [
    [requirement, citedText(contract.requirements.find((known) => known.id === requirement))],
    ...(rule?.silent === undefined ? [] : [['', `left open: ${rule.silent}`] as const]),
    ['', `${how}, ${basis}${reason === undefined ? '' : `: ${reason}`}`],
  ];
}

/** Cases that an explanation names. */
const MOST_CASES = 5;

/** Explains an id if it is one of its kind. */
export type About = (context: ExplainContext, id: string) => readonly Section[] | undefined;

/** A value of a dimension, as in an id (`act-as:blank`) or in a finding (`validity expired`). */
export const aboutValue: About = ({ contract, plan }, id) => {
  const [, name = '', value = ''] = /^([a-z-]+)[: ](.+)$/.exec(id) ?? [];
  const dimension = DIMENSIONS.find((known) => known === name);
  const meanings = dimension ? meaningsOf(contract, dimension) : {};
  const meaning = Object.hasOwn(meanings, value) ? meanings[value] : undefined;
  if (dimension === undefined || meaning === undefined) return undefined;
  return [
    { title: `${dimension} ${value}`, rows: [['', meaning]] },
    exampleCases([...plan().cases.values()].filter(({ values }) => values[dimension] === value)),
  ];
};

function meaningsOf({ matrix }: Contract, dimension: (typeof DIMENSIONS)[number]): Readonly<Record<string, string>> {
  switch (dimension) {
    case 'operation':
    case 'kind':
    case 'holding':
      return {};
    default:
      return matrix.dimensions[dimension];
  }
}

/** A group of cases, as in JUnit, or the cases of an operation and a kind. */
export const aboutGroup: About = ({ plan }, id) => {
  const group = plan().groups.find((known) => known.id === id);
  if (group) return [{ title: `Group ${id}`, rows: [] }, exampleCases(group.cases)];
  const ofUnit = [...plan().cases.values()].filter(({ values }) => unitOf(values) === id);
  return ofUnit.length > 0 ? [{ title: `The cases of ${id}`, rows: [] }, exampleCases(ofUnit)] : undefined;
};

/** Some of these cases, the plainest first. */
export function exampleCases(cases: readonly PlannedCase[]): Section {
  const plainest = [...cases].sort((a, b) => a.deviations - b.deviations).slice(0, MOST_CASES);
  const more = cases.length - plainest.length;
  return {
    title: `${counted(cases.length, 'case')} at depth full`,
    rows: [...plainest.map(({ id }) => id), ...(more > 0 ? [`and ${amount(more)} more`] : [])].map(
      (text) => ['', text] as const,
    ),
  };
}

/** A part of an explanation: a title, and rows of a name and its text. */
export interface Section {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}
/** What explanations are made from: the contract and all cases, planned as if every variable were set. */
export interface ExplainContext {
  readonly contract: Contract;
  /** To plan all cases takes half a second, so the first explanation that needs them does it. */
  readonly plan: () => Pick<Plan, 'cases' | 'groups'>;
  /** Plans one case. Undefined if there is none with this id. */
  readonly find: (id: string) => PlannedCase | undefined;
  /** The cases of depth core that can decide a requirement. */
  readonly coreAbout: (requirement: string) => readonly PlannedCase[];
  /** Ids of the cases of depth core. */
  readonly core: ReadonlySet<string>;
  readonly parts: RequestParts;
  readonly settings: Settings;
}

/** The text of a requirement, with its source and level. */
export function citedText(requirement: Requirement | undefined): string {
  return requirement ? `${requirement.text ?? ''} (${requirement.source}, ${requirement.level})` : '';
}
