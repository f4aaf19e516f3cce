import { tallied } from '../contract/collections.ts';
import type { Contract } from '../contract/contract.ts';
import { type Answer, isAccepted } from '../record/observation.ts';
import { answeredBy } from './credit.ts';
import type { CaseVerdict } from './judge-cases.ts';
import { statusAndMessages } from './miss.ts';

/** Something that the specification leaves open, and what this target does with it. */
export interface Freedom {
  readonly freedom: string;
  readonly choice: string;
}

/** What the target does with everything that the specification leaves open. Pure. None of it is a verdict. */
export function freedomsOf(contract: Contract, verdicts: readonly CaseVerdict[]): readonly Freedom[] {
  const decided = verdicts.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed');
  const where = (meets: (verdict: CaseVerdict) => boolean) => choices(contract, decided.filter(meets));
  const onlyRule = (rule: string) => (verdict: CaseVerdict) =>
    verdict.case.expectation.admissible.every((admissible) => admissible.rule === rule) &&
    verdict.case.expectation.admissible.length > 0;
  const rows: Freedom[] = [
    { freedom: 'order of checks', choice: orderOfChecks(decided) },
    ...freedomsLeftBy(contract).map(({ freedom, rule }) => ({ freedom, choice: where(onlyRule(rule)) })),
    { freedom: 'error body', choice: errorBodies(verdicts) },
  ];
  return rows.filter(({ choice }) => choice !== '');
}

/** What rules leave open, and the id of each: two admit several answers, the silent ones any. */
export function freedomsLeftBy({ rules }: Pick<Contract, 'rules'>) {
  const silent = rules.refusals.flatMap(({ id, silent }) => (silent === undefined ? [] : [id]));
  return [
    { freedom: 'blank act-as', rule: 'act-as.blank' },
    { freedom: 'missing auth type', rule: 'auth-type.missing' },
    ...silent.map((rule) => ({ freedom: rule.replace('.', ', ').replaceAll('-', ' '), rule })),
  ];
}

/** The distinct answers, the most frequent first: `accepted; 401 "Invalid Secret"`. */
function choices(contract: Contract, verdicts: readonly CaseVerdict[]): string {
  const texts = answersIn(verdicts).map((one) => (isAccepted(one) ? 'accepted' : statusAndMessages(contract, one)));
  return mostFrequent([...tallied(texts)].sort(([a], [b]) => a.localeCompare(b)));
}

function answersIn(verdicts: readonly CaseVerdict[]): readonly Answer[] {
  return verdicts.flatMap(({ observation }) => (observation?.kind === 'answer' ? [observation] : []));
}

/** The most frequent texts. Among equals, the one that comes first. */
function mostFrequent(counts: readonly (readonly [text: string, count: number])[]): string {
  return [...counts]
    .sort(([, x], [, y]) => y - x)
    .map(([text]) => text)
    .slice(0, 4)
    .join('; ');
}

// The steps in which a target checks a request, by the requirement that a refusal satisfies.
const STEPS: readonly (readonly [name: string, requirement: RegExp])[] = [
  ['token', /^token\./],
  ['auth type', /^auth-type\./],
  ['act-as', /^act-as\./],
  ['scope', /^scope\./],
  ['body', /\.request$|^request\./],
];

/**
 * The order in which the target checks a request: `token > act-as > scope; token > body`. A `>` joins two steps only if a
 * case compared them, so act-as and body may come in any order. Steps that come in either order are listed at the end: a
 * target may parse a body early and validate it late.
 */
function orderOfChecks(verdicts: readonly CaseVerdict[]): string {
  const { steps, count } = precedenceIn(verdicts);
  const pairs = steps.flatMap((a) => steps.filter((b) => count(a, b) > 0).map((b): Pair => [a, b]));
  const always = pairs.filter(([a, b]) => count(b, a) === 0);
  const either = pairs.filter(([a, b]) => {
    const difference = count(a, b) - count(b, a);
    return count(b, a) > 0 && (difference > 0 || (difference === 0 && steps.indexOf(a) < steps.indexOf(b)));
  });
  const named = either.map((pair) => pair.join(' and '));
  return [...chainsOf(always), ...(named.length > 0 ? [`in either order: ${named.join(', ')}`] : [])].join('; ');
}

/** Two steps; the target checks the first one first. */
type Pair = readonly [first: string, second: string];

/** Every pair as a part of a chain, or as what follows from one. The longest chain comes first. */
function chainsOf(pairs: readonly Pair[]): readonly string[] {
  // What other pairs show already is left out, one pair after another, so that a circle keeps its pairs.
  let left = pairs.reduce((kept, pair) => {
    const others = kept.filter((other) => other !== pair);
    return followsFrom(others, pair) ? others : kept;
  }, pairs);
  const chains: string[] = [];
  while (left.length > 0) {
    const chain = longestChain(left);
    chains.push(chain.join(' > '));
    left = left.filter(([first, second]) => chain[chain.indexOf(first) + 1] !== second);
  }
  return chains;
}

function followsFrom(pairs: readonly Pair[], [first, second]: Pair): boolean {
  return pairs.some(
    ([from, to]) =>
      from === first &&
      (to === second ||
        followsFrom(
          pairs.filter(([a]) => a !== first),
          [to, second],
        )),
  );
}

/** @param begun the beginning of the chain. */
function longestChain(pairs: readonly Pair[], begun: readonly string[] = []): readonly string[] {
  const last = begun.at(-1);
  return pairs
    .filter(([first, second]) => (last === undefined || first === last) && !begun.includes(second))
    .map(([first, second]) => longestChain(pairs, last === undefined ? [first, second] : [...begun, second]))
    .reduce((longest, chain) => (chain.length > longest.length ? chain : longest), begun);
}

/** In a case with two faults, the target checks the fault first that its answer is about. */
function precedenceIn(verdicts: readonly CaseVerdict[]) {
  const compared = verdicts.flatMap(({ case: { expectation }, observation }) => {
    if (expectation.kind !== 'refuse' || observation?.kind !== 'answer') return [];
    const faulty = stepsOf(expectation.suspects.map(({ requirement }) => requirement));
    const answered = stepsOf(answeredBy(expectation, observation));
    // Any refusal satisfies a faulty body. So the body came first only if the answer satisfies nothing else.
    const others = answered.filter((step) => step !== 'body');
    const [first = answered[0]] = others;
    if (faulty.length !== 2 || first === undefined || others.length > 1) return [];
    return faulty.map((step) => ({ first, step }));
  });
  const counts = tallied(compared.flatMap(({ first, step }) => (step === first ? [] : [`${first} ${step}`])));
  return {
    /** The steps that have a fault in any of the cases. */
    steps: STEPS.map(([name]) => name).filter((name) => compared.some(({ step }) => step === name)),
    /** The number of cases with a fault in both steps that were refused for the first one. */
    count: (first: string, second: string) => counts.get(`${first} ${second}`) ?? 0,
  };
}

function stepsOf(requirements: readonly string[]): string[] {
  return STEPS.filter(([, pattern]) => requirements.some((requirement) => pattern.test(requirement))).map(
    ([name]) => name,
  );
}

function errorBodies(verdicts: readonly CaseVerdict[]): string {
  const refusals = answersIn(verdicts).filter((answer) => !isAccepted(answer));
  const forms = refusals.map(({ form, contentType, whole }) => {
    if (form !== 'empty') return `${form} (${contentType?.split(';')[0] ?? 'no content type'})`;
    // The specification shows no place for a message. Without a body, that of RFC 6750 3 counts (interpreted).
    return whole.length > 0 ? 'empty, with the message in the error_description of WWW-Authenticate' : form;
  });
  return mostFrequent([...tallied(forms)]);
}
