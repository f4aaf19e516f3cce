import { type Contract, DIMENSIONS, type Dimension, type Rule, type Values } from '../contract/contract.ts';
import { type Case, makeCase } from './case.ts';
import { expect, faultsOf, silentRulesOf } from './expectation.ts';

/**
 * The control of a case: the same request with its faulted dimensions as a well-made one has them. Where that would rest on
 * something the specification leaves open, it is made ordinary too.
 * @param neutral the well-made request of its kind; of another kind where the case has no token of its own, undefined
 * where no kind can vouch for it.
 */
export function controlOf(contract: Contract, found: Case, neutral: Case | undefined): Case | undefined {
  if (neutral === undefined || neutral.values.kind !== found.values.kind) return neutral;
  const faults = repair(found.values, neutral.values, faultsOf(contract, found.values));
  const control = makeCase(contract, faults);
  if (expect(contract, control.values).kind === 'accept') return control;
  return makeCase(contract, repair(control.values, neutral.values, silentRulesOf(contract, control.values)));
}

/** The values with every dimension that one of the rules asks for as a well-made request has it. */
function repair(values: Values, neutral: Values, rules: readonly Rule[]): Values {
  const repaired: Record<Dimension, string> = { ...values };
  for (const rule of rules)
    for (const dimension of dimensionsOf(Object.keys(rule.when))) repaired[dimension] = neutral[dimension];
  return { ...values, ...repaired };
}

/** The dimensions that a rule's condition can be repaired in. */
function dimensionsOf(aspects: readonly string[]): Dimension[] {
  return aspects.flatMap((aspect): Dimension[] => {
    if (aspect === 'scope' || aspect === 'holding-form') return ['holding'];
    const dimension = DIMENSIONS.find((name) => name === aspect);
    return dimension && dimension !== 'operation' && dimension !== 'kind' ? [dimension] : [];
  });
}
