import covertable from 'covertable';
import {
  type Contract,
  type Depth,
  DIMENSIONS,
  type Dimension,
  operationOf,
  type Values,
} from '../contract/contract.ts';
import { formOf } from '../contract/holdings.ts';
import { type Case, differing, exclusionOf, makeCase, neutralCase, valuesOf } from './case.ts';
import { faultsOf } from './expectation.ts';

/** Every case of a depth, each once: by operation, by kind, then as the dimensions list their values. */
export function expand(contract: Contract, depth: Depth): readonly Case[] {
  const cases = new Map<string, Case>();
  for (const { id: operation } of contract.operations)
    for (const kind of Object.keys(contract.matrix.kinds))
      for (const found of ofKind(contract, depth, operation, kind)) cases.set(found.id, found);
  return [...cases.values()];
}

/** The cases of a depth. */
export type CasesAt = (depth: Depth) => readonly Case[];

/**
 * The cases of each depth, expanded when they are first asked for. The product takes half a second, and a run asks for it
 * to mint tokens, to plan and to read a baseline: it makes one of these and passes it on.
 */
export function expandOnce(contract: Contract): CasesAt {
  const known = new Map<Depth, readonly Case[]>();
  return (depth) => {
    const cases = known.get(depth) ?? expand(contract, depth);
    known.set(depth, cases);
    return cases;
  };
}

function ofKind(contract: Contract, depth: Depth, operation: string, kind: string): readonly Case[] {
  const factors = factorsOf(contract, operation, kind);
  const admits = (exclusions: Contract['matrix']['exclusions']) => (candidate: Case) =>
    exclusionOf(exclusions, candidate.values) === undefined;
  const inProduct = admits(contract.matrix.exclusions);
  switch (depth) {
    case 'core': {
      const inCore = admits(contract.matrix.depths.core.exclusions);
      return [
        ...singles(contract, operation, kind, factors),
        ...pairsOfFaults(contract, operation, kind, factors),
      ].filter((candidate) => inProduct(candidate) && inCore(candidate));
    }
    case 'pairwise': {
      const covering = coveringArray(contract, factors, neutralCase(contract, operation, kind).values, inProduct);
      return [...ofKind(contract, 'core', operation, kind), ...covering];
    }
    case 'full':
      return product(contract, factors);
  }
}

type Factors = Readonly<Record<Dimension, readonly string[]>>;

function factorsOf(contract: Contract, operationId: string, kindId: string): Factors {
  const operation = operationOf(contract, operationId);
  const kind = contract.matrix.kinds[kindId];
  if (!kind) throw new Error(`no kind ${kindId} in the contract`);
  const factors = DIMENSIONS.map((dimension) => [dimension, valuesOf(contract, operation, kind, dimension)] as const);
  return { ...(Object.fromEntries(factors) as Factors), kind: [kindId] };
}

/** The neutral case and every case that differs from it in one dimension. */
function singles(contract: Contract, operation: string, kind: string, factors: Factors): Case[] {
  const neutral = neutralCase(contract, operation, kind);
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
function pairsOfFaults(contract: Contract, operation: string, kind: string, factors: Factors): Case[] {
  const neutral = neutralCase(contract, operation, kind).values;
  const representatives = new Map<string, Case>();
  for (const single of singles(contract, operation, kind, factors)) {
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

/** A covering array, and the neutral case with each pair of values that the exclusions took out of the array's rows. */
function coveringArray(
  contract: Contract,
  factors: Factors,
  neutral: Values,
  admits: (candidate: Case) => boolean,
): Case[] {
  const length = contract.matrix.depths.pairwise.strength;
  const rows = covertable.make(factors as Record<Dimension, string[]>, { length }) as Record<Dimension, string>[];
  const [kept, dropped]: [Case[], Case[]] = [[], []];
  for (const candidate of rows.map((row) => makeCase(contract, row)))
    (admits(candidate) ? kept : dropped).push(candidate);
  const covered = new Set(kept.flatMap(({ values }) => pairsOf(values)));
  for (const { values } of dropped)
    for (const [a, b] of DIMENSION_PAIRS) {
      const repaired = makeCase(contract, { ...neutral, [a]: values[a], [b]: values[b] });
      if (covered.has(pairOf(values, a, b)) || !admits(repaired)) continue;
      kept.push(repaired);
      for (const pair of pairsOf(repaired.values)) covered.add(pair);
    }
  return kept;
}

const DIMENSION_PAIRS = DIMENSIONS.flatMap((a, index) => DIMENSIONS.slice(index + 1).map((b) => [a, b] as const));

function pairOf(values: Values, a: Dimension, b: Dimension): string {
  return `${a}:${values[a]} ${b}:${values[b]}`;
}

/** Every pair of values in a case, as text. */
export function pairsOf(values: Values): string[] {
  return DIMENSION_PAIRS.map(([a, b]) => pairOf(values, a, b));
}

/** The whole product; an exclusion prunes as soon as the dimensions that it names are chosen. */
function product(contract: Contract, factors: Factors): Case[] {
  const { exclusions } = contract.matrix;
  let rows: Record<Dimension, string>[] = [{} as Record<Dimension, string>];
  for (const [index, dimension] of DIMENSIONS.entries()) {
    const chosen: ReadonlySet<string> = new Set([
      ...DIMENSIONS.slice(0, index + 1),
      ...(index >= HOLDING ? ['holding-form'] : []),
    ]);
    const decided = exclusions.filter(({ when }) => Object.keys(when).every((aspect) => chosen.has(aspect)));
    rows = rows
      .flatMap((row) => factors[dimension].map((value) => ({ ...row, [dimension]: value })))
      .filter((row) => exclusionOf(decided, { ...row, 'holding-form': formOf(row.holding) }) === undefined);
  }
  return rows
    .map((row) => makeCase(contract, row))
    .filter(({ values }) => exclusionOf(exclusions, values) === undefined);
}

const HOLDING = DIMENSIONS.indexOf('holding');
