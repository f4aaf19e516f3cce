import type { Contract } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { type Cause, mergeTwo } from './causes.ts';
import { type Conjunction, isIn } from './conjunction.ts';
import { answerKey, statusOf } from './judge-answer.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * Joins the causes of one verdict that one fault explains: every request of the run, of an operation, or with a header got the
 * same answer, whatever else it was. Several requirements are broken then, and nothing tells two faults apart (outcomes 3).
 */
export function joinAlike(
  contract: Contract,
  causes: readonly Cause[],
  verdicts: readonly CaseVerdict[],
): readonly Cause[] {
  return placesIn(contract).reduce((left, places) => {
    const isAt = ({ case: { values } }: CaseVerdict) => places.some((place) => isIn(place, values));
    const within = left.filter(({ cases }) => cases.every(isAt));
    if (within.length < 2) return left;
    const answers = verdicts
      .filter((one) => one.observation && isAt(one))
      .flatMap(({ observation, comesAndGoes }) => [answerKey(observation), ...(comesAndGoes ? ['another'] : [])]);
    if (new Set(answers).size !== 1) return left;
    return [...left.filter((one) => !within.includes(one)), ...joined(within, places)];
  }, causes);
}

function placesIn({ operations, headers, matrix }: Contract): readonly (readonly Conjunction[])[] {
  return [
    [[]],
    ...operations.map(({ id }) => [[{ aspect: 'operation', value: id }]]),
    ...headers.map((aspect) =>
      Object.keys(matrix.headers[aspect]?.lines ?? {}).flatMap((value) =>
        value === 'absent' ? [] : [[{ aspect, value }]],
      ),
    ),
  ];
}

/**
 * Joins the causes of one status, if a target answers so wherever it must refuse, or wherever one certain status is due: all its
 * refusals become 500 or 200 on their way, or who is not signed in is sent to a sign-in page. That is one fault (outcomes 3).
 */
export function joinRefusals(
  { operations }: Contract,
  causes: readonly Cause[],
  verdicts: readonly CaseVerdict[],
): readonly Cause[] {
  const refusals = verdicts.filter((one) => one.case.expectation.kind === 'refuse' && one.observation);
  const due = [...new Set(refusals.map(dueStatus))].filter((one) => one !== undefined);
  const groups: readonly (readonly [Conjunction, (one: CaseVerdict) => boolean])[] = [
    [[], () => true],
    ...due.map((status) => [[], (one: CaseVerdict) => dueStatus(one) === status] as const),
    ...operations.map(({ id }) => [[{ aspect: 'operation', value: id }], () => true] as const),
  ];
  return groups.reduce((left, [place, isOf]) => {
    const isAt = ({ case: { values } }: CaseVerdict) => isIn(place, values);
    const [status, ...others] = new Set(refusals.filter((one) => isAt(one) && isOf(one)).flatMap(statusesAtTimes));
    const within = left.filter(
      ({ cases, example }) =>
        example?.case.expectation.kind === 'refuse' &&
        (isOf(example) || dueStatus(example) === undefined) &&
        cases.every((one) => isAt(one) && statusesAtTimes(one).every((seen) => seen === status)),
    );
    const isWhole = status !== undefined && others.length === 0;
    if (!isWhole || within.filter(({ example }) => example && isOf(example)).length < 2) return left;
    return [...left.filter((one) => !within.includes(one)), ...joined(within, [place])];
  }, causes);
}

/** The status that a request must get. Undefined if several are right. */
function dueStatus({ case: { expectation } }: CaseVerdict): string | undefined {
  const [due, ...others] = new Set(
    expectation.admissible.filter(({ outcome }) => !outcome.verdict).flatMap(({ outcome }) => outcome.status),
  );
  return others.length > 0 ? undefined : String(due);
}

const statusesAtTimes = ({ observation, comesAndGoes }: CaseVerdict): readonly string[] => [
  statusOf(observation),
  ...(comesAndGoes ? ['another'] : []),
];

/** One cause of each verdict, led by that of a well-made request, which shows best what is wrong. */
function joined(causes: readonly Cause[], places: readonly Conjunction[]): readonly Cause[] {
  const isLeading = ({ example }: Cause) => example?.case.expectation.kind === 'accept';
  return (['fail', 'warn'] as const).flatMap((verdict) => {
    const own = causes.filter((one) => one.verdict === verdict);
    const [first, ...others] = [...own.filter(isLeading), ...own.filter((one) => !isLeading(one))];
    if (!first || others.length === 0) return own;
    const all = others.reduce(mergeTwo, first);
    const shown = places.filter((place) => all.cases.some((one) => isIn(place, one.case.values)));
    return [{ ...all, places: shown, scattered: 0 }];
  });
}

/** What the decisions of checks name as an influence if only requests before, or at the same time, made the difference. */
export const OTHER_REQUESTS = 'other requests';
export const isOfOthers = ({ influence }: Pick<Decision, 'influence'>): boolean => influence === OTHER_REQUESTS;

/**
 * Joins the causes that come and go, if a check saw that other requests make the difference: what a target remembers of them, or
 * mixes up with them, answers for any request, whatever that breaks. It is one fault, and no condition on a request describes it (outcomes 3).
 */
export function joinRemembered(causes: readonly Cause[]): readonly Cause[] {
  const isSeen = ({ decisions }: Cause) => decisions.some(isOfOthers);
  if (!causes.some(isSeen)) return causes;
  const remembered = causes.filter((cause) => isSeen(cause) || comesAndGoes(cause) || isNowhere(cause));
  const [first, ...others] = [...remembered].sort((a, b) => b.cases.length - a.cases.length);
  if (!first) return causes;
  const all = others.reduce(mergeTwo, first);
  const decisions = remembered.flatMap((one) => one.decisions);
  // A refusal that may be chance breaks nothing.
  const broken = remembered.filter(({ verdict }) => verdict !== 'inconclusive');
  const requirements = [...new Set(broken.flatMap((one) => one.requirements))].sort();
  const nowhere = (comesAndGoes(all) || isNowhere(all)) && { places: [], scattered: all.cases.length };
  return [...causes.filter((one) => !remembered.includes(one)), { ...all, ...nowhere, requirements, decisions }];
}

/** So many conditions describe nothing. */
const isNowhere = ({ places }: Cause): boolean => places.length > MOST_CONDITIONS;
const MOST_CONDITIONS = 6;

/** Whether most of the cases that were sent again got a right answer then. */
function comesAndGoes({ cases }: Cause): boolean {
  const again = cases.filter(({ sent }) => sent > 1);
  return again.length > 0 && 2 * again.filter((one) => one.comesAndGoes).length > again.length;
}
