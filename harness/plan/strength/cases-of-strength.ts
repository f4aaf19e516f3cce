import { groupedBy } from '../../contract/collections.ts';
import type { Contract } from '../../contract/contract.ts';
import { type Catalogue, catalogueOf } from '../../settings/catalogue.ts';
import { type Case, dimensionsIn, unitOf, unitsIn } from '../case.ts';
import { faultsOf, silentRulesOf } from '../expectation.ts';
import { type Combinations, createCombinations, pairsOfFaults } from './combinations.ts';
import { cheapestFirst, STAGES, type Stage, stageOf } from './cost.ts';
import { documentedRows } from './documented-rows.ts';
import { casesWithoutMasking, type Isolated, isolationOf } from './isolation.ts';
import { type Numbering, numberingOf, type Strength } from './numbering.ts';

/**
 * The cases of a depth: every documented row of each operation and kind, and what shows every fault that depends on up to
 * so many values: one at depth core, two at pairwise, three at triples. Each depth holds the cases of the one before. All
 * of them also hold each pair of documented faults, and each value that the specification leaves open, once.
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
    ...chooseInSteps(contract, [], [{ strength: 1, known: open, candidates: open }]),
    ...pairs,
  ];
  const known = new Map([...unmasked, ...pairs].map((one) => [one.id, one]));
  return byUnit(
    contract,
    chosen.flatMap(({ id }) => known.get(id) ?? []),
  );
}

/** Each case once, ordered by operation, then by kind. */
function byUnit(contract: Contract, cases: readonly Case[]): readonly Case[] {
  const units = groupedBy(new Set(cases), ({ values }) => unitOf(values));
  return unitsIn(contract).flatMap((unit) => units.get(unitOf(unit)) ?? []);
}

/**
 * The isolating cases: each documented row, and what the strength asks beyond. Those whose tokens a run is likely to have
 * come first, and each stage sees all that its tokens and those before it can show. So a run that lacks the tokens of a
 * later stage still sees everything that its own can show.
 */
function chosenFor(catalogue: Catalogue, all: readonly Isolated[], strength: Strength): readonly Isolated[] {
  const { contract } = catalogue;
  const stages = new Map(all.map((one) => [one, STAGES.indexOf(stageOf(catalogue, one.values))]));
  const upTo = (last: Stage) => all.filter((one) => (stages.get(one) ?? 0) <= STAGES.indexOf(last));
  const step = (of: Strength, known: readonly Isolated[], candidates = known): Step => ({
    strength: of,
    known,
    candidates,
  });
  const [required, service, usual] = [upTo('required'), upTo('service'), upTo('oauth')];
  const rows = documentedRows(catalogue, all);
  const ofService = chooseInSteps(contract, rows, [step(1, required), step(1, service)]);
  const two = chooseInSteps(contract, ofService, [step(2, service), step(2, usual)]);
  // Strength 1 takes what strength 2 takes, where it can. Otherwise pairwise would have to send both.
  const one = chooseInSteps(contract, ofService, [step(1, usual, two), step(1, usual), step(1, all)]);
  switch (strength) {
    case 1:
      return one;
    case 2:
      return chooseInSteps(contract, [...two, ...one], [step(2, all)]);
    case 3:
      return chooseInSteps(contract, [...two, ...one], [step(2, all), step(3, service), step(3, usual), step(3, all)]);
  }
}

/**
 * The cases without a fault in which one rule leaves something open, as cases that isolate this rule. Only the values
 * that the rule names count. There, only a server error is wrong, so each of these values is sent once at every depth.
 */
function openCases(contract: Contract, cases: readonly Case[]): readonly Isolated[] {
  return cases.flatMap(({ id, values }) => {
    const [rule, ...others] = silentRulesOf(contract, values);
    if (!rule || others.length > 0 || faultsOf(contract, values).length > 0) return [];
    const named = dimensionsIn(contract, rule.when);
    const counted = Object.fromEntries(
      contract.dimensions.map((name) => [name, named.includes(name) ? (values[name] ?? '') : '-']),
    );
    return [{ id, values: { ...values, ...counted }, rule: rule.id, isClear: true }];
  });
}

/** Chooses among `candidates`, which are in the order that decides between equals, so that all they can show is seen. */
export interface Step {
  readonly strength: Strength;
  /** Every case that can be sent, with the candidates. */
  readonly known: readonly Isolated[];
  readonly candidates: readonly Isolated[];
}

/** Adds to what is sent anyway, one step after the other. */
export function chooseInSteps(
  contract: Contract,
  before: readonly Isolated[],
  steps: readonly Step[],
): readonly Isolated[] {
  const sent = [...before];
  const numbering = numberingOf(contract, [...new Set(steps.flatMap(({ known }) => known))]);
  for (const step of steps) sent.push(...choose(sent, step, numbering));
  return sent;
}

function choose(
  before: readonly Isolated[],
  { strength, known, candidates }: Step,
  numbering: Numbering,
): readonly Isolated[] {
  const combinations = createCombinations(known, [strength], numbering);
  const isKnown = new Set(known);
  for (const one of before) if (isKnown.has(one)) combinations.add(one);
  return withoutRedundant(combinations, greedily(combinations, candidates));
}

/** Takes the case with the largest gain until no case adds anything. A gain never grows, so cases wait in a list for each gain. */
function greedily(combinations: Combinations, candidates: readonly Isolated[]): readonly Isolated[] {
  const waiting: number[][] = [];
  const wait = (index: number, gain: number) => {
    if (gain === 0) return;
    waiting[gain] ??= [];
    waiting[gain].push(index);
  };
  for (const [index, one] of candidates.entries()) wait(index, combinations.gain(one));
  const chosen: Isolated[] = [];
  for (let gain = waiting.length - 1; gain > 0; gain -= 1)
    for (const index of (waiting[gain] ?? []).sort((a, b) => a - b)) {
      const one = candidates[index];
      if (!one) continue;
      const now = combinations.gain(one);
      if (now < gain) {
        wait(index, now);
        continue;
      }
      combinations.add(one);
      chosen.push(one);
    }
  return chosen;
}

/** Later choices can make an earlier one superfluous. The last choices add least, so they are tried first. */
function withoutRedundant(combinations: Combinations, chosen: readonly Isolated[]): readonly Isolated[] {
  const kept: Isolated[] = [];
  for (const one of [...chosen].reverse())
    if (combinations.isRedundant(one)) combinations.remove(one);
    else kept.push(one);
  return kept.reverse();
}
