import { operationOf, type Values } from '../../contract/contract.ts';
import type { Catalogue } from '../../settings/catalogue.ts';
import { type Case, differing, neutralCases } from '../case.ts';
import { faultsOf } from '../expectation.ts';

/**
 * Orders cases by what they cost. A chat that is accepted costs its target most (outcomes 6), then any other chat, then
 * a token that no claim requires. Few deviations from a well-made request are easier to read.
 */
export function cheapestFirst<C extends Case>(catalogue: Catalogue, cases: readonly C[]): readonly C[] {
  const { contract } = catalogue;
  const neutral = neutralCases(contract);
  const required = new Set(catalogue.kinds.flatMap((kind) => catalogue.required(kind, true)));
  const costOf = (values: Values): readonly number[] => {
    const { isSlow } = operationOf(contract, values.operation);
    const variable = variableOf(catalogue, values);
    const chat = faultsOf(contract, values).length > 0 ? 1 : 2;
    const isOptional = catalogue.kinds.includes(values.kind) && (variable === undefined || !required.has(variable));
    return [
      isSlow ? chat : 0,
      isOptional ? 1 : 0,
      differing(contract, values, neutral(values.operation, values.kind).values).length,
    ];
  };
  return cases
    .map((one) => ({ one, cost: costOf(one.values) }))
    .sort((a, b) => compare(a.cost, b.cost) || (a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
}

/** Compares two lists of numbers: the first that differs decides. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

/**
 * How likely a run has the token of a case. `required`: a claim needs it, or the case has no token of its own; `service`:
 * another token that the service itself issues; `oauth`: an OAuth token with every scope or none; `rare`: any other one.
 */
export const STAGES = ['required', 'service', 'oauth', 'rare'] as const;
export type Stage = (typeof STAGES)[number];

export function stageOf(catalogue: Catalogue, values: Values): Stage {
  if (!catalogue.kinds.includes(values.kind)) return 'required';
  const variable = variableOf(catalogue, values);
  if (variable === undefined) return 'rare';
  if (values.family === 'service')
    return catalogue.required(values.kind, false).includes(variable) ? 'required' : 'service';
  const isUsual = values['holding-form'] === 'all' || values['holding-form'] === 'none';
  return isUsual && values.validity !== 'future-expiry' ? 'oauth' : 'rare';
}

/** The variable that supplies the token of a case. A tampered token is made from a valid one. */
export function variableOf(catalogue: Catalogue, values: Values): string | undefined {
  return catalogue.supplying(values.validity === 'tampered' ? { ...values, validity: 'valid' } : values);
}
