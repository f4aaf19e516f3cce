import type { Check, CheckAnswer, CheckApi, CheckResult } from '../harness/check.ts';
import type { Operation } from '../harness/operations.ts';
import { kindHeaders } from './kind-headers.ts';

/**
 * A conversation is data of the person who had it (spec 2.4 and 5.2). Whether an answer names one, and how, is not shown:
 * where none can be found there is nothing to decide.
 */
export const conversations: Check = {
  id: 'conversations',
  title: "Nobody continues another person's conversation, and continuing one takes a query",
  requirements: ['user.isolation', 'act-as.effective', 'chat.request'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'chat');
    const [first, second] = speakers(api);
    if (!operation || !first || !second) return [];
    const results: CheckResult[] = [];
    for (const [owner, other] of [
      [first, second],
      [second, first],
    ] as const)
      results.push(...(await overhear(api, operation, owner, other)));
    return results;
  },
};

/** Who speaks: a kind of token, and the person whom X-Service-ActAs names beside it. */
interface Speaker {
  readonly kind: string;
  readonly named?: string;
  readonly requirement: string;
}

/** Two speakers that run as two people, of the kinds that are claimed. */
function speakers(api: CheckApi): Speaker[] {
  const { existing, other } = api.people;
  const { kinds } = api.contract.matrix;
  const acting = api.claims.kinds.find((kind) => kinds[kind]?.neutral['act-as'] !== 'absent');
  const oneself = api.claims.kinds.find((kind) => kinds[kind]?.neutral['act-as'] === 'absent');
  const acted = (named: string | undefined): Speaker[] =>
    acting === undefined || named === undefined ? [] : [{ kind: acting, named, requirement: 'act-as.effective' }];
  return [...acted(existing), ...(oneself ? [{ kind: oneself, requirement: 'user.isolation' }] : acted(other))];
}

async function overhear(api: CheckApi, operation: Operation, owner: Speaker, other: Speaker): Promise<CheckResult[]> {
  const say = (speaker: Speaker, body: object) =>
    api.call({
      operation,
      credential: api.full(speaker.kind),
      headers: kindHeaders(api, speaker.kind, speaker.named),
      body,
    });
  const secret = `Reference ${(api.seed >>> 0).toString(36)}-${owner.kind.toLowerCase()}.`;
  const begun = await say(owner, { ...operation.example, query: `${operation.example?.['query'] ?? ''} ${secret}` });
  const unit = { operation: operation.id, kind: other.kind, requirement: other.requirement };
  const conversationId = conversationOf(begun);
  if (conversationId === undefined)
    return [{ ...unit, verdict: 'observed', detail: 'no answer names a conversation that could be continued' }];
  const continued = await say(other, { ...operation.example, conversationId });
  const heard = continued.accepted && continued.text.includes(secret);
  const unasked = await say(owner, { conversationId });
  return [
    heard
      ? {
          ...unit,
          verdict: 'fail',
          detail: `${other.kind} continued a conversation of another person and saw what was said in it`,
        }
      : { ...unit, verdict: 'pass', detail: "another person's conversation stays unseen" },
    {
      operation: operation.id,
      kind: owner.kind,
      requirement: `${operation.id}.request`,
      verdict: unasked.accepted ? 'warn' : 'pass',
      detail: unasked.accepted
        ? `wanted 4xx to a ${operation.id} with conversationId and no query, got ${statusOf(unasked)}`
        : 'continuing a conversation takes a query',
    },
  ];
}

/** The id that an answer gives its conversation, also in one that streams. */
function conversationOf({ accepted, text }: CheckAnswer): string | undefined {
  return accepted ? /"conversationId"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] : undefined;
}

function statusOf({ observation }: CheckAnswer): string {
  return observation.kind === 'answer' ? String(observation.status) : observation.detail;
}
