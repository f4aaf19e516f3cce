import type { Contract } from '../../contract/contract.ts';
import { type Catalogue, catalogueOf } from '../../settings/catalogue.ts';
import type { Case } from '../case.ts';
import { unitOf } from '../group.ts';
import { chooseInSteps, type Step } from './choose.ts';
import { cheapestFirst } from './cost.ts';
import { casesWithoutMasking, type Isolated, isolationOf } from './isolation.ts';
import type { Strength } from './numbering.ts';
import { openCases } from './open-cases.ts';
import { pairsOfFaults } from './pairs-of-faults.ts';
import { STAGES, type Stage, stageOf } from './stages.ts';

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
    unmasked.filter(({ values }) => stageOf(catalogue, values) !== 'rare'),
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

/**
 * The isolating cases. Those whose tokens a run is likely to have come first, and each stage sees all that its tokens and
 * those before it can show. So a run that lacks the tokens of a later stage still sees everything that its own can show.
 */
function chosenFor(catalogue: Catalogue, all: readonly Isolated[], strength: Strength): readonly Isolated[] {
  const stages = new Map(all.map((one) => [one, STAGES.indexOf(stageOf(catalogue, one.values))]));
  const upTo = (last: Stage) => all.filter((one) => (stages.get(one) ?? 0) <= STAGES.indexOf(last));
  const step = (of: Strength, known: readonly Isolated[], candidates = known): Step => ({
    strength: of,
    known,
    candidates,
  });
  const [required, service, usual] = [upTo('required'), upTo('service'), upTo('oauth')];
  const ofService = chooseInSteps([], [step(1, required), step(1, service)]);
  const two = chooseInSteps(ofService, [step(2, service), step(2, usual)]);
  // Strength 1 takes what strength 2 takes, where it can. Otherwise pairwise would have to send both.
  const single = chooseInSteps(ofService, [step(1, usual, two), step(1, usual), step(1, all)]);
  const one = [...single, ...faultsOfUnits(catalogue.contract, required, single)];
  switch (strength) {
    case 1:
      return one;
    case 2:
      return chooseInSteps([...two, ...one], [step(2, all)]);
    case 3:
      return chooseInSteps([...two, ...one], [step(2, all), step(3, service), step(3, usual), step(3, all)]);
  }
}

/**
 * A case of each documented fault for each operation and kind where nothing chosen shows it: a requirement is decided for
 * each operation and kind, and the tokens that a claim needs must be enough. Only a case that leaves nothing open counts.
 * A missing scope is shown by a token with the scope of another operation: that is the proof both ways.
 */
function faultsOfUnits(
  { matrix }: Contract,
  cases: readonly Isolated[],
  chosen: readonly Isolated[],
): readonly Isolated[] {
  const { faults } = matrix.depths.core;
  const shows = ({ isClear, rule, values }: Isolated) =>
    isClear && faults.includes(rule) && (values.scope !== 'missing' || values['holding-form'] === 'single');
  const keyOf = ({ values, rule }: Isolated) => `${unitOf(values)} ${rule}`;
  const showing = cases.filter(shows);
  const ids = new Set(showing.map(({ id }) => id));
  const shown = new Set(chosen.filter(({ id }) => ids.has(id)).map(keyOf));
  const missing = new Map<string, Isolated>();
  for (const one of showing) if (!shown.has(keyOf(one)) && !missing.has(keyOf(one))) missing.set(keyOf(one), one);
  return [...missing.values()];
}
