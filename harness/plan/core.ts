import { type Contract, DIMENSIONS, type Values } from '../contract/contract.ts';
import { type Case, differing, makeCase } from './case.ts';
import { faultsOf } from './expectation.ts';
import type { Factors } from './factors.ts';

/** The cases around the neutral one: each fault alone, and each two of them together. */
export function coreCases(contract: Contract, neutral: Case, factors: Factors): readonly Case[] {
  const alone = singles(contract, neutral, factors);
  return [...alone, ...pairsOfFaults(contract, neutral.values, alone)];
}

/** The neutral case and every case that differs from it in one dimension. */
function singles(contract: Contract, neutral: Case, factors: Factors): Case[] {
  const deviations = DIMENSIONS.flatMap((dimension) =>
    factors[dimension]
      .filter((value) => value !== neutral.values[dimension])
      .map((value) => makeCase(contract, { ...neutral.values, [dimension]: value })),
  );
  return [neutral, ...deviations];
}

/**
 * Every two stated rules broken at once, and each broken beside a header that the token may not need. The first value
 * that breaks a rule stands for the others.
 */
function pairsOfFaults(contract: Contract, neutral: Values, alone: readonly Case[]): Case[] {
  const representatives = new Map<string, Case>();
  for (const single of alone) {
    const rule = faultsOf(contract, single.values).find(
      (fault) => fault.outcome !== undefined && fault.basis === 'stated',
    );
    if (rule && !representatives.has(rule.requirement)) representatives.set(rule.requirement, single);
  }
  const faults = [...representatives.values()];
  const beside = Object.entries(contract.matrix.depths.core.beside).map(([dimension, value]) =>
    makeCase(contract, { ...neutral, [dimension]: value }),
  );
  return faults.flatMap((first, index) =>
    [...faults.slice(index + 1), ...beside].flatMap((second) => {
      const both = combine(neutral, first.values, second.values);
      return both ? [makeCase(contract, both)] : [];
    }),
  );
}

/** The neutral values with both deviations, unless they are in the same dimension. */
function combine(neutral: Values, first: Values, second: Values): Values | undefined {
  const [a] = differing(neutral, first);
  const [b] = differing(neutral, second);
  return a && b && a !== b ? { ...neutral, [a]: first[a], [b]: second[b] } : undefined;
}
