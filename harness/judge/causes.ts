import type { Contract, Values } from '../contract/contract.ts';
import type { Suspect } from '../plan/expectation.ts';
import type { Decision } from '../record/exchange.ts';
import { type Conjunction, type Explanation, type Missed, widestConjunction } from './conjunction.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * One cause: misses of one requirement with the same wrong status. Each of its places is the smallest conjunction of at
 * most three values that covers misses and no pass.
 */
export interface Cause {
  readonly verdict: 'fail' | 'warn' | 'inconclusive';
  /** The requirements it breaks; several when one rule holds for several operations. */
  readonly requirements: readonly string[];
  readonly template: string;
  readonly basis: Suspect['basis'];
  /** Where it breaks: one of these; a single empty one means wherever the requirement applies. */
  readonly places: readonly Conjunction[];
  /** How many of its cases are in none of these places: no condition tells them from what passes. */
  readonly scattered: number;
  readonly cases: readonly CaseVerdict[];
  /** What hand-written checks found of the same requirements. */
  readonly decisions: readonly Decision[];
  /** The case that shows it best, the one with the fewest faults; undefined where only checks found it. */
  readonly example: CaseVerdict | undefined;
}

/** Misses that share nothing are told one by one up to so many; more are told as scattered. */
const MOST_ALONE = 10;
/** More places than a person reads. What is left then is told as scattered, rather than searched for minutes. */
const MOST_PLACES = 40;

/** Greedy: again and again the requirement and conjunction that explain most of what is left. */
export function findCauses(
  contract: Contract,
  missed: readonly Missed[],
  passes: ReadonlyMap<string, readonly Values[]>,
): Cause[] {
  const order = [...contract.rules.refusals, ...contract.rules.acceptances].map(({ requirement }) => requirement);
  const causes: Cause[] = [];
  const blamed = new Set<string>();
  let left = missed;
  while (left.length > 0) {
    const templates = [...new Set(left.flatMap(({ suspects }) => suspects.map(({ template }) => template)))];
    templates.sort((a, b) => rank(order, a) - rank(order, b));
    let best: Candidate | undefined;
    for (const template of templates) {
      const suspected = suspectedOf(left, template);
      const found = widestConjunction(suspected, passes.get(template) ?? []);
      const sole = found.covered.filter(({ suspects }) => suspects.length === 1).length;
      const candidate = { template, found, sole, isBlamed: blamed.has(template) };
      if (!best || better(candidate, best)) best = candidate;
    }
    if (!best) break;
    const { template, found } = best;
    const isAlone = found.covered.length === 1 && left.length > MOST_ALONE;
    const covered = isAlone || causes.length >= MOST_PLACES ? suspectedOf(left, template) : found.covered;
    causes.push(causeOf(template, covered === found.covered ? found.place : undefined, covered));
    blamed.add(template);
    const explained = new Set(covered);
    left = left.filter((miss) => !explained.has(miss));
  }
  return mergeAlike(causes).sort((a, b) => b.cases.length - a.cases.length);
}

function suspectedOf(missed: readonly Missed[], template: string): readonly Missed[] {
  return missed.filter(({ suspects }) => suspects.some((suspect) => suspect.template === template));
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
    scattered: a.scattered + b.scattered,
    cases,
    example: plainest(cases, a.template),
  };
}

interface Candidate {
  readonly template: string;
  readonly found: Explanation;
  /** How many of the misses are suspected of nothing else. */
  readonly sole: number;
  /** It explains other misses already: one cause is likelier than two. */
  readonly isBlamed: boolean;
}

function better(a: Candidate, b: Candidate): boolean {
  if (a.found.covered.length !== b.found.covered.length) return a.found.covered.length > b.found.covered.length;
  if (a.sole !== b.sole) return a.sole > b.sole;
  if (a.isBlamed !== b.isBlamed) return a.isBlamed;
  return a.found.place.length < b.found.place.length;
}

function rank(order: readonly string[], template: string): number {
  const index = order.indexOf(template);
  return index < 0 ? order.length : index;
}

function causeOf(template: string, place: Conjunction | undefined, covered: readonly Missed[]): Cause {
  const cases = covered.map(({ verdict }) => verdict);
  const blamedFor = (miss: Missed) => miss.suspects.filter((suspect) => suspect.template === template);
  const suspects = covered.flatMap(blamedFor);
  // A case may fail for another of its faults: what counts is the level of the requirement that is blamed.
  const fails = covered.some(
    (miss) => miss.verdict.verdict === 'fail' && blamedFor(miss).some(({ level }) => level === 'must'),
  );
  return {
    verdict: fails ? 'fail' : 'warn',
    template,
    requirements: [...new Set(suspects.map(({ requirement }) => requirement))].sort(),
    basis: suspects.some(({ basis }) => basis === 'interpreted') ? 'interpreted' : 'stated',
    places: place ? [place] : [],
    scattered: place ? 0 : cases.length,
    cases,
    decisions: [],
    example: plainest(cases, template),
  };
}

/** The case that shows a cause best: judged on that requirement itself, nearest to a well-made request, first in the plan. */
export function plainest(cases: readonly CaseVerdict[], template: string): CaseVerdict {
  const weight = ({ case: planned }: CaseVerdict) =>
    (planned.expectation.suspects.some((suspect) => suspect.template === template) ? 0 : 1000) +
    planned.expectation.suspects.length * 10 * Number(planned.expectation.kind === 'refuse') +
    planned.deviations;
  return cases.reduce((best, other) => (weight(other) < weight(best) ? other : best));
}
