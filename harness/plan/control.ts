import type { Contract, Dimension, Rule, Values } from '../contract/contract.ts';
import { type Case, caseId, dimensionsIn, withTraits } from './case.ts';
import { faultsOf, silentRulesOf } from './expectation.ts';

/**
 * The control of a case: the same request with its faults repaired (outcomes 2). If the specification leaves the
 * repaired request open, the open dimensions take the value of a well-made request too.
 * @param neutral the well-made request of the same kind; of another kind if the case has no token; undefined if no kind
 * has a token. A case of another kind has `neutral` as its control: with the same names of headers if its own kind has tokens.
 */
export function controlOf(contract: Contract, testCase: Case, neutral: Case | undefined): Case | undefined {
  if (neutral === undefined) return undefined;
  const isOther = neutral.values.kind !== testCase.values.kind;
  if (isOther && contract.matrix.kinds[testCase.values.kind]?.validities === undefined) return neutral;
  const values = isOther
    ? { ...neutral.values, 'header-case': testCase.values['header-case'] }
    : controlValues(contract, testCase.values, neutral.values);
  return { id: caseId(contract, values), values };
}

/** Whether an operation is refused to each token of a kind, even where the request is well-made, or that is left open. */
export function isBarred(contract: Contract, { values }: Case): boolean {
  const isIssued = contract.matrix.kinds[values.kind]?.validities !== undefined;
  return isIssued && [...faultsOf(contract, values), ...silentRulesOf(contract, values)].length > 0;
}

/** The values of the control of a case, from those of the well-made request of the same kind. */
export function controlValues(contract: Contract, values: Values, neutral: Values): Values {
  const repaired = repair(contract, values, neutral, faultsOf(contract, values));
  return repair(contract, repaired, neutral, silentRulesOf(contract, repaired));
}

/** Gives every dimension that one of the rules names the value of a well-made request. */
function repair(contract: Contract, values: Values, neutral: Values, rules: readonly Rule[]): Values {
  if (rules.length === 0) return values;
  const repaired: Record<Dimension, string> = {};
  for (const { when } of rules)
    for (const dimension of dimensionsIn(contract, when)) repaired[dimension] = neutral[dimension] ?? '';
  return withTraits(contract, { ...values, ...repaired });
}
