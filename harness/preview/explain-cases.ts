import { type Contract, DIMENSIONS } from '../contract/contract.ts';
import { unitOf } from '../plan/group.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { amount, counted } from '../render/amounts.ts';
import type { ExplainContext, Section } from './explain-context.ts';

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
