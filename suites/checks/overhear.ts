import { outcomeOf, readIn } from '../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { given } from '../../harness/contract/collections.ts';
import { ACT_AS, headerOf, mayAct } from '../../harness/contract/contract.ts';
import { conversationTexts } from '../variations/fill.ts';
import { bundlesOf, influenceOf, type Variation } from '../variations/variation.ts';
import { type Conversation, further, isSeen, NOT_SEEN, say, sayAgain, sayAnew } from './begin-conversation.ts';
import { describe } from './shared/caller.ts';
import { conversationIds, IS_LED, isLed, messageIdIn, type Speaker } from './shared/conversation-id.ts';
import { type Decided, decisionOf, fail, inconclusive, pass, untried } from './shared/decision.ts';
import { smallest } from './shared/group-testing.ts';
import { variationsFor } from './shared/known-variations.ts';
import { isNamedIn } from './shared/named-person.ts';
import { markerOf } from './shared/private-documents.ts';
import { kindHeaders } from './shared/refusals.ts';
import { sendVaried } from './shared/send-varied.ts';
import { namingIn } from './shared/sightings.ts';
import { acceptedWith } from './shared/vary.ts';
import type { Line } from './shared/written-request.ts';

/** Lets `other` continue the conversation of `owner`, if its id is known. @param isVaried whether it also asks otherwise. */
export async function overhear(
  owner: Conversation,
  other: Conversation,
  { isVaried = false }: { readonly isVaried?: boolean } = {},
): Promise<CheckResult> {
  const { kind, requirement } = other.speaker;
  const { operation } = owner;
  const isWhole = other.api.breadth === 'whole';
  const steps = () => [...owner.api.steps, ...other.api.steps];
  // An answer may list the conversations of everybody.
  const listed = given([other.answer, other.continued]).map((one) =>
    shown(one, owner, other, 'in its own conversation'),
  );
  const [seen] = given(listed);
  if (seen) return { requirement, operation: operation.id, kind, ...seen, steps: steps() };
  if (isWhole) await sayAgain(owner);
  const { answer, ...decided } = await heardById(owner, other);
  const isOpen = isVaried && decided.verdict !== 'fail' && owner.id !== undefined;
  const { decided: otherwise, ...varied } = isOpen ? await heardOtherwise(owner, other, owner.id) : {};
  // It is asked last, because its owner says more in the conversation.
  const mayLead = answer?.accepted && decided.verdict !== 'fail' && !otherwise;
  const led = mayLead ? await ledBy(owner, other) : undefined;
  return { requirement, operation: operation.id, kind, ...(led ?? otherwise ?? decided), ...varied, steps: steps() };
}

/** What somebody hears of a conversation who has none. That they hear nothing is no decision, because nothing shows that they may chat. */
export async function listen(owner: Conversation, speaker: Speaker): Promise<readonly CheckResult[]> {
  const { operation, nextId: conversationId = owner.id } = owner;
  if (conversationId === undefined) return [];
  const other = { ...owner, api: owner.api.fork(), speaker };
  const body = { ...further(operation, soughtBy(other, owner)), conversationId };
  const answer = await say(other, { body, shows: staysWith(owner), wanted: 'either' });
  const heard = shown(answer, owner, other, CONTINUED);
  return heard ? [decisionOf({ ...other, kind: speaker.kind }, speaker.requirement, heard)] : [];
}

const staysWith = ({ speaker }: Conversation) => `the conversation of the ${speaker.kind} token stays with its owner`;

/** The person that another speaker asks about: the owner. It is not known what a third person may see, so they ask about nobody. */
const soughtBy = ({ speaker: { person } }: Conversation, owner: Conversation) => person && owner.speaker.person;

/** By each id that an answer names, in the request that continues it. @returns with the last answer. */
async function heardById(
  owner: Conversation,
  other: Conversation,
): Promise<Decided & Partial<Pick<CheckResult, 'requirement' | 'operation'>> & { readonly answer?: CheckAnswer }> {
  const { api, operation } = owner;
  const isWhole = api.breadth === 'whole';
  const person = soughtBy(other, owner);
  const asked = { shows: staysWith(owner), wanted: 'either' } as const;
  const elsewhere = api.contract.operations.filter((one) => isWhole && one !== operation);
  let decided: Awaited<ReturnType<typeof heardById>> = owner.decided;
  // A target may take only the id that its last answer named.
  const ids = [...given([owner.id, owner.nextId])];
  for (const conversationId of ids) {
    const body = { ...further(operation, person), conversationId };
    const ask = (headers: readonly Line[]) => say(other, { body, headers, ...asked });
    const answer = await ask([]);
    decided = { answer, ...heard(answer, owner, other) };
    if (decided.verdict === 'fail' || decided.verdict === 'inconclusive') return decided;
    for (const headers of naming(owner, other)) {
      const found = heard(await ask(headers), owner, other);
      if (found.verdict !== 'fail') continue;
      // Somebody may be let in who asks again, and then the header is no cause.
      const again = heard(await ask([]), owner, other);
      return again.verdict === 'fail' ? again : { ...found, requirement: ESCALATION, influence: namingIn(other) };
    }
    // A target may read the field on an operation that does not document it.
    for (const one of elsewhere) {
      const there = { ...further(one, person), conversationId };
      const found = heard(await say({ ...other, operation: one }, { body: there, ...asked }), owner, other);
      if (found.verdict === 'fail') return { ...found, operation: one.id };
    }
    const copy = conversationIds(answer).find(({ names }) => names === 'own')?.id;
    const isNew = copy !== undefined && ![...ids, other.id].includes(copy);
    if (isWhole && isNew && ids.length < MOST_IDS) ids.push(copy);
  }
  return decided;
}

async function ledBy(owner: Conversation, other: Conversation): Promise<Decided | undefined> {
  const { operation, speaker, id, nextId: conversationId = id } = owner;
  const { kind, person } = other.speaker;
  if (!person || !speaker.person || person.owner === speaker.person.owner) return undefined;
  const words = { ...further(operation, person), conversationId };
  const others = further(operation, speaker.person);
  const led = await isLed(
    () => say(owner, { body: words, shows: `its owner asks for ${markerOf(person)}`, wanted: 'either' }),
    () => say(other, { body: { ...others, conversationId }, shows: staysWith(owner), wanted: 'either' }),
    () => say(other, { body: others, shows: 'the same words find nothing alone', wanted: 'accepted' }),
    (answer) => showsMarker(answer, person.owner),
  );
  return led && fail(led, `with the ${kind} token, a chat ${IS_LED}`);
}

/** A target may copy a conversation for who continues it, and name the copy. One that names each answer anew has no end. */
const MOST_IDS = 3;

/** Who is shown the conversation only because X-Service-ActAs names its owner runs as the owner. */
export const ESCALATION = 'act-as.no-escalation';

/** A path that ends in the id of a conversation. A request for it has no fields. */
const isPath = ({ place }: Variation) => place === 'path';

/** Who wants a stream is often served by code of its own. */
const isStreamed = ({ name, value }: Variation) => name === 'stream' || value === 'text/event-stream';

/** What else may lead to a conversation, beside its id or in its place. */
const BESIDE = ['header', 'cookie', 'parameter', 'field', 'content-type', 'transport'] as const;

/** Who may read a conversation is sometimes decided by one part of a request, and what is shown by another. */
async function heardOtherwise(
  owner: Conversation,
  other: Conversation,
  id: string,
): Promise<Pick<CheckResult, 'varied'> & { readonly decided?: Decided & Partial<Pick<CheckResult, 'requirement'>> }> {
  const { api, operation, speaker, answer: like } = other;
  const { kind } = speaker;
  const isWhole = api.breadth === 'whole';
  const base = { credential: speaker.credential, headers: kindHeaders(api, kind, speaker.named) };
  const control = await api.acceptance(like);
  const ways = [
    ...variationsFor(api, operation, BESIDE, { breadth: api.breadth }),
    ...variationsFor(api, operation, ['method'], { breadth: 'telling' }),
  ];
  // Where chats are few, one is sent, and only what it shows counts.
  const caller = { api, operation, kind, base, like, control };
  const { groups } = isWhole
    ? await acceptedWith(caller, bundlesOf(ways))
    : { groups: [{ items: ways.filter(isStreamed) }] };
  const texts = conversationTexts(id, other.id, messageIdIn(owner.continued ?? owner.answer));
  const spellings = variationsFor(api, operation, ['conversation'], { texts, breadth: 'whole' });
  const [plain] = spellings;
  const ids = spellings.filter(({ isTelling }) => isWhole || isTelling);
  const reading = ways.find(({ name, value }) => name === 'GET' && value === 'query');
  const isInPlace = ({ name, place }: Variation) => name === plain?.name && place === plain.place;
  const isHeard = async (variations: readonly Variation[], isOwn: boolean) => {
    const own = isOwn && other.id !== undefined && { conversationId: other.id };
    const shows = `${staysWith(owner)}, with ${describe(variations)}`;
    const fields = variations.some(isPath) ? {} : { ...further(operation, soughtBy(other, owner)), ...own };
    const answer = await sendVaried(api, operation, { base, variations, fields, shows, wanted: 'either' });
    return heard(answer, owner, other).verdict === 'fail' ? answer : undefined;
  };
  // Without what stands beside them, none of the items asks for the conversation.
  const asked = [
    ...bundlesOf(ids).flatMap((items) => {
      const beside = items.some(isPath) ? given([reading]) : [];
      // A target may read another name of a conversation only where the documented one is missing.
      const ways = items.some((one) => isPath(one) || isInPlace(one)) ? [false] : [true, false];
      return ways.map((isOwn) => ({ items, beside, isOwn }));
    }),
    ...(plain ? groups.map(({ items }) => ({ items, beside: [plain], isOwn: false })) : []),
  ];
  const isOfAny = ({ beside, items }: (typeof asked)[number]) =>
    isWhole && ![...beside, ...items].some((one) => isPath(one) || JSON.stringify(one.value).includes(id));
  const heardWith = async (one: (typeof asked)[number]) => {
    // What stands for any conversation may lead to the last one: its owner begins one right before.
    if (isOfAny(one)) await sayAnew(owner);
    return { ...one, evidence: await isHeard([...one.beside, ...one.items], one.isOwn) };
  };
  const found = await Promise.all(asked.filter((one) => !isOfAny(one)).map(heardWith));
  for (const one of asked.filter(isOfAny)) found.push(await heardWith(one));
  const sent = asked.flatMap(({ beside, items }) => [...beside, ...items]);
  // What not even its owner sees was not hidden.
  const tried = isWhole && isSeen(owner) ? { varied: { law: 'sighting' as const, with: sent } } : {};
  for (const { items, beside, isOwn, evidence } of found) {
    if (!evidence) continue;
    const least = await smallest({ items, evidence }, (some) => isHeard([...beside, ...some], isOwn));
    const { detail } = heard(least.evidence, owner, other);
    const { person } = owner.speaker;
    const runsAs = person && speaker.named === undefined && isNamedIn(least.items, person);
    const why = `${detail}, with ${describe([...beside, ...least.items])}`;
    const decided = fail(least.evidence, why, influenceOf(least.items));
    return { decided: { ...decided, ...(runsAs && { requirement: ESCALATION }) }, ...tried };
  }
  return tried;
}

/** X-Service-ActAs with the owner of a conversation, beside a token that does not need it (spec 5.1). */
function naming(
  { api, speaker: { person } }: Conversation,
  { speaker: { kind } }: Conversation,
): readonly (readonly Line[])[] {
  const isSent = api.breadth === 'whole' && api.contract.headers.includes(ACT_AS) && !mayAct(api.contract, kind);
  return person && isSent ? [[[headerOf(api.contract, ACT_AS).name, person.email]]] : [];
}

/** What an answer shows of the owner of a conversation. A refusal must not show it either. */
function shown(
  answer: CheckAnswer,
  owner: Conversation,
  { speaker }: Conversation,
  where: string,
): Decided | undefined {
  const { person } = owner.speaker;
  const isOther = person && person.owner !== speaker.person?.owner && showsMarker(answer, person.owner);
  // The sender of this request does not know the secret.
  const isSaid = answer.text.includes(owner.secret);
  const what = isSaid ? 'what another person had said in a conversation' : isOther && markerOf(person);
  const detail = `with the ${speaker.kind} token, a chat ${where} showed ${what}`;
  return what ? { verdict: 'fail', broke: answer, wanted: staysWith(owner), detail } : undefined;
}

const CONTINUED = "that continued another person's conversation";

function heard(answer: CheckAnswer, owner: Conversation, other: Conversation): Decided {
  const { speaker, answer: first } = other;
  const found = shown(answer, owner, other, CONTINUED);
  if (found) return found;
  const outcome = readIn(answer, owner.operation);
  switch (outcome.kind) {
    case 'lost':
      return inconclusive(outcome.why);
    case 'refused':
      // The refusal is about the owner only if the owner is accepted, and the same speaker is accepted elsewhere.
      if (!owner.continued) return inconclusive('its owner cannot continue the conversation either');
      return outcomeOf(first).kind === 'accepted'
        ? pass(owner.control, "continuing another person's conversation is refused")
        : inconclusive(`the ${speaker.kind} token was not accepted in its own conversation either`);
    case 'accepted':
      return isSeen(owner)
        ? pass(owner.control, 'the answer shows nothing of the conversation, which its owner sees')
        : untried(NOT_SEEN);
  }
}
