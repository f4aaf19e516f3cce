import { given } from '../contract/collections.ts';
import type { Contract } from '../contract/contract.ts';
import type { Decision } from '../record/exchange.ts';
import { type Cause, mergeTwo } from './causes.ts';
import { type Conjunction, isIn } from './conjunction.ts';
import { answerKey, outcomeOf, statusOf } from './judge-answer.ts';
import type { CaseVerdict } from './judge-cases.ts';

/**
 * Joins the causes that one fault explains: every request of the run, of an operation, or with a header got the same answer,
 * whatever else it was. Or a target answers with one status wherever it must refuse, wherever one certain status is due, or
 * whatever a token is: all its refusals become 500 or 200 on their way, who is not signed in is sent to a sign-in page, or a token
 * is taken for another one that begins alike. Several requirements are broken then, and nothing tells two faults apart (outcomes 3).
 */
export function joinAlike(
  contract: Contract,
  causes: readonly Cause[],
  verdicts: readonly CaseVerdict[],
): readonly Cause[] {
  const answered = verdicts.filter(({ observation }) => observation);
  return groupsOf(contract, answered).reduce((left, { places, keyOf, isOf = () => true, mayBe = isOf }) => {
    const isAt = ({ case: { values } }: CaseVerdict) => places.some((place) => isIn(place, values));
    const keysOf = ({ observation, comesAndGoes }: CaseVerdict) =>
      given([keyOf(observation), comesAndGoes && 'another']);
    const [key, ...others] = new Set(answered.filter((one) => isAt(one) && isOf(one)).flatMap(keysOf));
    const within = left.filter(
      ({ cases, example }) =>
        example && mayBe(example) && cases.every((one) => isAt(one) && keysOf(one).every((seen) => seen === key)),
    );
    const isWhole = key !== undefined && others.length === 0;
    if (!isWhole || within.filter(({ example }) => example && isOf(example)).length < 2) return left;
    return [...left.filter((one) => !within.includes(one)), ...joined(within, places)];
  }, causes);
}

/** Requests that one fault may answer alike. */
interface Group {
  readonly places: readonly Conjunction[];
  /** What is the same in their answers. */
  readonly keyOf: typeof statusOf;
  readonly isOf?: (one: CaseVerdict) => boolean;
  /** Those that the same fault may have changed, too. */
  readonly mayBe?: (one: CaseVerdict) => boolean;
}

function groupsOf({ operations, headers, matrix }: Contract, answered: readonly CaseVerdict[]): readonly Group[] {
  const refusals = answered.filter(isRefusal);
  const due = [...new Set(refusals.map(dueStatus))].filter((one) => one !== undefined);
  const unread = Object.keys(matrix.kinds).filter((kind) =>
    refusals.every(
      (one) => one.case.values.kind !== kind || !isOfToken(one) || outcomeOf(one.observation) === 'accepted',
    ),
  );
  const ofOperations = operations.map(({ id }) => ({ places: [[{ aspect: 'operation', value: id }] as const] }));
  const ofHeaders = headers.map((aspect) => {
    const values = Object.keys(matrix.headers[aspect]?.lines ?? {}).filter((value) => value !== 'absent');
    return { places: values.map((value) => [{ aspect, value }]) };
  });
  return [
    ...[{ places: [[]] }, ...ofOperations, ...ofHeaders].map((one) => ({ ...one, keyOf: answerKey })),
    ...[
      { places: [[]], isOf: isRefusal },
      ...due.map((status) => ({
        places: [[]],
        isOf: (one: CaseVerdict) => isRefusal(one) && dueStatus(one) === status,
        mayBe: (one: CaseVerdict) => isRefusal(one) && [status, undefined].includes(dueStatus(one)),
      })),
      ...ofOperations.map((one) => ({ ...one, isOf: isRefusal })),
      {
        places: unread.map((value) => [{ aspect: 'kind', value }] as const),
        isOf: (one: CaseVerdict) => isRefusal(one) && isOfToken(one),
      },
    ].map((one) => ({ ...one, keyOf: statusOf })),
  ];
}

/** Whether a request must be refused for nothing but what its token is or holds. */
const isOfToken = ({ case: { values, deviations } }: CaseVerdict): boolean =>
  deviations === 1 && (!['valid', 'future-expiry'].includes(values.validity) || values.scope === 'missing');

/** The status that a request must get. Undefined if several are right. */
function dueStatus({ case: { expectation } }: CaseVerdict): string | undefined {
  const [due, ...others] = new Set(
    expectation.admissible.filter(({ outcome }) => !outcome.verdict).flatMap(({ outcome }) => outcome.status),
  );
  return others.length > 0 ? undefined : String(due);
}

/**
 * Joins the causes of acceptances, if the target gave all its right refusals before them: it broke down in the middle of the
 * run, and accepts from then on what it refused before. That is one fault (outcomes 3).
 */
export function joinSince(causes: readonly Cause[], verdicts: readonly CaseVerdict[]): readonly Cause[] {
  const accepted = verdicts.filter(isLetIn);
  const broken = new Set(accepted.flatMap(({ miss }) => miss?.suspects.map(({ requirement }) => requirement) ?? []));
  // Only what is credited counts: what is left open, or is wrong with a body, may be refused for itself.
  const right = verdicts.filter((one) => isRefusal(one) && one.satisfied.some((id) => broken.has(id)));
  const since = Math.max(0, ...right.map(({ seq = 0 }) => seq));
  const later = accepted.filter(({ seq = 0 }) => seq > since);
  const within = causes.filter(({ cases }) => cases.length > 0 && cases.every(isLetIn));
  if (since === 0 || later.length < MOSTLY * accepted.length || within.length < FEWEST) return causes;
  const whole = joined(within, [[]]).map((one) => ({ ...one, since }));
  return [...causes.filter((one) => !within.includes(one)), ...whole];
}

const isRefusal = ({ case: { expectation } }: CaseVerdict): boolean => expectation.kind === 'refuse';
const isLetIn = (one: CaseVerdict): boolean => isRefusal(one) && outcomeOf(one.observation) === 'accepted';

/** Requests that are sent side by side are answered in any order. */
const MOSTLY = 0.9;
/** Two faults may concern the last requests of a run by chance. */
const FEWEST = 3;

/** One cause of each verdict, led by that of a well-made request, which shows best what is wrong, or else by what is stated. */
function joined(causes: readonly Cause[], places: readonly Conjunction[]): readonly Cause[] {
  const rank = ({ example, attribution }: Cause) =>
    (example?.case.expectation.kind === 'accept' ? 0 : 2) + (attribution.basis === 'stated' ? 0 : 1);
  return (['fail', 'warn'] as const).flatMap((verdict) => {
    const own = causes.filter((one) => one.verdict === verdict);
    const [first, ...others] = [...own].sort((a, b) => rank(a) - rank(b));
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
  const lifted = new Set(causes.flatMap(({ decisions }) => decisions.filter(isOfOthers).map((one) => one.requirement)));
  // What lifts several refusals may lift any.
  const isLifted = ({ cases }: Cause) => lifted.size > 1 && cases.length > 0 && cases.every(isLetIn);
  const remembered = causes.filter(
    (cause) => isSeen(cause) || comesAndGoes(cause) || isNowhere(cause) || isLifted(cause),
  );
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
