import {
  type Check,
  type CheckAnswer,
  type CheckApi,
  type CheckResult,
  showsMarker,
} from '../../harness/checks/check.ts';
import { readIn } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { type Confirmation, confirm } from './shared/confirm.ts';
import { kindHeaders } from './shared/kind-headers.ts';

const REQUESTS = 24;
const CONNECTIONS = 8;

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
export const bursts: Check = {
  id: 'bursts',
  title: 'Two people who search at the same time each see their own document only',
  requirements: ['act-as.effective', 'user.isolation'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    const sides = SIDES.flatMap((side) => {
      const credential = api.full(side.kind);
      const query = api.variable(`${side.own}_PRIVATE_QUERY`);
      if (!credential || query === undefined) return [];
      return [{ ...side, credential, headers: kindHeaders(api, side.kind), query }];
    });
    if (!operation || sides.length < SIDES.length) return [];
    const { kind, got } = await confirm(
      () => burst(api, operation, sides),
      (tallies) => {
        if (tallies.some(({ leaked }) => leaked > 0)) return 'wrong at once';
        return tallies.some(({ missed }) => missed > 0) ? 'wrong' : 'right';
      },
    );
    return got.map((tally) => ({ operation: operation.id, ...verdictOf(tally, kind) }));
  },
};

interface Sender extends Side {
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: string;
}
/** How many answers one person got in a burst. */
interface Tally {
  readonly side: Side;
  readonly answers: number;
  readonly accepted: number;
  /** Answers that showed the other person's marker. */
  readonly leaked: number;
  /** Accepted answers without the own marker. */
  readonly missed: number;
}

async function burst(api: CheckApi, operation: Operation, sides: readonly Sender[]): Promise<readonly Tally[]> {
  const connections = Array.from({ length: CONNECTIONS }, () => api.connect());
  const answers = await Promise.all(
    Array.from({ length: REQUESTS }, async (_, index) => {
      const side = sides[index % sides.length];
      const connection = connections[index % CONNECTIONS];
      if (!side || !connection) return undefined;
      const { credential, headers, query } = side;
      const body = { ...operation.example, query };
      return { side, answer: await connection.call({ operation, credential, headers, body }) };
    }),
  );
  return sides.map((side) => {
    const own = answers.flatMap((it) => (it?.side === side ? [it.answer] : []));
    return tallyOf(operation, side, own);
  });
}

function tallyOf(operation: Operation, side: Side, answers: readonly CheckAnswer[]): Tally {
  const accepted = answers.filter((answer) => readIn(answer, operation).kind === 'accepted');
  return {
    side,
    answers: answers.length,
    accepted: accepted.length,
    leaked: answers.filter((answer) => showsMarker(answer, side.other)).length,
    missed: accepted.filter((answer) => !showsMarker(answer, side.own)).length,
  };
}

function verdictOf(
  { side: { requirement, kind }, answers, accepted, leaked, missed }: Tally,
  confirmation: Confirmation<unknown>['kind'],
): Omit<CheckResult, 'operation'> {
  const found = (verdict: CheckResult['verdict'], detail: string) => ({ requirement, kind, verdict, detail });
  if (leaked > 0)
    return found(
      'fail',
      `while two people searched at once, ${leaked} of ${answers} answers showed the other person's marker`,
    );
  if (accepted === 0) return found('inconclusive', 'no request of the burst was accepted');
  if (missed === 0) return found('pass', `${accepted} concurrent answers showed the own marker only`);
  const detail = `while two people searched at once, ${missed} of ${accepted} answers did not show the own marker`;
  return confirmation === 'wrong'
    ? found('fail', detail)
    : found('inconclusive', `${detail}; it did not happen in a second burst`);
}
