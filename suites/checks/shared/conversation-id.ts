import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { onePerFamily } from './breadth.ts';
import { withOneScope } from './caller.ts';
import { PAUSES_MS } from './confirm.ts';
import type { KindAt } from './decision.ts';
import { objectIn } from './json-object.ts';
import { belongsTo, type Owner, type Person, privatePeople } from './private-documents.ts';
import type { Line } from './written-request.ts';

/**
 * A text in an answer that may name its conversation. `own`: it does, unless the answer misleads. `some`: it names a
 * conversation, perhaps another one, such as that from which this one branched. `unsaid`: it may name anything.
 */
export interface ConversationId {
  readonly id: string;
  readonly names: 'own' | 'some' | 'unsaid';
}

/** The most ids of one sort that are tried. */
const MOST = 3;

/**
 * The ids in an answer that may name its conversation, the likeliest first. The specification does not say how an answer
 * names it. The request has a field `conversationId` (spec 2.4), so that is the conversation if the answer has it at its top.
 * Deeper in the answer it may be another conversation. Other names, numbers and headers are only tried.
 */
export function conversationIds({ text, headers }: Pick<CheckAnswer, 'text' | 'headers'>): readonly ConversationId[] {
  const atTop = [...new Set(objectsIn(text).flatMap(({ conversationId: id }) => (typeof id === 'string' ? [id] : [])))];
  if (atTop.length === 1) return atTop.map((id) => ({ id, names: 'own' }));
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].flatMap(([, id, number]) => id ?? number ?? []);
  const named = found(/"conversation_?id"\s*:\s*"([^"\\]+)"/gi);
  const nested = found(/"conversation"\s*:\s*\{[^{}]{0,1000}?"id"\s*:\s*"([^"\\]+)"/gi);
  const likely = [...new Set([...atTop, ...named, ...nested])].slice(0, MOST);
  const others = [
    found(/"(?:conversation|chat|thread|session)(?:_?(?:id|key))?"\s*:\s*(?:"([^"\\]+)"|(\d+))/gi),
    found(/"(?:conversation|chat|thread|session)"\s*:\s*\{[^{}]{0,1000}?"(?:id|key)"\s*:\s*(?:"([^"\\]+)"|(\d+))/gi),
    Object.entries(headers).flatMap(([name, value]) => (/conversation|chat|thread|session/i.test(name) && value) || []),
    found(/"id"\s*:\s*(?:"([^"\\]+)"|(\d+))/g),
  ];
  const unsaid = new Set(others.flatMap((ids) => ids.slice(0, 1)));
  return [
    ...likely.map((id): ConversationId => ({ id, names: 'some' })),
    ...[...unsaid].filter((id) => !likely.includes(id)).map((id): ConversationId => ({ id, names: 'unsaid' })),
  ];
}

/** The id of a message in an answer to a chat, which may lead to its conversation too. */
export const messageIdIn = ({ text }: Pick<CheckAnswer, 'text'>): string | undefined =>
  /"message_?id"\s*:\s*"([^"\\]+)"/i.exec(text)?.[1];

/** The same, to be sent. What nothing says to name a conversation may be a secret, such as the key of a session. */
export function idsToTry(api: Pick<CheckApi, 'given'>, answer: Pick<CheckAnswer, 'text' | 'headers'>) {
  const ids = conversationIds(answer);
  for (const { id, names } of ids) if (names === 'unsaid') api.given(id, 'an id in the answer to a chat');
  return ids;
}

/** The JSON object that a text is, or those of its lines or events: a streamed answer is not JSON as a whole. */
function objectsIn(text: string): readonly JsonObject[] {
  const whole = objectIn(text);
  if (whole) return [whole];
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.includes('"conversationId"'));
  return lines.map((line) => objectIn(line.replace(/^data: ?/, ''))).filter((one) => one !== undefined);
}
type JsonObject = Readonly<Record<string, unknown>>;

/** The answer to a message with one of several ids, and how many pauses came before it. */
export interface Continued {
  readonly named: ConversationId;
  readonly answer: CheckAnswer;
  readonly pauses: number;
}

/**
 * Sends a message with each of these ids until one is not refused. Those whose names say that they are of conversations are
 * tried again after pauses: a target may store a conversation after its answer.
 * @returns the refusal of the likeliest one if all are refused.
 */
export async function continueOneOf(
  api: Pick<CheckApi, 'wait'>,
  ids: Ids,
  say: (named: ConversationId) => Promise<CheckAnswer>,
  pausesMs = PAUSES_MS,
): Promise<Continued> {
  const firstOf = async ([named, ...others]: Ids, pauses: number): Promise<Continued> => {
    const tried = { named, answer: await say(named), pauses };
    const [next, ...rest] = others;
    if (!isRefused(tried) || !next) return tried;
    const other = await firstOf([next, ...rest], pauses);
    return isRefused(other) ? tried : other;
  };
  const [named, ...others] = ids.filter(({ names }) => names !== 'unsaid');
  let tried = await firstOf(ids, 0);
  for (const [at, pause] of pausesMs.entries()) {
    if (!isRefused(tried) || !named) break;
    await api.wait(pause);
    tried = await firstOf([named, ...others], at + 1);
  }
  return tried;
}
type Ids = readonly [ConversationId, ...ConversationId[]];
const isRefused = ({ answer }: Continued): boolean => outcomeOf(answer).kind === 'refused';

/**
 * Whether a conversation belongs to its person, and not to the token or client that began it: then another token of the
 * person, with the scope, continues it. The specification leaves that open (spec 2.4 and 5.2). Only service-issued tokens show
 * it, because OAuth tokens may be of several clients.
 */
export async function isOfPerson(
  { api, operation, kind }: KindAt,
  headers: readonly Line[],
  conversationId: unknown,
): Promise<boolean> {
  const credential = withOneScope(api, operation, kind)?.credential;
  if (!credential) return false;
  const body = { ...operation.example, conversationId };
  const shows = `with the ${kind} token, another token of its owner continues the conversation, if it belongs to the person`;
  const { accepted } = await api.call({ operation, credential, headers, body, shows, wanted: 'either' });
  return accepted;
}

/**
 * What is said in a conversation may decide what is found in it later. Its owner says words that find a document of another
 * person only. If that person then finds it by other words, the target has read what the owner said. The same words must not
 * find it alone: a target may remember what this person asked elsewhere.
 * @returns the answer that shows it twice.
 */
export async function isLed(
  ownerSays: () => Promise<unknown>,
  otherAsks: () => Promise<CheckAnswer>,
  otherAsksAlone: () => Promise<CheckAnswer>,
  isFound: (answer: CheckAnswer) => boolean,
): Promise<CheckAnswer | undefined> {
  const asked = async () => {
    await ownerSays();
    const answer = await otherAsks();
    return isFound(answer) ? answer : undefined;
  };
  if (!(await asked())) return undefined;
  const alone = await otherAsksAlone();
  return alone.accepted && !isFound(alone) ? asked() : undefined;
}
export const IS_LED = "that continued another person's conversation looked for what was said in it";

/** Somebody who chats: with a token of this kind, and with this person in X-Service-ActAs. */
export interface Speaker {
  readonly kind: string;
  readonly credential: Credential;
  readonly named?: string;
  readonly requirement: string;
  /** The id of the conversation that it begins, where it chooses one. */
  readonly chooses?: string;
  /** Who speaks, if that is one of the people whose private documents are known. */
  readonly person?: Person;
}
/** Who chats, and must not hear each other but where it is the same person. */
interface Speakers {
  /** A token that acts as one person, and the same token when it acts as another one. */
  readonly acting: Speaker | undefined;
  readonly actingAgain: Speaker | undefined;
  /** Tokens that act as nobody else: one, and those of the other kinds where chats are not few. */
  readonly owns: readonly Speaker[];
  /** Tokens of the other families where chats are few. They begin no conversation. */
  readonly listeners: readonly Speaker[];
  /** The variables of claimed kinds without which nobody can speak. */
  readonly missing: readonly { readonly kind: string; readonly requirement: string; readonly variable: string }[];
}

export function speakers(api: CheckApi): Speakers {
  const { actAs, user } = api.people;
  const people = privatePeople(api);
  const personOf = (owner: Owner) => (people.kind === 'known' ? { person: people[owner] } : {});
  const actingKind = api.claims.kinds.find((kind) => actsAs(api.contract, kind));
  const ownKinds = api.claims.kinds.filter((kind) => !actsAs(api.contract, kind) && belongsTo(api, kind) !== 'nobody');
  const speaker = (kind: string | undefined, owner: Owner | undefined, named?: string): Speaker | undefined => {
    const credential = kind === undefined ? undefined : api.full(kind);
    if (kind === undefined || !credential) return undefined;
    const requirement = named === undefined ? 'user.isolation' : 'act-as.effective';
    return { kind, credential, requirement, ...(named && { named }), ...(owner && personOf(owner)) };
  };
  const owns = ownKinds.flatMap((kind) => speaker(kind, belongsTo(api, kind) === 'user' ? 'USER' : undefined) ?? []);
  const silent = owns.length === 0 ? ownKinds[0] : undefined;
  const missing = [[actingKind, 'act-as.effective'] as const, [silent, 'user.isolation'] as const].flatMap(
    ([kind, requirement]) =>
      kind === undefined || api.full(kind) ? [] : [{ kind, requirement, variable: `${kind}_TOKEN` }],
  );
  return {
    acting: actAs === undefined ? undefined : speaker(actingKind, 'ACT_AS', actAs),
    actingAgain: user === undefined ? undefined : speaker(actingKind, 'USER', user),
    owns: api.breadth === 'whole' ? owns : owns.slice(0, 1),
    listeners: api.breadth === 'whole' ? [] : owns.slice(1).filter(({ kind }) => onePerFamily(api).includes(kind)),
    missing,
  };
}
