import { type Check, type CheckAnswer, type CheckResult, showsMarker } from '../harness/check.ts';
import { kindHeaders } from './kind-headers.ts';

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
    return sides.map((side) =>
      verdictOf(
        operation.id,
        side,
        answers.flatMap((it) => (it?.side === side ? [it.answer] : [])),
      ),
    );
  },
};

function verdictOf(operation: string, side: Side, answers: readonly CheckAnswer[]): CheckResult {
  const unit = { requirement: side.requirement, operation, kind: side.kind };
  const leaked = answers.filter((answer) => showsMarker(answer, side.other)).length;
  if (leaked > 0)
    return {
      ...unit,
      verdict: 'fail',
      detail: `${leaked} of ${answers.length} answers in a burst of two people showed the other person's marker`,
    };
  const accepted = answers.filter((answer) => answer.accepted);
  if (accepted.length === 0) return { ...unit, verdict: 'inconclusive', detail: 'nothing was accepted in the burst' };
  const blind = accepted.filter((answer) => !showsMarker(answer, side.own)).length;
  return blind > 0
    ? {
        ...unit,
        verdict: 'fail',
        detail: `${blind} of ${accepted.length} answers in a burst of two people lacked the person's own marker`,
      }
    : { ...unit, verdict: 'pass', detail: `${accepted.length} answers in a burst, each its own` };
}
