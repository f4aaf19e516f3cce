import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf, readIn } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { kindHeaders } from './shared/kind-headers.ts';

/**
 * A conversation is data of the person who had it (spec 2.4 and 5.2). The specification does not say how an answer names
 * its conversation. If no id is found, nothing is decided.
 */
export const conversations: Check = {
  id: 'conversations',
  title: "Nobody sees another person's conversation, and continuing one needs a query and the scope",
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
    // The third speaker has the first one's token. Chats are expensive, so without an id this one is not started.
    if (third === undefined || conversationOf(one.answer) === undefined) return results;
    return [...results, ...(await overhear(api, operation, one, await begin(api, operation, third, 'third')))];
  },
};

/** Somebody who chats: with a token of this kind, and with this person in X-Service-ActAs. */
interface Speaker {
  readonly kind: string;
  readonly named?: string;
  readonly requirement: string;
}

/**
 * Up to three speakers of the claimed kinds: a GLOBAL token that acts as one person, a token of another kind, and the
 * same GLOBAL token that acts as another person.
 */
function speakers(api: CheckApi): Speaker[] {
  const { actAs, user } = api.people;
  const actingKind = api.claims.kinds.find((kind) => actsAs(api.contract, kind));
  const ownKind = api.claims.kinds.find((kind) => !actsAs(api.contract, kind));
  const actingAs = (named: string | undefined): Speaker[] =>
    actingKind === undefined || named === undefined
      ? []
      : [{ kind: actingKind, named, requirement: 'act-as.effective' }];
  const own: Speaker[] = ownKind === undefined ? [] : [{ kind: ownKind, requirement: 'user.isolation' }];
  return [...actingAs(actAs), ...own, ...actingAs(user)];
}

/** The first message of a speaker, and its answer. */
interface FirstChat {
  readonly speaker: Speaker;
  readonly secret: string;
  readonly answer: CheckAnswer;
}

function say(api: CheckApi, operation: Operation, { kind, named }: Speaker, body: object): Promise<CheckAnswer> {
  return api.call({ operation, credential: api.full(kind), headers: kindHeaders(api, kind, named), body });
}

async function begin(api: CheckApi, operation: Operation, speaker: Speaker, who: string): Promise<FirstChat> {
  const secret = `Reference ${(api.seed >>> 0).toString(36)}-${who}.`;
  const query = `${operation.example?.['query'] ?? ''} ${secret}`;
  return { speaker, secret, answer: await say(api, operation, speaker, { ...operation.example, query }) };
}

/** Lets `other` continue the conversation of `owner`, if its id is known. */
async function overhear(
  api: CheckApi,
  operation: Operation,
  owner: FirstChat,
  other: FirstChat,
): Promise<CheckResult[]> {
  const { kind, requirement } = other.speaker;
  const found = (verdict: CheckResult['verdict'], detail: string): CheckResult[] => [
    { operation: operation.id, kind, requirement, verdict, detail },
  ];
  const begun = outcomeOf(owner.answer);
  switch (begun.kind) {
    case 'lost':
      return found('inconclusive', begun.why);
    case 'refused':
      return found(
        'inconclusive',
        `the chat with the ${owner.speaker.kind} token was refused, so it cannot be continued`,
      );
    case 'accepted':
      break;
  }
  const conversationId = conversationOf(owner.answer);
  if (conversationId === undefined)
    return found('observed', 'no answer has a conversationId, so none can be continued');
  const continued = await say(api, operation, other.speaker, { ...operation.example, conversationId });
  return found(...heard(operation, continued, owner, other));
}

/** Lets the owner continue the conversation without a query, and without the scope. */
async function ofOwner(api: CheckApi, operation: Operation, { speaker, answer }: FirstChat): Promise<CheckResult[]> {
  if (outcomeOf(answer).kind !== 'accepted') return [];
  const conversationId = conversationOf(answer);
  const asked =
    conversationId === undefined ? [] : [queried(operation, await say(api, operation, speaker, { conversationId }))];
  return [
    ...asked.map((found) => ({ operation: operation.id, kind: speaker.kind, ...found })),
    ...(await continueUnscoped(api, operation, speaker, conversationId ?? MADE_UP)),
  ];
}

/** Used if no answer has an id: a token without the scope is refused whatever the id is. */
const MADE_UP = '00000000-0000-4000-8000-000000000000';

/** A token of the same person without the scope is refused in a started conversation too. */
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
      return [
        {
          ...unit,
          verdict: 'pass',
          detail: `continuing a conversation without the scope is refused: ${outcome.status}`,
        },
      ];
    case 'accepted':
      return [{ ...unit, verdict: 'fail', detail: 'a token without the scope continued a conversation' }];
  }
}

type Heard = readonly [CheckResult['verdict'], detail: string];

function heard(operation: Operation, continued: CheckAnswer, owner: FirstChat, { speaker, answer }: FirstChat): Heard {
  // A refusal must not show it either: the sender of this request does not know the secret.
  if (continued.text.includes(owner.secret))
    return ['fail', `with the ${speaker.kind} token, a chat showed what another person had said in a conversation`];
  const outcome = readIn(continued, operation);
  switch (outcome.kind) {
    case 'lost':
      return ['inconclusive', outcome.why];
    case 'refused':
      // The refusal is about the conversation only if the same speaker is accepted without it.
      return outcomeOf(answer).kind === 'accepted'
        ? ['pass', "continuing another person's conversation is refused"]
        : ['inconclusive', `the ${speaker.kind} token was not accepted in its own conversation either`];
    case 'accepted':
      return ['pass', "the answer shows nothing of another person's conversation"];
  }
}

function queried({ id }: Operation, unasked: CheckAnswer): Pick<CheckResult, 'requirement' | 'verdict' | 'detail'> {
  const requirement = `${id}.request`;
  const outcome = outcomeOf(unasked);
  switch (outcome.kind) {
    case 'lost':
      return { requirement, verdict: 'inconclusive', detail: outcome.why };
    case 'refused':
      return { requirement, verdict: 'pass', detail: 'continuing a conversation without a query is refused' };
    case 'accepted': {
      const detail = `wanted 4xx to a ${id} with conversationId and no query, got ${outcome.status}`;
      return { requirement, verdict: 'warn', detail };
    }
  }
}

/** The `conversationId` in the text of an answer. Streamed answers are not JSON as a whole, so the text is searched. */
function conversationOf({ text }: CheckAnswer): string | undefined {
  return /"conversationId"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
}
