import type { Values } from './cases.ts';
import type { Aspect, Contract } from './contract.ts';
import type { Decision } from './journal.ts';
import type { Miss } from './judge.ts';
import type { Suspect } from './oracle.ts';
import type { CaseVerdict } from './verdicts.ts';

/** Values that a set of cases shares; empty where they share none. */
export type Conjunction = readonly { readonly aspect: Aspect; readonly value: string }[];

/**
 * One cause: misses of one requirement with the same wrong status. Each of its places is the smallest conjunction of at
 * most three values that covers misses and no pass.
 */
export interface Finding {
  readonly id: string;
  readonly verdict: 'fail' | 'warn' | 'inconclusive';
  /** The requirements it breaks; several when one rule holds for several operations. */
  readonly requirements: readonly string[];
  readonly template: string;
  readonly basis: Suspect['basis'];
  /** Where it breaks: one of these; a single empty one means wherever the requirement applies. */
  readonly places: readonly Conjunction[];
  readonly cases: readonly CaseVerdict[];
  /** What hand-written checks found of the same requirements. */
  readonly decisions: readonly Decision[];
  /** The case that shows it best, the one with the fewest faults; undefined where only checks found it. */
  readonly example: CaseVerdict | undefined;
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
export function findCauses(
  contract: Contract,
  verdicts: readonly CaseVerdict[],
  decisions: readonly Decision[],
  trusted: boolean,
): readonly Finding[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.case.id, verdict]));
  const missed = verdicts.flatMap((verdict): Missed[] =>
    verdict.miss && (verdict.verdict === 'fail' || verdict.verdict === 'warn')
      ? [{ verdict: { ...verdict, miss: verdict.miss }, suspects: suspectsOf(verdict, verdict.miss, byId) }]
      : [],
  );
  const passes = passesByTemplate(contract, verdicts);
  const causes = withDecisions([...cover(contract, missed, passes), ...unsteady(verdicts)], decisions);
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
    let best: { template: string; found: Cover; sole: number } | undefined;
    for (const template of templates) {
      const suspected = left.filter(({ suspects }) => suspects.some((suspect) => suspect.template === template));
      const found = widestConjunction(suspected, passes.get(template) ?? []);
      const sole = found.covered.filter(({ suspects }) => suspects.length === 1).length;
      if (!best || better({ found, sole }, best)) best = { template, found, sole };
    }
    if (!best) break;
    const { template, found } = best;
    causes.push(causeOf(template, found.place, found.covered));
    const explained = new Set(found.covered);
    left = left.filter((miss) => !explained.has(miss));
  }
  return mergeAlike(causes);
}

/** A rule that is broken in several places in the same way is one cause. */
function mergeAlike(causes: readonly Cause[]): Cause[] {
  const merged = new Map<string, Cause>();
  for (const cause of causes) {
    const observation = cause.example?.observation;
    const key = `${cause.template} ${observation?.kind === 'answer' ? observation.status : 'no answer'}`;
    const known = merged.get(key);
    merged.set(key, known ? join(known, cause) : cause);
  }
  return [...merged.values()];
}

function join(a: Cause, b: Cause): Cause {
  const cases = [...a.cases, ...b.cases];
  return {
    ...a,
    verdict: a.verdict === 'fail' ? 'fail' : b.verdict,
    requirements: [...new Set([...a.requirements, ...b.requirements])].sort(),
    places: [...a.places, ...b.places],
    cases,
    example: plainest(cases),
  };
}

function better(a: { found: Cover; sole: number }, b: { found: Cover; sole: number }): boolean {
  if (a.found.covered.length !== b.found.covered.length) return a.found.covered.length > b.found.covered.length;
  if (a.sole !== b.sole) return a.sole > b.sole;
  return a.found.place.length < b.found.place.length;
}

function rank(order: readonly string[], template: string): number {
  const index = order.indexOf(template);
  return index < 0 ? order.length : index;
}

interface Cover {
  readonly place: Conjunction;
  readonly covered: readonly Missed[];
}

/** The conjunction that covers most misses and no pass; the smallest among equals; a single miss when none does. */
function widestConjunction(missed: readonly Missed[], passes: readonly Values[]): Cover {
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
  if (!best || !first) return { place: [], covered: missed.slice(0, 1) };
  const { aspects, key } = best;
  const covered = missed.filter(
    ({ verdict }) => aspects.map((aspect) => verdict.case.values[aspect]).join('|') === key,
  );
  const sample = covered[0]?.verdict.case.values;
  return { covered, place: sample ? aspects.map((aspect) => ({ aspect, value: sample[aspect] })) : [] };
}

function causeOf(template: string, place: Conjunction, covered: readonly Missed[]): Cause {
  const cases = covered.map(({ verdict }) => verdict);
  const suspects = covered.flatMap((miss) => miss.suspects.filter((suspect) => suspect.template === template));
  return {
    verdict: cases.some(({ verdict }) => verdict === 'fail') ? 'fail' : 'warn',
    template,
    requirements: [...new Set(suspects.map(({ requirement }) => requirement))].sort(),
    basis: suspects.some(({ basis }) => basis === 'interpreted') ? 'interpreted' : 'stated',
    places: [place],
    cases,
    decisions: [],
    example: plainest(cases),
  };
}

/** What a check found belongs to the cause that the matrix found for the same requirement, or is one of its own. */
function withDecisions(causes: readonly Cause[], decisions: readonly Decision[]): Cause[] {
  const failed = decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const folded = causes.map((cause) =>
    cause.verdict === 'inconclusive'
      ? cause
      : { ...cause, decisions: failed.filter(({ requirement }) => cause.requirements.includes(requirement)) },
  );
  const known = new Set(folded.flatMap((cause) => (cause.verdict === 'inconclusive' ? [] : cause.requirements)));
  const own = [...new Set(failed.map(({ requirement }) => requirement))].filter(
    (requirement) => !known.has(requirement),
  );
  return [
    ...folded,
    ...own.map((requirement): Cause => {
      const found = failed.filter((decision) => decision.requirement === requirement);
      const verdict = found.some((decision) => decision.verdict === 'fail') ? 'fail' : 'warn';
      return {
        verdict,
        template: requirement,
        requirements: [requirement],
        basis: 'stated',
        places: [],
        cases: [],
        decisions: found,
        example: undefined,
      };
    }),
  ];
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
    places: [],
    cases,
    decisions: [],
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
