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
import { type Confirmed, confirmed } from './parts/ask-again.ts';
import { kindHeaders } from './parts/kind-headers.ts';

const REQUESTS = 24;
const CONNECTIONS = 8;

/** Whose private query a token of the kind asks, whose marker it must find and whose it must not. */
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

/** Two people at once: what one may see never reaches the other. */
export const bursts: Check = {
  id: 'bursts',
  title: 'Requests of two people at the same time get each their own answers',
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
    const { kind, got } = await confirmed(
      () => burst(api, operation, sides),
      (sights) => {
        if (sights.some(({ leaked }) => leaked > 0)) return 'wrong at once';
        return sights.some(({ blind }) => blind > 0) ? 'wrong' : 'right';
      },
    );
    return got.map((sight) => ({ operation: operation.id, ...verdictOf(sight, kind) }));
  },
};

interface Asking extends Side {
  readonly credential: Credential;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: string;
}
/** Of the answers that one side got, how many were read as acceptances, and showed too much or too little. */
interface Sight {
  readonly side: Side;
  readonly answers: number;
  readonly accepted: number;
  readonly leaked: number;
  readonly blind: number;
}

async function burst(api: CheckApi, operation: Operation, sides: readonly Asking[]): Promise<readonly Sight[]> {
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
    return sightOf(operation, side, own);
  });
}

function sightOf(operation: Operation, side: Side, answers: readonly CheckAnswer[]): Sight {
  const accepted = answers.filter((answer) => readIn(answer, operation).kind === 'accepted');
  return {
    side,
    answers: answers.length,
    accepted: accepted.length,
    leaked: answers.filter((answer) => showsMarker(answer, side.other)).length,
    blind: accepted.filter((answer) => !showsMarker(answer, side.own)).length,
  };
}

function verdictOf(
  { side: { requirement, kind }, answers, accepted, leaked, blind }: Sight,
  seen: Confirmed<unknown>['kind'],
): Omit<CheckResult, 'operation'> {
  const found = (verdict: CheckResult['verdict'], detail: string) => ({ requirement, kind, verdict, detail });
  if (leaked > 0)
    return found('fail', `${leaked} of ${answers} answers in a burst of two people showed the other person's marker`);
  if (accepted === 0) return found('inconclusive', 'nothing was accepted in the burst');
  if (blind === 0) return found('pass', `${accepted} answers in a burst, each its own`);
  const detail = `${blind} of ${accepted} answers in a burst of two people lacked the person's own marker`;
  return seen === 'wrong' ? found('fail', detail) : found('inconclusive', `${detail}; in one burst and not in another`);
}
