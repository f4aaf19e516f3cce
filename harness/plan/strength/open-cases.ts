import { type Contract, DIMENSIONS, type Dimension, type Rule } from '../../contract/contract.ts';
import type { Case } from '../case.ts';
import { faultsOf, silentRulesOf } from '../expectation.ts';
import type { Isolated } from './isolation.ts';

/**
 * The cases without a fault in which one rule leaves something open, as cases that isolate this rule. Only the values
 * that the rule names count. There, only a server error is wrong, so each of these values is sent once at every depth.
 */
export function openCases(contract: Contract, cases: readonly Case[]): readonly Isolated[] {
  return cases.flatMap(({ id, values }) => {
    const [rule, ...others] = silentRulesOf(contract, values);
    if (!rule || others.length > 0 || faultsOf(contract, values).length > 0) return [];
    const named = dimensionsOf(rule);
    const counted = Object.fromEntries(DIMENSIONS.map((name) => [name, named.includes(name) ? values[name] : '-']));
    return [{ id, values: { ...values, ...counted }, rule: rule.id, isClear: true }];
  });
}

function dimensionsOf({ when }: Rule): readonly Dimension[] {
  return DIMENSIONS.filter((name) => name in when || (name === 'kind' && 'family' in when));
}
