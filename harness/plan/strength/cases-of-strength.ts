import type { Contract } from '../../contract/contract.ts';
import { type Catalogue, catalogueOf } from '../../settings/catalogue.ts';
import type { Case } from '../case.ts';
import { chooseInSteps, type Step } from './choose.ts';
import type { Strength } from './combinations.ts';
import { cheapestFirst } from './cost.ts';
import { casesWithoutMasking, type Isolated, isolationOf } from './isolation.ts';
import { openCases } from './open-cases.ts';
import { pairsOfFaults } from './pairs-of-faults.ts';
import { stageOf } from './stages.ts';

/**
 * The cases with which a run sees every fault that depends on up to so many values: one at depth core, two at pairwise,
 * three at triples. Each depth holds the cases of the one before. All of them also hold each pair of documented faults,
 * and each value that the specification leaves open, once.
 *
 * The choice depends on the contract alone, so that each run at a depth sends the same cases, except those for which it
 * has no token.
 */
export function casesOfStrength(contract: Contract, strength: Strength): readonly Case[] {
  const catalogue = catalogueOf(contract);
  const unmasked = cheapestFirst(catalogue, casesWithoutMasking(contract));
  const isolated = unmasked.flatMap((one) => isolationOf(contract, one) ?? []);
  const open = openCases(
    contract,
    unmasked.filter(({ values }) => stageOf(catalogue, values) !== 'command'),
  );
  const pairs = pairsOfFaults(catalogue);
  const chosen = [
    ...chosenFor(catalogue, isolated, strength),
    ...chooseInSteps([], [{ strength: 1, known: open, candidates: open }]),
    ...pairs,
  ];
  const known = new Map([...unmasked, ...pairs].map((one) => [one.id, one]));
  return byUnit(
    contract,
    chosen.flatMap(({ id }) => known.get(id) ?? []),
  );
}

/** Each case once, ordered by operation, then by kind. */
function byUnit({ operations, matrix }: Contract, cases: readonly Case[]): readonly Case[] {
  const all = [...new Set(cases)];
  return operations.flatMap(({ id }) =>
    Object.keys(matrix.kinds).flatMap((kind) =>
      all.filter(({ values }) => values.operation === id && values.kind === kind),
    ),
  );
}

/** The isolating cases: first those for which variables supply the tokens, then those that need TOKEN_COMMAND. */
function chosenFor(catalogue: Catalogue, all: readonly Isolated[], strength: Strength): readonly Isolated[] {
  const withVariables = all.filter(({ values }) => stageOf(catalogue, values) !== 'command');
  const ofService = withVariables.filter(({ values }) => stageOf(catalogue, values) === 'service');
  const step = (strength: Strength, known: readonly Isolated[], candidates = known): Step => ({
    strength,
    known,
    candidates,
  });
  const service = chooseInSteps([], [step(1, ofService)]);
  const two = chooseInSteps(service, [step(2, withVariables)]);
  const one = chooseInSteps(service, [step(1, withVariables, two), step(1, withVariables), step(1, all)]);
  switch (strength) {
    case 1:
      return one;
    case 2:
      return chooseInSteps([...two, ...one], [step(2, all)]);
    case 3:
      return chooseInSteps([...two, ...one], [step(2, all), step(3, withVariables), step(3, all)]);
  }
}
