import { joined } from '../contract/attribution.ts';
import type { Aspect, Attribution, Contract, Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { aspectsOf, type Conjunction, type Explanation, type Missed, widestConjunction } from './conjunction.ts';
import { OUTCOMES, outcomeOf, statusOf } from './judge-answer.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * Misses of one requirement by the same outcome: an acceptance, a refusal, or no answer. Each place is the smallest
 * conjunction of at most three values that covers misses and no pass (outcomes 3).
 */
export interface Cause {
  readonly verdict: 'fail' | 'warn' | 'inconclusive';
  /** The broken requirements. There are several when one rule applies to several operations. */
  readonly requirements: readonly string[];
  readonly template: string;
  /** Stated if anything stated is broken. */
  readonly attribution: Attribution;
  /** Where it is broken: in any of these places. A single empty place means wherever the requirement applies. */
  readonly places: readonly Conjunction[];
  /** The number of cases outside these places. No condition separates them from cases that pass. */
  readonly scattered: number;
  /** The last request of the run that the target refused, if it accepted all that it had to refuse after it. */
  readonly since?: number;
  readonly cases: readonly CaseVerdict[];
  /** What checks found about the same requirements. */
  readonly decisions: readonly Decision[];
  /** The clearest case that has the verdict of the cause. Undefined if only checks show that verdict. */
  readonly example: CaseVerdict | undefined;
}

/** Up to this many misses have a place of their own. More are counted as scattered. */
const MAX_SINGLE_MISSES = 10;
/** Nobody reads more places than this, and finding them takes minutes. Further misses are counted as scattered. */
const MAX_PLACES = 40;

/** Finds causes greedily: each step takes the requirement and the place that explain most of the remaining misses. */
export function findCauses(
  contract: Contract,
  missed: readonly Missed[],
  passes: ReadonlyMap<string, readonly Values[]>,
): Cause[] {
  const order = [...contract.rules.refusals, ...contract.rules.acceptances].map(({ requirement }) => requirement);
  const aspects = aspectsOf(contract);
  const causes: Cause[] = [];
  const blamed = new Set<string>();
  let left = missed;
  while (left.length > 0) {
    const templates = [...new Set(left.flatMap(({ suspects }) => suspects.map(({ template }) => template)))];
    templates.sort((a, b) => rank(order, a) - rank(order, b));
    let best: Candidate | undefined;
    for (const template of templates) {
      const explanation = widestConjunction(
        aspects,
        suspectedOf(left, template),
        passes.get(template) ?? [],
        ownAspects(contract, template),
      );
      const sole = explanation.covered.filter(({ suspects }) => suspects.length === 1).length;
      const candidate = { template, explanation, sole, isBlamed: blamed.has(template) };
      if (!best || isBetter(candidate, best)) best = candidate;
    }
    if (!best) break;
    const { template, explanation } = best;
    const isSingle = explanation.covered.length === 1 && left.length > MAX_SINGLE_MISSES;
    // Everywhere covers every pass, so it separates nothing if there is one.
    const isInseparable = explanation.place.length === 0 && (passes.get(template)?.length ?? 0) > 0;
    const isScattered = isSingle || isInseparable || causes.length >= MAX_PLACES;
    const covered = isScattered ? suspectedOf(left, template) : explanation.covered;
    const parts = partsOf(covered);
    const placesOf = (part: readonly Missed[]): readonly Conjunction[] => {
      if (isScattered) return [];
      if (parts.length === 1) return [explanation.place];
      return ownPlaces(contract, template, { part, shared: explanation, passes: passes.get(template) ?? [] });
    };
    causes.push(...parts.map((part) => causeOf(template, placesOf(part), part)));
    blamed.add(template);
    const explained = new Set(covered);
    left = left.filter((miss) => !explained.has(miss));
  }
  return mergeAlike(causes).sort((a, b) => b.cases.length - a.cases.length);
}

/** The aspects in which the rules of a requirement differ. None if it has one rule. */
function ownAspects(contract: Contract, template: string): readonly Aspect[] {
  const conditions = contract.rules.refusals
    .filter(({ requirement }) => requirement === template)
    .map(({ when }) => when);
  return aspectsOf(contract).filter(
    (aspect) => new Set(conditions.map((when) => JSON.stringify(when[aspect]))).size > 1,
  );
}

function suspectedOf(missed: readonly Missed[], template: string): readonly Missed[] {
  return missed.filter(({ suspects }) => suspects.some((suspect) => suspect.template === template));
}

/** The misses by their outcome: who lets in what he must refuse has another fault than who refuses it wrongly (outcomes 3). */
function partsOf(missed: readonly Missed[]): readonly (readonly Missed[])[] {
  return OUTCOMES.map((outcome) => missed.filter(({ verdict }) => outcomeOf(verdict.observation) === outcome)).filter(
    ({ length }) => length > 0,
  );
}

/** Some of the misses that share a place, and the values that pass. */
interface Part {
  readonly part: readonly Missed[];
  readonly shared: Explanation;
  readonly passes: readonly Values[];
}

/** The places of misses that share one: conditions that no other of them meets. The shared place, if nothing tells them apart. */
function ownPlaces(contract: Contract, template: string, { part, shared, passes }: Part): readonly Conjunction[] {
  const [aspects, own] = [aspectsOf(contract), ownAspects(contract, template)];
  const others = shared.covered.filter((miss) => !part.includes(miss)).map(({ verdict }) => verdict.case.values);
  const places: Conjunction[] = [];
  let left = part;
  while (left.length > 0) {
    const { place, covered } = widestConjunction(aspects, left, [...passes, ...others], own);
    if (place.length === 0 || places.length === MAX_SINGLE_MISSES) return [shared.place];
    places.push(place);
    left = left.filter((miss) => !covered.includes(miss));
  }
  return places;
}

/**
 * Merges causes of one requirement with the same wrong statuses: a rule broken in several places is one cause. What only warns
 * belongs to a failure of the requirement: who lets in requests without a token may refuse some of them as a stranger's.
 */
function mergeAlike(causes: readonly Cause[]): Cause[] {
  // Some operations accept with one status now and another one later.
  const wrongOf = ({ observation }: CaseVerdict) =>
    outcomeOf(observation) === 'accepted' ? '2xx' : statusOf(observation);
  const keyOf = ({ template, cases }: Cause) => [template, ...[...new Set(cases.map(wrongOf))].sort()].join(' ');
  const failures = new Map(causes.flatMap((one) => (one.verdict === 'fail' ? [[one.template, keyOf(one)]] : [])));
  const merged = new Map<string, Cause>();
  for (const cause of causes) {
    const key = (cause.verdict === 'warn' && failures.get(cause.template)) || keyOf(cause);
    const known = merged.get(key);
    merged.set(key, known ? mergeTwo(known, cause) : cause);
  }
  return [...merged.values()];
}

/** The first cause, with what the second one has. */
export function mergeTwo(a: Cause, b: Cause): Cause {
  const verdict = a.verdict === 'fail' ? 'fail' : b.verdict;
  const examples = [a, b].flatMap((cause) => (cause.verdict === verdict && cause.example ? [cause.example] : []));
  return {
    ...a,
    verdict,
    requirements: [...new Set([...a.requirements, ...b.requirements])].sort(),
    attribution: joined([a.attribution, b.attribution]),
    places: [...a.places, ...b.places],
    scattered: a.scattered + b.scattered,
    cases: [...a.cases, ...b.cases],
    // Only checks may show the verdict of both.
    example: examples.length > 0 ? clearestCase(examples, a.template) : undefined,
  };
}

interface Candidate {
  readonly template: string;
  readonly explanation: Explanation;
  /** The number of covered misses that have no other suspect. */
  readonly sole: number;
  /** It already explains other misses. One cause is more likely than two. */
  readonly isBlamed: boolean;
}

function isBetter(a: Candidate, b: Candidate): boolean {
  const [countA, countB] = [a.explanation.covered.length, b.explanation.covered.length];
  if (countA !== countB) return countA > countB;
  if (a.sole !== b.sole) return a.sole > b.sole;
  if (a.isBlamed !== b.isBlamed) return a.isBlamed;
  // A rule that is broken everywhere is more likely than one that is broken in a place. Of two places, none is more likely:
  // then the rule that comes first in rules.yaml is blamed, at every depth the same.
  return isEverywhere(a) && !isEverywhere(b);
}

function isEverywhere({ explanation }: Candidate): boolean {
  return explanation.place.length === 0;
}

function rank(order: readonly string[], template: string): number {
  const index = order.indexOf(template);
  return index < 0 ? order.length : index;
}

/** @param places empty if no condition separates the misses from cases that pass. */
function causeOf(template: string, places: readonly Conjunction[], covered: readonly Missed[]): Cause {
  const blamedFor = (miss: Missed) => miss.suspects.filter((suspect) => suspect.template === template);
  const suspects = covered.flatMap(blamedFor);
  // A case may fail because of another fault. Only the level of the blamed requirement counts.
  const failing = covered.filter(
    (miss) => miss.verdict.verdict === 'fail' && blamedFor(miss).some(({ level }) => level === 'must'),
  );
  const casesOf = (misses: readonly Missed[]) => misses.map(({ verdict }) => verdict);
  return {
    verdict: failing.length > 0 ? 'fail' : 'warn',
    template,
    requirements: [...new Set(suspects.map(({ requirement }) => requirement))].sort(),
    attribution: joined(suspects.map(({ attribution }) => attribution)),
    places,
    scattered: places.length > 0 ? 0 : covered.length,
    cases: casesOf(covered),
    decisions: [],
    example: clearestCase(casesOf(failing.length > 0 ? failing : covered), template),
  };
}

/** The case that shows a cause best: it tests the requirement, with the fewest faults, and is closest to a well-made request. */
export function clearestCase(cases: readonly CaseVerdict[], template: string): CaseVerdict {
  const weight = ({ case: { expectation, deviations } }: CaseVerdict) => {
    const tests = expectation.suspects.some((suspect) => suspect.template === template);
    // Two rules of one requirement are one fault: the case breaks nothing else.
    const broken = new Set(expectation.suspects.map(({ requirement }) => requirement));
    const faults = expectation.kind === 'refuse' ? broken.size : 0;
    return (tests ? 0 : 1000) + faults * 10 + deviations;
  };
  return cases.reduce((best, other) => (weight(other) < weight(best) ? other : best));
}
