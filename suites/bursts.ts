import type { Check, CheckResult } from '../harness/check.ts';

const REQUESTS = 24;

/** Two people at once: what one may see never reaches the other. */
export const bursts: Check = {
  id: 'bursts',
  title: 'Requests of two people at the same time get each their own answers',
  requirements: ['act-as.effective', 'user.isolation'],
  intrusive: true,
  async run(api) {
    const [operation] = api.contract.operations;
    const [global, user] = [api.full('GLOBAL'), api.full('USER')];
    const private_ = (owner: string) => ({
      email: api.variable(`${owner}_EMAIL`),
      query: api.variable(`${owner}_PRIVATE_QUERY`),
      marker: api.variable(`${owner}_PRIVATE_MARKER`),
    });
    const [acted, owner] = [private_('ACT_AS'), private_('USER')];
    if (!operation || !acted.marker || !owner.marker || !acted.email) return [];
    const actAs = api.contract.matrix.headers['act-as'].name;
    const sides = [
      ...(global
        ? [
            {
              kind: 'GLOBAL',
              requirement: 'act-as.effective',
              credential: global,
              headers: [[actAs, acted.email] as const],
              query: acted.query,
              own: acted.marker,
              other: owner.marker,
            },
          ]
        : []),
      ...(user
        ? [
            {
              kind: 'USER',
              requirement: 'user.isolation',
              credential: user,
              headers: [],
              query: owner.query,
              own: owner.marker,
              other: acted.marker,
            },
          ]
        : []),
    ];
    if (sides.length < 2) return [];
    const connections = Array.from({ length: 8 }, () => api.connect());
    const requests = Array.from({ length: REQUESTS }, (_, index) => ({
      side: sides[index % sides.length],
      connection: connections[index % connections.length],
    }));
    const answers = await Promise.all(
      requests.map(async ({ side, connection }) => {
        if (!side || !connection) return undefined;
        const { text, accepted } = await connection.call({
          operation,
          credential: side.credential,
          headers: side.headers,
          body: { ...operation.example, query: side.query },
        });
        return { side, text, accepted };
      }),
    );
    return sides.map(
      (side): CheckResult =>
        verdictOf(
          operation.id,
          side,
          answers.flatMap((answer) => (answer?.side === side ? [answer] : [])),
        ),
    );
  },
};

interface Side {
  readonly kind: string;
  readonly requirement: string;
  readonly own: string;
  readonly other: string;
}

function verdictOf(
  operation: string,
  side: Side,
  answers: readonly { text: string; accepted: boolean }[],
): CheckResult {
  const unit = { requirement: side.requirement, operation, kind: side.kind };
  const leaked = answers.filter(({ text }) => text.includes(side.other)).length;
  if (leaked > 0)
    return {
      ...unit,
      verdict: 'fail',
      detail: `${leaked} of ${answers.length} answers in a burst of two people showed the other person's marker`,
    };
  const accepted = answers.filter((answer) => answer.accepted);
  if (accepted.length === 0) return { ...unit, verdict: 'inconclusive', detail: 'nothing was accepted in the burst' };
  const blind = accepted.filter(({ text }) => !text.includes(side.own)).length;
  return blind > 0
    ? {
        ...unit,
        verdict: 'fail',
        detail: `${blind} of ${accepted.length} answers in a burst of two people lacked the person's own marker`,
      }
    : { ...unit, verdict: 'pass', detail: `${accepted.length} answers in a burst, each its own` };
}
