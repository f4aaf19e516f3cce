import { readIn } from '../../harness/checks/acceptance.ts';
import {
  type Call,
  type CheckAnswer,
  type CheckApi,
  type CheckResult,
  type CheckRun,
  showsMarker,
} from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { type Confirmation, confirm } from './shared/confirm.ts';
import { blame, type Decided, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { kindHeaders } from './shared/refusals.ts';

const PEOPLE = 2;
/** For a target on another machine (outcomes 6). */
const SIDE_BY_SIDE = { rounds: 4, atOnce: 4 };
const BURST = { rounds: 3, atOnce: 8 };

/** One of the two people: who sends `own`'s private query with a token of the kind, and must not see `other`'s marker. */
interface Side {
  readonly kind: string;
  readonly requirement: string;
  readonly own: string;
  readonly other: string;
}
const SIDES: readonly Side[] = [
  { kind: 'GLOBAL', requirement: 'act-as.effective', own: 'ACT_AS', other: 'USER' },
  { kind: 'USER', requirement: 'user.isolation', own: 'USER', other: 'ACT_AS' },
];

/** Concurrent requests of two people do not mix up their answers. */
export const sideBySide: CheckRun = (api) => searchTogether(api, SIDE_BY_SIDE);

/** The same in bursts. */
export const bursts: CheckRun = (api) => searchTogether(api, BURST);

async function searchTogether(api: CheckApi, together: Together): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const sides = SIDES.flatMap((side) => {
    const credential = api.full(side.kind);
    const query = api.variable(`${side.own}_PRIVATE_QUERY`);
    if (!credential || query === undefined) return [];
    return [{ ...side, credential, headers: kindHeaders(api, side.kind), query }];
  });
  if (!operation || sides.length < SIDES.length) return [];
  const { kind, got } = await confirm(
    () => burst(api, operation, sides, together),
    (tallies) => {
      if (tallies.some(({ leaked }) => leaked.length > 0)) return 'wrong at once';
      return tallies.some(({ missed }) => missed.length > 0) ? 'wrong' : 'right';
    },
  );
  const results = [];
  for (const tally of got) {
    const { requirement, kind: of } = tally.sender;
    const decided = await decide(api, operation, tally, kind);
    results.push(decisionOn(api, { requirement, operation: operation.id, kind: of }, decided));
  }
  return results;
}

interface Sender extends Side {
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: string;
}
/** The answers that one person got in a burst. */
interface Tally {
  readonly sender: Sender;
  readonly answers: number;
  readonly accepted: readonly CheckAnswer[];
  /** Answers that showed the other person's marker. */
  readonly leaked: readonly CheckAnswer[];
  /** Accepted answers without the own marker. */
  readonly missed: readonly CheckAnswer[];
}

function searchOf(operation: Operation, { credential, headers, query, kind, own, other }: Sender, when: string): Call {
  const body = { ...operation.example, query };
  const shows = `a search with the ${kind} token ${when} shows $${own}_PRIVATE_MARKER and not $${other}_PRIVATE_MARKER`;
  return { operation, credential, headers, body, shows, wanted: 'accepted' };
}

/** How many requests begin together, and how often. */
interface Together {
  readonly rounds: number;
  readonly atOnce: number;
}

async function burst(
  api: CheckApi,
  operation: Operation,
  sides: readonly Sender[],
  { rounds, atOnce }: Together,
): Promise<readonly Tally[]> {
  const round = Array.from({ length: atOnce / PEOPLE }, () => sides).flat();
  const calls = round.map((side) => searchOf(operation, side, `beside ${atOnce - 1} others`));
  const got: { readonly side: Sender | undefined; readonly answer: CheckAnswer }[] = [];
  for (let time = 0; time < rounds; time += 1) {
    const answers = await api.together(calls);
    got.push(...answers.map((answer, at) => ({ side: round[at], answer })));
  }
  return sides.map((side) => {
    const own = got.flatMap((it) => (it.side === side ? [it.answer] : []));
    return tallyOf(operation, side, own);
  });
}

function tallyOf(operation: Operation, sender: Sender, answers: readonly CheckAnswer[]): Tally {
  const accepted = answers.filter((answer) => readIn(answer, operation).kind === 'accepted');
  return {
    sender,
    answers: answers.length,
    accepted,
    leaked: answers.filter((answer) => showsMarker(answer, sender.other)),
    missed: accepted.filter((answer) => !showsMarker(answer, sender.own)),
  };
}

async function decide(
  api: CheckApi,
  operation: Operation,
  { sender, answers, accepted, leaked, missed }: Tally,
  confirmed: Confirmation<unknown>['kind'],
): Promise<Decided> {
  const some = (of: readonly CheckAnswer[], all: number) =>
    `while two people searched at once, ${of.length} of ${all} answers`;
  if (leaked.length > 0) return fail(leaked[0], `${some(leaked, answers)} showed the other person's marker`);
  const [first] = accepted;
  if (!first) return inconclusive('no request of the burst was accepted');
  if (missed.length === 0)
    return pass(await api.acceptance(first), `${accepted.length} concurrent answers showed the own marker only`);
  const detail = `${some(missed, accepted.length)} did not show the own marker`;
  // Results may list anything. The marker is missed only if the same search finds it alone (outcomes 2).
  const alone = await api.call(searchOf(operation, sender, 'alone'));
  if (!showsMarker(alone, sender.own)) return inconclusive(`${detail}, and neither does the same search alone`);
  return blame(confirmed === 'wrong' ? 'wrong' : 'fleeting', fail(missed[0], detail));
}
