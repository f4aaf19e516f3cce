import type { Values } from './cases.ts';
import type { Aspect, Contract } from './contract.ts';
import type { Miss } from './judge.ts';
import type { Suspect } from './oracle.ts';
import type { CaseVerdict } from './verdicts.ts';

/** One cause: the smallest conjunction of at most three values that covers misses of one requirement and no pass of it. */
export interface Finding {
  readonly id: string;
  readonly verdict: 'fail' | 'warn' | 'inconclusive';
  /** The requirements it breaks; several when one rule holds for several operations. */
  readonly requirements: readonly string[];
  readonly template: string;
  readonly basis: Suspect['basis'];
  /** The values that all its cases share; empty when it breaks wherever the requirement applies. */
  readonly conditions: readonly { readonly aspect: Aspect; readonly value: string }[];
  readonly cases: readonly CaseVerdict[];
  /** The case that shows it best: the one with the fewest faults. */
  readonly example: CaseVerdict;
  /** Set when every case rests on one credential: the operator may have it wrong. */
  readonly caveat?: string;
}

// In the order in which a person would name a condition; ties are settled by it.
const ASPECTS: readonly Aspect[] = [
  'kind',
  'family',
  'operation',
  'validity',
  'scope',
  'holding-form',
  'act-as',
  'auth-type',
  'header-case',
  'authorization',
  'body',
  'holding',
];
const MOST_CONDITIONS = 3;
const COMBINATIONS = combinations(ASPECTS.length, MOST_CONDITIONS);

interface Missed {
  readonly verdict: CaseVerdict & { readonly miss: Miss };
  readonly suspects: readonly Suspect[];
}

/** Groups misses by cause, the widest first. Pure and deterministic. */
export function findCauses(contract: Contract, verdicts: readonly CaseVerdict[], trusted: boolean): readonly Finding[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.case.id, verdict]));
  const missed = verdicts.flatMap((verdict): Missed[] =>
    verdict.miss && (verdict.verdict === 'fail' || verdict.verdict === 'warn')
      ? [{ verdict: { ...verdict, miss: verdict.miss }, suspects: suspectsOf(verdict, verdict.miss, byId) }]
      : [],
  );
  const passes = passesByTemplate(contract, verdicts);
  const causes = [...cover(contract, missed, passes), ...unsteady(verdicts)];
  return causes.map((cause, index) => ({ id: `F${index + 1}`, ...cause, ...caveatFor(cause.cases, trusted) }));
}

/** A denial whose control is itself wrongly refused may only show what its control shows. */
function suspectsOf(
  { case: planned }: CaseVerdict,
  miss: Miss,
  byId: ReadonlyMap<string, CaseVerdict>,
): readonly Suspect[] {
  const twin = planned.twin === undefined ? undefined : byId.get(planned.twin);
  return twin?.miss && !miss.wronglyAccepted ? [...miss.suspects, ...twin.miss.suspects] : miss.suspects;
}

function passesByTemplate(
  contract: Contract,
  verdicts: readonly CaseVerdict[],
): ReadonlyMap<string, readonly Values[]> {
  const templates = new Map<string, string>();
  const entries = [...contract.rules.refusals, ...contract.rules.acceptances];
  for (const { requirement } of entries)
    for (const { id } of contract.operations) templates.set(requirement.replace('{operation}', id), requirement);
  const passes = new Map<string, Values[]>();
  for (const { satisfied, case: planned } of verdicts)
    for (const requirement of satisfied) {
      const template = templates.get(requirement) ?? requirement;
      const known = passes.get(template);
      if (known) known.push(planned.values);
      else passes.set(template, [planned.values]);
    }
  return passes;
}

type Cause = Omit<Finding, 'id' | 'caveat'>;

/** Greedy: again and again the requirement and conjunction that explain most of what is left. */
function cover(contract: Contract, missed: readonly Missed[], passes: ReadonlyMap<string, readonly Values[]>): Cause[] {
  const order = [...contract.rules.refusals, ...contract.rules.acceptances].map(({ requirement }) => requirement);
  const causes: Cause[] = [];
  let left = missed;
  while (left.length > 0) {
    const templates = [...new Set(left.flatMap(({ suspects }) => suspects.map(({ template }) => template)))];
    templates.sort((a, b) => rank(order, a) - rank(order, b));
    let best: { template: string; found: Conjunction; sole: number } | undefined;
    for (const template of templates) {
      const suspected = left.filter(({ suspects }) => suspects.some((suspect) => suspect.template === template));
      const found = widestConjunction(suspected, passes.get(template) ?? []);
      const sole = found.covered.filter(({ suspects }) => suspects.length === 1).length;
      if (!best || better({ found, sole }, best)) best = { template, found, sole };
    }
    if (!best) break;
    const { template, found } = best;
    causes.push(causeOf(template, found.conditions, found.covered));
    const explained = new Set(found.covered);
    left = left.filter((miss) => !explained.has(miss));
  }
  return causes;
}

function better(a: { found: Conjunction; sole: number }, b: { found: Conjunction; sole: number }): boolean {
  if (a.found.covered.length !== b.found.covered.length) return a.found.covered.length > b.found.covered.length;
  if (a.sole !== b.sole) return a.sole > b.sole;
  return a.found.conditions.length < b.found.conditions.length;
}

function rank(order: readonly string[], template: string): number {
  const index = order.indexOf(template);
  return index < 0 ? order.length : index;
}

interface Conjunction {
  readonly conditions: Finding['conditions'];
  readonly covered: readonly Missed[];
}

/** The conjunction that covers most misses and no pass; the smallest among equals; a single miss when none does. */
function widestConjunction(missed: readonly Missed[], passes: readonly Values[]): Conjunction {
  let best: { aspects: readonly Aspect[]; key: string; count: number } | undefined;
  for (const indices of COMBINATIONS) {
    if (best && best.count === missed.length && indices.length > best.aspects.length) break;
    const aspects = indices.map((index) => ASPECTS[index] ?? 'kind');
    const keyOf = (values: Values) => aspects.map((aspect) => values[aspect]).join('|');
    const counts = new Map<string, number>();
    for (const { verdict } of missed) {
      const key = keyOf(verdict.case.values);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const values of passes) counts.delete(keyOf(values));
    for (const [key, count] of counts) if (!best || count > best.count) best = { aspects, key, count };
  }
  const first = missed[0];
  if (!best || !first) return { conditions: [], covered: missed.slice(0, 1) };
  const { aspects, key } = best;
  const covered = missed.filter(
    ({ verdict }) => aspects.map((aspect) => verdict.case.values[aspect]).join('|') === key,
  );
  const sample = covered[0]?.verdict.case.values;
  return { covered, conditions: sample ? aspects.map((aspect) => ({ aspect, value: sample[aspect] })) : [] };
}

function causeOf(template: string, conditions: Finding['conditions'], covered: readonly Missed[]): Cause {
  const cases = covered.map(({ verdict }) => verdict);
  const suspects = covered.flatMap((miss) => miss.suspects.filter((suspect) => suspect.template === template));
  return {
    verdict: cases.some(({ verdict }) => verdict === 'fail') ? 'fail' : 'warn',
    template,
    requirements: [...new Set(suspects.map(({ requirement }) => requirement))].sort(),
    basis: suspects.some(({ basis }) => basis === 'interpreted') ? 'interpreted' : 'stated',
    conditions,
    cases,
    example: plainest(cases),
  };
}

/** Wrong refusals that came and went: inconclusive, but worth a cause of their own, one per requirement. */
function unsteady(verdicts: readonly CaseVerdict[]): Cause[] {
  const groups = new Map<string, CaseVerdict[]>();
  for (const verdict of verdicts) {
    const template =
      verdict.verdict === 'inconclusive' && verdict.reason?.startsWith('intermittent')
        ? verdict.miss?.suspects[0]?.template
        : undefined;
    if (template !== undefined) groups.set(template, [...(groups.get(template) ?? []), verdict]);
  }
  return [...groups].map(([template, cases]) => ({
    verdict: 'inconclusive',
    template,
    requirements: [
      ...new Set(cases.flatMap(({ miss }) => miss?.suspects.slice(0, 1).map(({ requirement }) => requirement) ?? [])),
    ],
    basis: 'stated',
    conditions: [],
    cases,
    example: plainest(cases),
  }));
}

/** The case with the fewest rules against it, then the shortest id. */
function plainest(cases: readonly CaseVerdict[]): CaseVerdict {
  const weight = ({ case: { expectation, id } }: CaseVerdict) => expectation.suspects.length * 1000 + id.length;
  return cases.reduce((best, other) => (weight(other) < weight(best) ? other : best));
}

function caveatFor(cases: readonly CaseVerdict[], trusted: boolean): { caveat?: string } {
  const variables = new Set(cases.map(({ case: planned }) => planned.credential?.variable));
  const [only] = variables;
  if (trusted || variables.size !== 1 || only === undefined || only.startsWith('(')) return {};
  return { caveat: `or $${only} is not what its name says: check its kind, scopes and expiry where it was created` };
}

/** Index combinations of 0 to `most` out of `count`, the smaller first. */
function combinations(count: number, most: number): readonly (readonly number[])[] {
  const all: number[][] = [[]];
  for (let from = 0; from < all.length; from += 1) {
    const base = all[from] ?? [];
    if (base.length === most) break;
    for (let next = (base.at(-1) ?? -1) + 1; next < count; next += 1) all.push([...base, next]);
  }
  return all;
}
