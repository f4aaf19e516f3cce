import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf, readIn } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { kindHeaders } from './parts/kind-headers.ts';

/**
 * A conversation is data of the person who had it (spec 2.4 and 5.2). Whether an answer names one, and how, is not shown:
 * where none can be found there is nothing to decide.
 */
export const conversations: Check = {
  id: 'conversations',
  title: "Nobody continues another person's conversation, and continuing one takes a query and the scope",
  requirements: ['user.isolation', 'act-as.effective', 'chat.request', 'scope.chat'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'chat');
    const [first, second, third] = speakers(api);
    if (!operation || !first || !second) return [];
    const [one, another] = [await begin(api, operation, first, 'one'), await begin(api, operation, second, 'other')];
    const results = [
      ...(await overhear(api, operation, one, another)),
      ...(await ofOwner(api, operation, one)),
      ...(await overhear(api, operation, another, one)),
      ...(await ofOwner(api, operation, another)),
    ];
    // The token is the same here, and another person all the same; a chat costs, so where nothing is known it is not begun.
    if (third === undefined || conversationOf(one.answer) === undefined) return results;
    return [...results, ...(await overhear(api, operation, one, await begin(api, operation, third, 'third')))];
  },
};

/** Who speaks: a kind of token, and the person whom X-Service-ActAs names beside it. */
interface Speaker {
  readonly kind: string;
  readonly named?: string;
  readonly requirement: string;
}

/**
 * Two speakers that run as two people, of the kinds that are claimed, the first with a token that acts as somebody where
 * there is one; a third has that same token act as somebody else.
 */
function speakers(api: CheckApi): Speaker[] {
  const { actAs, user } = api.people;
  const acting = api.claims.kinds.find((kind) => actsAs(api.contract, kind));
  const oneself = api.claims.kinds.find((kind) => !actsAs(api.contract, kind));
  const acted = (named: string | undefined): Speaker[] =>
    acting === undefined || named === undefined ? [] : [{ kind: acting, named, requirement: 'act-as.effective' }];
  const own: Speaker[] = oneself === undefined ? [] : [{ kind: oneself, requirement: 'user.isolation' }];
  return [...acted(actAs), ...own, ...acted(user)];
}

/** What a speaker said first, and what came of it. */
interface Begun {
  readonly speaker: Speaker;
  readonly secret: string;
  readonly answer: CheckAnswer;
}

function say(api: CheckApi, operation: Operation, { kind, named }: Speaker, body: object): Promise<CheckAnswer> {
  return api.call({ operation, credential: api.full(kind), headers: kindHeaders(api, kind, named), body });
}

async function begin(api: CheckApi, operation: Operation, speaker: Speaker, who: string): Promise<Begun> {
  const secret = `Reference ${(api.seed >>> 0).toString(36)}-${who}.`;
  const query = `${operation.example?.['query'] ?? ''} ${secret}`;
  return { speaker, secret, answer: await say(api, operation, speaker, { ...operation.example, query }) };
}

/** Where one speaker's conversation is known by its id, whether the other hears it. */
async function overhear(api: CheckApi, operation: Operation, owner: Begun, other: Begun): Promise<CheckResult[]> {
  const { kind, requirement } = other.speaker;
  const found = (verdict: CheckResult['verdict'], detail: string): CheckResult[] => [
    { operation: operation.id, kind, requirement, verdict, detail },
  ];
  const begun = outcomeOf(owner.answer);
  switch (begun.kind) {
    case 'lost':
      return found('inconclusive', begun.why);
    case 'refused':
      return found('inconclusive', `${owner.speaker.kind} was refused, so there is nothing to continue`);
    case 'accepted':
      break;
  }
  const conversationId = conversationOf(owner.answer);
  if (conversationId === undefined) return found('observed', 'no answer names a conversation that could be continued');
  const continued = await say(api, operation, other.speaker, { ...operation.example, conversationId });
  return found(...heard(operation, continued, owner, other));
}

/** Whether the conversation of one who was accepted takes a query, where it is known, and the scope. */
async function ofOwner(api: CheckApi, operation: Operation, { speaker, answer }: Begun): Promise<CheckResult[]> {
  if (outcomeOf(answer).kind !== 'accepted') return [];
  const conversationId = conversationOf(answer);
  const asked =
    conversationId === undefined ? [] : [queried(operation, await say(api, operation, speaker, { conversationId }))];
  return [
    ...asked.map((found) => ({ operation: operation.id, kind: speaker.kind, ...found })),
    ...(await continueUnscoped(api, operation, speaker, conversationId ?? MADE_UP)),
  ];
}

/** Where no answer names one: who lacks the scope is refused whatever conversation is meant. */
const MADE_UP = '00000000-0000-4000-8000-000000000000';

/** A conversation under way lifts no check: a token of the same person without the scope is refused in it too. */
async function continueUnscoped(
  api: CheckApi,
  operation: Operation,
  { kind, named }: Speaker,
  conversationId: string,
): Promise<CheckResult[]> {
  const credential = api.planned(operation.id, kind, { holding: 'none' })?.credential;
  if (!credential) return [];
  const body = { ...operation.example, conversationId };
  const answer = await api.call({ operation, credential, headers: kindHeaders(api, kind, named), body });
  const unit = { operation: operation.id, kind, requirement: `scope.${operation.id}` };
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'lost':
      return [{ ...unit, verdict: 'inconclusive', detail: outcome.why }];
    case 'refused':
      return [{ ...unit, verdict: 'pass', detail: `without the scope a conversation is refused: ${outcome.status}` }];
    case 'accepted':
      return [{ ...unit, verdict: 'fail', detail: 'a token without the scope continued a conversation' }];
  }
}

type Heard = readonly [CheckResult['verdict'], detail: string];

function heard(operation: Operation, continued: CheckAnswer, owner: Begun, { speaker, answer }: Begun): Heard {
  // In a refusal too: whoever is refused never sent it.
  if (continued.text.includes(owner.secret))
    return ['fail', `${speaker.kind} continued a conversation of another person and saw what was said in it`];
  const outcome = readIn(continued, operation);
  switch (outcome.kind) {
    case 'lost':
      return ['inconclusive', outcome.why];
    case 'refused':
      // It is the conversation that is refused only where the same speaker is accepted without it.
      return outcomeOf(answer).kind === 'accepted'
        ? ['pass', "another person's conversation is refused"]
        : ['inconclusive', `${speaker.kind} was not accepted in a conversation of its own either`];
    case 'accepted':
      return ['pass', "another person's conversation stays unseen"];
  }
}

function queried({ id }: Operation, unasked: CheckAnswer): Pick<CheckResult, 'requirement' | 'verdict' | 'detail'> {
  const requirement = `${id}.request`;
  const outcome = outcomeOf(unasked);
  switch (outcome.kind) {
    case 'lost':
      return { requirement, verdict: 'inconclusive', detail: outcome.why };
    case 'refused':
      return { requirement, verdict: 'pass', detail: 'continuing a conversation takes a query' };
    case 'accepted': {
      const detail = `wanted 4xx to a ${id} with conversationId and no query, got ${outcome.status}`;
      return { requirement, verdict: 'warn', detail };
    }
  }
}

/** The id that an answer gives its conversation, also in one that streams. */
function conversationOf({ text }: CheckAnswer): string | undefined {
  return /"conversationId"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
}
