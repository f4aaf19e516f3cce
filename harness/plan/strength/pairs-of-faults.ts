import { type Contract, DIMENSIONS, type Values } from '../../contract/contract.ts';
import type { Catalogue } from '../../settings/catalogue.ts';
import { type Case, differing, exclusionOf, makeCase, neutralCase } from '../case.ts';
import { faultsOf } from '../expectation.ts';
import { type Factors, factorsOf } from '../product.ts';
import { cheapestFirst, STAGES, stageOf } from './cost.ts';

/**
 * One case for each pair of documented faults (`faults` in matrix.yaml): the cheapest one that breaks both requirements
 * and no other, with the tokens that a run is likeliest to have. A check of one must not disable the check of the other, whatever the order of the checks.
 */
export function pairsOfFaults(catalogue: Catalogue): readonly Case[] {
  const { contract } = catalogue;
  const candidates = contract.operations.flatMap(({ id }) =>
    Object.keys(contract.matrix.kinds).flatMap((kind) =>
      doubleFaults(contract, neutralCase(contract, id, kind).values, factorsOf(contract, id, kind)),
    ),
  );
  const pairs = new Map<string, Case>();
  const likeliest = cheapestFirst(catalogue, candidates)
    .map((candidate) => ({ candidate, stage: STAGES.indexOf(stageOf(catalogue, candidate.values)) }))
    .sort((a, b) => a.stage - b.stage);
  for (const { candidate } of likeliest) {
    const pair = requirementsOf(contract, candidate.values).sort().join(' ');
    if (!pairs.has(pair)) pairs.set(pair, candidate);
  }
  return [...pairs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
}

/** Every case of the product that differs from the neutral one in two dimensions, and each difference is a fault. */
function doubleFaults(contract: Contract, neutral: Values, factors: Factors): readonly Case[] {
  const { faults } = contract.matrix.depths.core;
  const isDocumented = (values: Values) => faultsOf(contract, values).some(({ id }) => faults.includes(id));
  const single = DIMENSIONS.flatMap((dimension) =>
    factors[dimension].map((value) => makeCase(contract, { ...neutral, [dimension]: value }).values),
  ).filter(isDocumented);
  return single.flatMap((first, index) =>
    single.slice(index + 1).flatMap((second) => {
      const both = { ...second, ...changes(neutral, first) };
      const found = makeCase(contract, both);
      const isPair = requirementsOf(contract, found.values).length === 2;
      return isPair && exclusionOf(contract.matrix.exclusions, found.values) === undefined ? [found] : [];
    }),
  );
}

function changes(neutral: Values, values: Values): Partial<Values> {
  return Object.fromEntries(differing(neutral, values).map((dimension) => [dimension, values[dimension]]));
}

function requirementsOf(contract: Contract, values: Values): string[] {
  return [...new Set(faultsOf(contract, values).map(({ requirement }) => requirement))];
}
