import { joined } from '../contract/attribution.ts';
import type { Aspect, Attribution, Contract, Values } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { ASPECTS, type Conjunction, type Explanation, type Missed, widestConjunction } from './conjunction.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * Misses of one requirement with the same wrong status. Each place is the smallest conjunction of at most three values
 * that covers misses and no pass (outcomes 3).
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
  readonly cases: readonly CaseVerdict[];
  /** What checks found about the same requirements. */
  readonly decisions: readonly Decision[];
  /** The clearest case, with the fewest faults. Undefined if only checks found the cause. */
  readonly example: CaseVerdict | undefined;
}

/** Up to this many misses that share no condition are listed one by one. More are counted as scattered. */
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
  const causes: Cause[] = [];
  const blamed = new Set<string>();
  let left = missed;
  while (left.length > 0) {
    const templates = [...new Set(left.flatMap(({ suspects }) => suspects.map(({ template }) => template)))];
    templates.sort((a, b) => rank(order, a) - rank(order, b));
    let best: Candidate | undefined;
    for (const template of templates) {
      const explanation = widestConjunction(
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
    const isScattered = isSingle || causes.length >= MAX_PLACES;
    const covered = isScattered ? suspectedOf(left, template) : explanation.covered;
    causes.push(causeOf(template, isScattered ? undefined : explanation.place, covered));
    blamed.add(template);
    const explained = new Set(covered);
    left = left.filter((miss) => !explained.has(miss));
  }
  return mergeAlike(causes).sort((a, b) => b.cases.length - a.cases.length);
}

/** The aspects in which the rules of a requirement differ. None if it has one rule. */
function ownAspects({ rules }: Contract, template: string): readonly Aspect[] {
  const conditions = rules.refusals.filter(({ requirement }) => requirement === template).map(({ when }) => when);
  return ASPECTS.filter((aspect) => new Set(conditions.map((when) => JSON.stringify(when[aspect]))).size > 1);
}

function suspectedOf(missed: readonly Missed[], template: string): readonly Missed[] {
  return missed.filter(({ suspects }) => suspects.some((suspect) => suspect.template === template));
}

/** Merges causes of one requirement with the same wrong status: a rule broken in several places is one cause. */
function mergeAlike(causes: readonly Cause[]): Cause[] {
  const merged = new Map<string, Cause>();
  for (const cause of causes) {
    const observation = cause.example?.observation;
    const status = observation?.kind === 'answer' ? observation.status : 'no answer';
    const key = `${cause.template} ${status}`;
    const known = merged.get(key);
    merged.set(key, known ? mergeTwo(known, cause) : cause);
  }
  return [...merged.values()];
}

function mergeTwo(a: Cause, b: Cause): Cause {
  const cases = [...a.cases, ...b.cases];
  return {
    ...a,
    verdict: a.verdict === 'fail' ? 'fail' : b.verdict,
    requirements: [...new Set([...a.requirements, ...b.requirements])].sort(),
    attribution: joined([a.attribution, b.attribution]),
    places: [...a.places, ...b.places],
    scattered: a.scattered + b.scattered,
    cases,
    example: clearestCase(cases, a.template),
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

function causeOf(template: string, place: Conjunction | undefined, covered: readonly Missed[]): Cause {
  const cases = covered.map(({ verdict }) => verdict);
  const blamedFor = (miss: Missed) => miss.suspects.filter((suspect) => suspect.template === template);
  const suspects = covered.flatMap(blamedFor);
  // A case may fail because of another fault. Only the level of the blamed requirement counts.
  const fails = covered.some(
    (miss) => miss.verdict.verdict === 'fail' && blamedFor(miss).some(({ level }) => level === 'must'),
  );
  return {
    verdict: fails ? 'fail' : 'warn',
    template,
    requirements: [...new Set(suspects.map(({ requirement }) => requirement))].sort(),
    attribution: joined(suspects.map(({ attribution }) => attribution)),
    places: place ? [place] : [],
    scattered: place ? 0 : cases.length,
    cases,
    decisions: [],
    example: clearestCase(cases, template),
  };
}

/**
 * The case that shows a cause best: one that tests the requirement, with the fewest faults, and closest to a well-made
 * request. The first one in the plan wins a tie.
 */
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
