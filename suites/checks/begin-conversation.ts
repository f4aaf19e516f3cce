import { type Acceptance, outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { LONG_PAUSES_MS } from './shared/confirm.ts';
import {
  type Continued,
  type ConversationId,
  continueOneOf,
  conversationIds,
  idsToTry,
  type Speaker,
} from './shared/conversation-id.ts';
import { type Decided, fail, inconclusive, observed, pass, untried } from './shared/decision.ts';
import type { Person } from './shared/private-documents.ts';
import { kindHeaders } from './shared/refusals.ts';
import type { Line } from './shared/written-request.ts';

/** A conversation with one message, and whether its owner can continue it. */
export interface Conversation {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly speaker: Speaker;
  readonly secret: string;
  readonly answer: CheckAnswer;
  /** Undefined if no answer names the conversation, as far as its owner can see. */
  readonly id: string | undefined;
  /** The id that the second answer names in place of the first, if it does. */
  readonly nextId?: string;
  /** The owner's second message. It is the control of every refusal to continue the conversation (spec 2.4). */
  readonly continued: CheckAnswer | undefined;
  readonly control: Acceptance | undefined;
  readonly decided: Decided;
}

export interface Message {
  readonly body: object;
  readonly shows: string;
  readonly wanted: 'accepted' | 'refused' | 'either';
  readonly credential?: Credential;
  /** Beside those of the kind. */
  readonly headers?: readonly Line[];
}

export function say(
  { api, operation, speaker }: Pick<Conversation, 'api' | 'operation' | 'speaker'>,
  { credential = speaker.credential, headers = [], ...message }: Message,
): Promise<CheckAnswer> {
  return api.call({
    operation,
    credential,
    headers: [...kindHeaders(api, speaker.kind, speaker.named), ...headers],
    ...message,
    shows: `with the ${speaker.kind} token, ${message.shows}`,
  });
}

/** Starts a conversation, and lets its owner continue it. @param who makes what is said in it unlike any other. */
export async function beginConversation(
  parent: CheckApi,
  operation: Operation,
  speaker: Speaker,
  who: string,
): Promise<Conversation> {
  const api = parent.fork();
  const from = { api, operation, speaker };
  const secret = `Reference ${(api.seed >>> 0).toString(36)}-${who}.`;
  const chosen = speaker.chooses;
  const body = { ...saying(operation, secret), ...(chosen !== undefined && { conversationId: chosen }) };
  const first = { body, shows: 'a conversation begins', wanted: 'accepted' } as const;
  const answer = await say(from, first);
  const begun = { ...from, secret, answer, id: undefined, continued: undefined, control: undefined };
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return { ...begun, decided: inconclusive(outcome.why) };
  if (outcome.kind === 'refused') {
    const why = `the chat with the ${speaker.kind} token was refused, so it cannot be continued`;
    return { ...begun, decided: inconclusive(why) };
  }
  const [likeliest, ...others] = chosen === undefined ? idsToTry(api, answer) : [named(chosen)];
  if (!likeliest) return { ...begun, decided: untried(NO_ID) };
  const more = (conversationId: string) => ({ ...further(operation, speaker.person), conversationId });
  const ask = ({ id, names }: ConversationId) =>
    names === 'own'
      ? say(from, { body: more(id), shows: OWNER, wanted: 'accepted' })
      : say(from, { body: more(id), shows: `${OWNER}, if this is its id`, wanted: 'either' });
  const tried = await continueOneOf(api, [likeliest, ...others], ask, LONG_PAUSES_MS);
  return { ...begun, ...(await whatShows(api, tried)) };
}

/** An id that a client chose names its conversation if the target takes it. */
const named = (id: string): ConversationId => ({ id, names: 'unsaid' });

/** The documented body with what is said in a conversation alone. */
export const saying = ({ example }: Operation, secret: string) => ({
  ...example,
  query: `${example?.['query'] ?? ''} ${secret}`,
});

/**
 * What continues a conversation. An answer that quotes a private document becomes part of it, and may be shown to anybody who
 * continues it. A chat that asks for that document there may also look for it as the owner of the conversation.
 */
export const further = ({ example }: Operation, person: Person | undefined) => ({
  ...example,
  ...(person && { query: person.query }),
});

/** Whether its owner sees what was said before in a conversation. */
export const isSeen = ({ continued, secret }: Conversation): boolean => continued?.text.includes(secret) === true;

/** Why nothing tells whether somebody else reads or writes in a conversation. */
export const NOT_SEEN = 'no answer shows what was said before, not even to the owner of the conversation';

/** Says it once more: some targets show only what was said last. */
export async function sayAgain(conversation: Conversation): Promise<void> {
  const { operation, secret, id, nextId } = conversation;
  if (id === undefined || nextId !== undefined) return;
  const body = { ...saying(operation, secret), conversationId: id };
  await say(conversation, { body, shows: OWNER, wanted: 'either' });
}

/** Says it in one more conversation, which is then the last that began, and the last in which somebody spoke. */
export const sayAnew = (conversation: Conversation): Promise<CheckAnswer> =>
  say(conversation, {
    body: saying(conversation.operation, conversation.secret),
    shows: 'its owner begins one more conversation',
    wanted: 'either',
  });

const NO_ID = 'no answer has the id of its conversation, so no conversation can be continued';

/** What the owner's second message shows. A refusal is blamed only if its id surely is that of the conversation. */
async function whatShows(
  api: CheckApi,
  { named: { id, names }, answer, pauses }: Continued,
): Promise<Partial<Conversation> & Pick<Conversation, 'decided'>> {
  const outcome = outcomeOf(answer);
  const known = names === 'own' ? { id } : {};
  switch (outcome.kind) {
    case 'lost':
      return { ...known, decided: inconclusive(outcome.why) };
    case 'refused':
      return { ...known, decided: refusedAs(api, names, { answer, status: outcome.status }) };
    case 'accepted':
      break;
  }
  const control = await api.acceptance(answer);
  const next = conversationIds(answer);
  const nextId = next.some((one) => one.id === id) ? undefined : next.find((one) => one.names === 'own')?.id;
  return {
    ...{ id, continued: answer, control },
    ...(nextId !== undefined && { nextId }),
    decided: pauses === 0 ? pass(control, `${OWNER} with a query`) : observed(`${OWNER}, but not at once`),
  };
}
const OWNER = 'its owner continues a conversation';

function refusedAs(
  { trusted }: CheckApi,
  names: ConversationId['names'],
  { answer, status }: { readonly answer: CheckAnswer; readonly status: number },
): Decided {
  switch (names) {
    case 'own':
      // Some targets store a conversation long after its answer. This project's targets do not.
      return status === 404 && !trusted
        ? inconclusive('ten seconds after a conversation began, its owner still gets 404 for it')
        : fail(answer, `${OWNER}: got ${status}`);
    case 'some':
      return inconclusive('the answer names a conversation, perhaps another one, and its owner cannot continue it');
    case 'unsaid':
      return untried(NO_ID);
  }
}
