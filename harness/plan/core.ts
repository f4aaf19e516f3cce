import { type Contract, DIMENSIONS, type Values } from '../contract/contract.ts';
import { type Case, differing, makeCase } from './case.ts';
import { faultsOf } from './expectation.ts';
import type { Factors } from './product.ts';

/** The neutral case, every case that differs from it in one dimension, and pairs of faults. */
export function coreCases(contract: Contract, neutral: Case, factors: Factors): readonly Case[] {
  const single = singleDeviations(contract, neutral, factors);
  return [neutral, ...single, ...pairsOfFaults(contract, neutral.values, [neutral, ...single])];
}

/** Every case that differs from the neutral case in one dimension. */
function singleDeviations(contract: Contract, neutral: Case, factors: Factors): Case[] {
  return DIMENSIONS.flatMap((dimension) =>
    factors[dimension]
      .filter((value) => value !== neutral.values[dimension])
      .map((value) => makeCase(contract, { ...neutral.values, [dimension]: value })),
  );
}

/**
 * Cases that break two rules at once (`faults` in matrix.yaml), and cases that break one rule and send a header that the
 * token does not need (`beside`). The first value that breaks a rule represents the others.
 */
function pairsOfFaults(contract: Contract, neutral: Values, candidates: readonly Case[]): Case[] {
  const { core } = contract.matrix.depths;
  const representatives = new Map<string, Case>();
  for (const candidate of candidates) {
    const rule = faultsOf(contract, candidate.values).find(({ id }) => core.faults.includes(id));
    if (rule && !representatives.has(rule.requirement)) representatives.set(rule.requirement, candidate);
  }
  const faults = [...representatives.values()];
  const beside = Object.entries(core.beside).map(([dimension, value]) =>
    makeCase(contract, { ...neutral, [dimension]: value }),
  );
  return faults.flatMap((first, index) =>
    [...faults.slice(index + 1), ...beside].flatMap((second) => {
      const both = combine(neutral, first.values, second.values);
      return both ? [makeCase(contract, both)] : [];
    }),
  );
}

/** The neutral values with both deviations; undefined if both are in the same dimension. */
function combine(neutral: Values, first: Values, second: Values): Values | undefined {
  const [a] = differing(neutral, first);
  const [b] = differing(neutral, second);
  return a && b && a !== b ? { ...neutral, [a]: first[a], [b]: second[b] } : undefined;
}
