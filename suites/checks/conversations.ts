import { randomUUID } from 'node:crypto';
import { outcomeOf } from '../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckApi, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { given } from '../../harness/contract/collections.ts';
import { ACT_AS, headerOf } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { beginConversation, type Conversation, further, say } from './begin-conversation.ts';
import { leakAtPath, NOBODY, pathsTo } from './kept-answers.ts';
import { ESCALATION, listen, overhear } from './overhear.ts';
import { callerOf, withOneScope } from './shared/caller.ts';
import { confirm } from './shared/confirm.ts';
import { isLed, type Speaker, speakers } from './shared/conversation-id.ts';
import {
  blame,
  type Decided,
  decisionOf,
  fail,
  hid,
  inconclusive,
  type KindAt,
  notTestable,
  pass,
  warn,
} from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { failures } from './shared/not-served.ts';
import { markerOf, OWNERS, privatePeople } from './shared/private-documents.ts';
import { acceptedWith } from './shared/vary.ts';

/**
 * A conversation is data of the person who had it (spec 2.4 and 5.2). The specification does not say how an answer names
 * its conversation. If no id is found, no conversation can be continued.
 */
export async function conversations(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ id }) => id === 'chat');
  if (!operation) return [];
  const { acting, actingAgain, owns, listeners, missing } = speakers(api);
  const results = missing.map(({ kind, requirement, variable }) =>
    decisionOf({ api, operation, kind }, requirement, notTestable(variable)),
  );
  const one = acting && (await beginConversation(api, operation, acting, 'one'));
  const others: Conversation[] = [];
  for (const [at, own] of owns.entries()) others.push(await beginConversation(api, operation, own, `other${at}`));
  for (const conversation of given([one, ...others])) {
    results.push(...(await ofOwner(conversation)));
    // What nobody needs a token for, another person sees too.
    if (api.breadth !== 'whole') continue;
    results.push(...(await ofNobody(conversation)));
    if (conversation.decided.verdict === 'pass')
      results.push(...(await ofSole(conversation, conversation === one ? undefined : one)));
  }
  const [other] = others;
  if (api.breadth === 'whole' && acting && other) {
    results.push(...(await failuresAtUnknown(api, operation, acting)));
    const chosen = await beginConversation(api, operation, { ...acting, chooses: randomUUID() }, 'chosen');
    if (chosen.control) results.push(await overhear(chosen, other));
    results.push(...(await ofOwnerAfterwards(api, operation, acting, other)));
    if (acting.named) results.push(...(await ofNamed(other, acting.named)));
  }
  if (one) for (const stranger of others) results.push(await overhear(one, stranger, { isVaried: stranger === other }));
  if (one && other) results.push(await overhear(other, one, { isVaried: true }));
  if (one) for (const listener of listeners) results.push(...(await listen(one, listener)));
  // This speaker has the first one's token. Chats are expensive, so without an id this conversation is not started.
  if (one?.id !== undefined && actingAgain)
    results.push(await overhear(one, await beginConversation(api, operation, actingAgain, 'third')));
  return results;
}

/** What its owner may do with a conversation: continue it, but not without a query. The check `optional-fields` has what else must be refused. */
async function ofOwner(conversation: Conversation): Promise<CheckResult[]> {
  const { api, operation, speaker, answer, id } = conversation;
  const decide = (requirement: string, decided: Decided) =>
    decisionOf({ api, operation, kind: speaker.kind }, requirement, decided);
  const results = [decide(`${operation.id}.conversation`, conversation.decided)];
  if (outcomeOf(answer).kind !== 'accepted') return results;
  if (id !== undefined) results.push(decide(`${operation.id}.request`, await withoutQuery(conversation, id)));
  const hidden = await hidesOthers(conversation);
  if (hidden) results.push(decide(speaker.requirement, hidden));
  return results;
}

/** Without a token, nobody sees a conversation (spec 1). */
async function ofNobody(conversation: Conversation): Promise<readonly CheckResult[]> {
  const { api, operation, control, id, secret, speaker } = conversation;
  if (id === undefined || !control) return [];
  const unit = { api, operation, kind: 'none' };
  const isShown = (answer: CheckAnswer) =>
    answer.text.includes(secret) || (speaker.person !== undefined && showsMarker(answer, speaker.person.owner));
  const kept = { unit, ways: pathsTo(api, operation, id), isShown, what: 'what was said in a conversation' };
  const leak = await leakAtPath(kept, NOBODY);
  return [
    decisionOf(unit, NOBODY.requirement, leak ?? pass(control, 'no path with the id of a conversation shows it')),
  ];
}

/**
 * To continue a conversation takes the scope that it took to begin it, and no other (spec 4.2). That scope alone opens no other one.
 * @param foreign the conversation of another person.
 */
async function ofSole(
  { api, operation, speaker }: Conversation,
  foreign: Conversation | undefined,
): Promise<readonly CheckResult[]> {
  const { kind } = speaker;
  const credential = withOneScope(api, operation, kind)?.credential;
  if (!credential) return [];
  const sole = await beginConversation(api, operation, { ...speaker, credential }, 'sole');
  if (outcomeOf(sole.answer).kind !== 'accepted') return [];
  const own = decisionOf({ api, operation, kind }, 'scope.sole', sole.decided);
  return [own, ...(foreign ? [await overhear(foreign, sole)] : [])];
}

/**
 * Another person who tries to continue a conversation neither ends it for its owner, nor says a word in it. The specification
 * does not speak of its end, and a target may close one that many try to read, or that is old, so a new one is tried once.
 */
async function ofOwnerAfterwards(
  api: CheckApi,
  operation: Operation,
  { person, ...speaker }: Speaker,
  other: Conversation,
): Promise<readonly CheckResult[]> {
  // Its owner never asks for their document there.
  const owner = await beginConversation(api, operation, speaker, 'kept');
  if (owner.decided.verdict !== 'pass' || owner.nextId !== undefined) return [];
  const shows = 'its owner continues a conversation that another person tried to continue';
  const body = { ...further(operation, person), conversationId: owner.id };
  const tried = { body, shows: 'another person tries to continue it', wanted: 'either' } as const;
  const intrude = () => say({ ...owner, speaker: other.speaker }, tried);
  await intrude();
  const ask = () => goesOn(owner, shows, (answer, detail) => warn(answer, detail, 'accepted'));
  const { got, decided } = await ask();
  if (person && showsMarker(got, person.owner)) {
    const alone = { body: { ...operation.example }, shows: 'a conversation begins', wanted: 'accepted' } as const;
    const isFound = (answer: CheckAnswer) => showsMarker(answer, person.owner);
    const led = await isLed(
      intrude,
      async () => (await ask()).got,
      () => say(owner, alone),
      isFound,
    );
    const what = `what another person said in a conversation made it show ${markerOf(person)} to its owner`;
    if (led) return [decisionOf(unitOf(owner), speaker.requirement, fail(led, what))];
  }
  return [decisionOf(unitOf(owner), `${operation.id}.conversation`, decided)];
}

/** Whom X-Service-ActAs names beside a token that does not need it has no part in the conversation that begins (spec 5.1, 5.2). */
async function ofNamed({ api, operation, speaker }: Conversation, named: string): Promise<readonly CheckResult[]> {
  const begun = await beginConversation(api, operation, { ...speaker, named }, 'named');
  if (begun.decided.verdict !== 'pass' || begun.nextId !== undefined) return [];
  const { name } = headerOf(api.contract, ACT_AS);
  const shows = `its owner continues a conversation without ${name}, with which it began`;
  const { decided } = await goesOn({ ...begun, speaker }, shows, fail);
  // The header is the cause only if the conversation goes on with it.
  const isOver = decided.verdict === 'fail' && (await goesOn(begun, 'with it, too', fail)).decided.verdict !== 'pass';
  return isOver ? [] : [decisionOf(unitOf(begun), ESCALATION, decided)];
}

/** Continues a conversation, and tries again if that is refused. @param wrong what a refusal is. */
async function goesOn(
  one: Conversation,
  shows: string,
  wrong: (answer: CheckAnswer, detail: string) => Decided,
): Promise<{ readonly got: CheckAnswer; readonly decided: Decided }> {
  const body = { ...one.operation.example, conversationId: one.id };
  const { kind, got } = await confirm(
    () => say(one, { body, shows, wanted: 'accepted' }),
    (answer) => (outcomeOf(answer).kind === 'refused' ? 'wrong' : 'right'),
  );
  const outcome = outcomeOf(got);
  switch (outcome.kind) {
    case 'lost':
      return { got, decided: inconclusive(outcome.why) };
    case 'refused':
      return { got, decided: blame(kind, wrong(got, `${shows}: got ${outcome.got}`)) };
    case 'accepted':
      return { got, decided: pass(await one.api.acceptance(got), shows) };
  }
}

const unitOf = ({ api, operation, speaker: { kind } }: Conversation): KindAt => ({ api, operation, kind });

/** A conversation that nobody began may be refused, or begin, but it causes no server error. */
async function failuresAtUnknown(api: CheckApi, operation: Operation, { kind }: Speaker) {
  const caller = await callerOf(api, { operation, kind });
  const fields = variationsFor(api, operation, ['field'], { breadth: 'whole' });
  // The matrix judges one of another type.
  const asked = fields.flatMap((one) =>
    one.name === 'conversationId' && typeof one.value === 'string' ? [[one]] : [],
  );
  return caller ? failures(caller, (await acceptedWith(caller, asked)).failed) : [];
}

/** A conversation of one's own, or one that nobody began, shows no document of another person. */
async function hidesOthers(conversation: Conversation): Promise<Decided | undefined> {
  const { api, operation, speaker, id, control } = conversation;
  const people = privatePeople(api);
  if (people.kind === 'missing' || !speaker.person || !control) return undefined;
  const other = people[otherThan(speaker)];
  for (const conversationId of given([id, api.breadth === 'whole' ? MADE_UP : undefined])) {
    const which = conversationId === id ? 'its own conversation' : 'a conversation that nobody began';
    const body = { ...operation.example, query: other.query, conversationId };
    const answer = await say(conversation, { body, shows: `${which} hides ${markerOf(other)}`, wanted: 'either' });
    if (showsMarker(answer, other.owner))
      return fail(answer, `with the ${speaker.kind} token, a chat in ${which} showed ${markerOf(other)}`);
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') return inconclusive(outcome.why);
  }
  return hid(other, control, `a conversation hides ${markerOf(other)}`);
}

const otherThan = ({ person }: Conversation['speaker']) => OWNERS.find((owner) => owner !== person?.owner) ?? 'USER';

async function withoutQuery(conversation: Conversation, conversationId: string): Promise<Decided> {
  const { operation, control } = conversation;
  const body = { conversationId };
  const answer = await say(conversation, { body, shows: 'a message without a query is refused', wanted: 'refused' });
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  return outcome.kind === 'refused' && outcome.status < 500
    ? pass(control, 'continuing a conversation without a query is refused')
    : warn(answer, `wanted 4xx to a ${operation.id} with conversationId and no query, got ${outcome.got}`);
}

const MADE_UP = '00000000-0000-4000-8000-000000000000';
