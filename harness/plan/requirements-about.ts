import { cites } from '../contract/citing-rules.ts';
import {
  type Contract,
  holds,
  operationOf,
  type Requirement,
  requirementFor,
  type Values,
  type When,
} from '../contract/contract.ts';
import { onceFor } from '../contract/once.ts';
import type { Operation } from '../contract/openapi.ts';
import { type Case, dimensionsIn, neutralCase } from './case.ts';
import { expand } from './expand.ts';
import { allSuspects, type Expectation, expect } from './expectation.ts';
import type { CheckHead } from './narrowing.ts';
import type { Plan } from './plan.ts';
import { type Factors, factorsOf, product, type Row } from './product.ts';

/** Every requirement that a case can decide: its suspects, and the requirements about the form of its answer. */
export function requirementsAbout(
  contract: Contract,
  { values, expectation }: { readonly values: Values; readonly expectation: Expectation },
): readonly string[] {
  const suspects = allSuspects(expectation).map(({ requirement }) => requirement);
  const { documentsBody } = operationOf(contract, values.operation);
  const onRefusal = Object.values(contract.rules.messages).map(({ requirement }) => requirement);
  const onAcceptance = [
    requirementFor('{operation}.response', values.operation),
    ...(documentsBody ? ['response.content-type'] : []),
  ];
  switch (expectation.kind) {
    case 'refuse':
      return [...suspects, ...onRefusal];
    case 'accept':
      return [...suspects, ...onAcceptance];
    case 'open':
      return [...suspects, ...onRefusal, ...onAcceptance];
  }
}

/** How many cases of depth full can decide each requirement. To count them takes seconds, so the build does it. */
export function casesAtFull(contract: Contract): Readonly<Record<string, number>> {
  if (contract.prepared) return contract.prepared.atFull;
  const counts: Record<string, number> = {};
  for (const { values } of expand(contract, 'full'))
    for (const id of new Set(requirementsAbout(contract, { values, expectation: expect(contract, values) })))
      counts[id] = (counts[id] ?? 0) + 1;
  return counts;
}

/** What a run can send. */
interface Sendable extends Pick<Plan, 'canSend'> {
  readonly kinds: readonly string[];
}

/** Checks with the requirements that a run can decide with its claims and tokens: a check that does not run leaves no others open. */
export function withinReach<C extends CheckHead>(
  contract: Contract,
  sendable: Sendable,
  checks: readonly C[],
): readonly C[] {
  const isWithin = onceFor((id: string) => isShownBy(contract, id, sendable));
  return checks.map((check) => ({ ...check, requirements: check.requirements.filter(isWithin) }));
}

/**
 * Whether the run can send one of the plainest cases that a requirement is about: those in which only the values differ from
 * a well-made request that a rule names. If no rule names the requirement, the well-made requests of the kinds that it
 * concerns. Every session asks this, and there are many such cases, so the search ends with the first.
 */
function isShownBy(contract: Contract, id: string, { kinds, canSend }: Sendable): boolean {
  const requirement = contract.requirements.find((known) => known.id === id) ?? { id };
  return conditionsOf(contract, requirement).conditions.some(({ operation, when }) =>
    kinds.some((kind) => plainestCases(contract, neutralCase(contract, operation.id, kind), when).some(canSend)),
  );
}

/** When a requirement is at stake: the conditions of the rules that cite it, or else what it concerns, on each operation. */
export function conditionsOf(
  { rules, operations: all }: Contract,
  { id, concerns = {} }: Pick<Requirement, 'id' | 'concerns'>,
  operations: readonly Operation[] = all,
) {
  const cited = operations.flatMap((operation) =>
    [...rules.refusals, ...rules.acceptances]
      .filter((rule) => cites([operation], id, rule))
      .map(({ when }) => ({ operation, when })),
  );
  const isCited = cited.length > 0;
  return { isCited, conditions: isCited ? cited : operations.map((operation) => ({ operation, when: concerns })) };
}

/** The cases that meet a condition and are otherwise like a well-made request. */
function plainestCases(contract: Contract, { values }: Case, when: When): readonly Case[] {
  const all = factorsOf(contract, values);
  const named = dimensionsIn(contract, when);
  const factors: Factors = new Map(
    [...all].map(([dimension, every]) => [dimension, named.includes(dimension) ? every : [values[dimension] ?? '']]),
  );
  // A row that cannot meet the condition any more becomes no case.
  const mayHold = (row: Row) => {
    const known = Object.entries(when).filter(([aspect]) => row[aspect] !== undefined);
    return holds(Object.fromEntries(known), row);
  };
  return product(contract, factors, mayHold).filter((found) => holds(when, found.values));
}
