import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import { type Aim, type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { PATIENCE_MS } from '../shared/confirm.ts';
import { IS_LED, idsToTry, isLed } from '../shared/conversation-id.ts';
import { byOutcome, type Decided, decisionsOn, fail, inconclusive, pass, untried } from '../shared/decision.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { type Parties, partiesOf, shows } from '../shared/sightings.ts';
import { acceptedWith, staysHidden } from '../shared/vary.ts';
import { formsNaming, formsOf } from './forms.ts';
import { type Begun, beginAgain, conversingIn, type Handshake, linesOf, takeLeave } from './handshake.ts';
import { ask, type Lines, type Request, type Told, withParams } from './message.ts';
import { callerOf, levelled, type ToolCall } from './message-caller.ts';
import type { Place } from './refusals.ts';
import { tokensOf } from './tokens.ts';

/** What is decided of the whole server for the tokens of a kind. */
export const say = (api: CheckApi, requirement: string, kind: string, decided: Decided) =>
  decisionsOn(api, { requirement, operation: 'any', kind }, decided);

/** What a client gets before it calls a tool shows nothing of another person, who may have called one before. */
export function beforeCalls(api: CheckApi, { handshake: { kind }, messages, call }: Begun): CheckResult[] {
  const [parties] = partiesOf(api, kind);
  return messages.flatMap((message) => {
    const { own, request, found } = message;
    if (message === call || !parties || !shows(found.got, parties.other)) return [];
    const problem = `${request.operation.id} shows what only another person may see`;
    return say(own, 'mcp.isolation', kind, fail(found.got.answer, problem));
  });
}

/**
 * A tool finds what its person may see, and nothing that only another person may see (spec 5.2), in whatever form it is called.
 * @param tools the others that are called, too.
 */
export async function isolation(api: CheckApi, tool: Place & ToolCall, tools: unknown): Promise<CheckResult[]> {
  const { handshake, acceptance } = tool;
  const { kind } = handshake;
  const [parties] = partiesOf(api, kind);
  if (!parties) return [];
  const { own: person, other } = parties;
  const own = api.fork();
  const hides = { ...searchFor(tool, other), shows: 'a tool does not find what only another person may see' };
  const plain = await search(own, handshake, hides);
  const found = await search(own, handshake, {
    ...searchFor(tool, person),
    shows: 'a tool finds what only its person may see',
  });
  const results = shows(found, person)
    ? [...(await otherPerson(own, tool, parties, tools)), ...(await resuming(own, tool, person, found))]
    : [];
  const decided = (): Decided => {
    if (shows(plain, other)) return fail(plain.answer, 'a tool finds what only another person may see');
    for (const told of [found, plain]) if (told.kind === 'lost') return inconclusive(told.why);
    // The specification shows no tool, so that one may show less of a document than a search of the client API does.
    if (!shows(found, person)) return untried('no answer of a tool showed a private marker');
    return pass(acceptance, 'a tool finds only what its person may see');
  };
  results.push(...say(own, 'mcp.isolation', kind, decided()));
  // A server may end an MCP session after what it refuses.
  const forms = [...formsNaming(own, hides, other), ...formsOf(own, hides, tools)].filter(({ isRaw }) => !isRaw);
  const caller = { ...(await callerOf(own, { ...tool, request: hides })), stranger: other };
  const tried = await acceptedWith(
    caller,
    forms.map((one) => [one]),
  );
  return [...results, ...levelled(own, await staysHidden(caller, tried))];
}

/**
 * After one person, and in the MCP session of that one, another person. The token and the acting user say whose request it is,
 * and not the session (MCP 2025-11-25, "Session Hijacking"). The server may refuse it there, or run the tool for that other
 * person. Last, both search at the same moment.
 */
async function otherPerson(api: CheckApi, tool: Place, parties: Parties, tools: unknown): Promise<CheckResult[]> {
  const { own: person, other, isActing } = parties;
  const { handshake, acceptance } = tool;
  const { kind, agreed } = handshake;
  const hides = 'right after one person, a tool shows nothing of that person to another one';
  const same: Search = { ...searchFor(tool, person), shows: hides, wanted: 'either' };
  const conversations = await conversationsOf(api, tool, person, tools);
  const requests = [same, ...conversations.map((one) => one.asks(person))];
  const stranger = await strangerTo(api, person);
  const tried: (readonly [who: string, told: Told])[] = [];
  const results: CheckResult[] = [];
  const inSession = [
    ...(stranger ? [stranger] : []),
    ...(isActing ? [{ ...handshake, own: kindHeaders(api, kind, other.email) }] : []),
  ];
  for (const one of inSession)
    for (const request of requests) tried.push([one.kind, await search(api, { ...one, agreed }, request)]);
  if (stranger) {
    const beside = api.spread();
    const [told] = await Promise.all([search(beside, stranger, same), search(beside, handshake, same)]);
    tried.push([`${stranger.kind} at the same moment`, told]);
    for (const one of conversations) results.push(...(await ledBy(api, tool, parties, { stranger, ...one })));
    await takeLeave(api.fork(), stranger);
  }
  for (const [who, told] of tried) {
    const problem = `with a token of ${who}, a tool shows what only the person may see who asked before`;
    const hidden = pass(acceptance, hides);
    const decided = byOutcome(told, { accepted: hidden, refused: hidden });
    results.push(...say(api, 'mcp.isolation', kind, shows(told, person) ? fail(told.answer, problem) : decided));
  }
  return results;
}

/** A conversation of a person with a tool. */
interface Talk {
  /** The call that asks for the document of a person there, or outside of it. */
  readonly asks: (sought: Person) => Search;
  readonly asksAlone: (sought: Person) => Search;
}

/** Begins a conversation of this person with each tool that can continue one (spec 2.4). */
async function conversationsOf(
  api: CheckApi,
  { handshake, request: { operation, body } }: Place,
  person: Person,
  tools: unknown,
): Promise<readonly Talk[]> {
  const talks: Talk[] = [];
  for (const { name, field } of conversingIn(tools)) {
    const call = (sought: Person, more: object, what: string): Search => ({
      ...{ operation, body: withParams(body, { name, arguments: { query: sought.query, ...more } }) },
      ...{ shows: `the tool ${name} ${what}`, wanted: 'either' },
    });
    const asksAlone = (sought: Person) => call(sought, {}, 'begins a conversation');
    const begun = await search(api, handshake, { ...asksAlone(person), wanted: 'accepted' });
    if (begun.kind !== 'accepted') continue;
    // A tool may give its result as a JSON text. Headers are of the MCP session.
    const [named] = idsToTry(api, { text: begun.answer.text.replaceAll('\\"', '"'), headers: {} });
    const shown = "shows nothing of another person's conversation";
    if (named) talks.push({ asks: (sought) => call(sought, { [field]: named.id }, shown), asksAlone });
  }
  return talks;
}

async function ledBy(
  api: CheckApi,
  { handshake }: Place,
  { own, other }: Parties,
  { stranger, asks, asksAlone }: Talk & { readonly stranger: Handshake },
): Promise<CheckResult[]> {
  const led = await isLed(
    () => search(api, handshake, asks(other)),
    async () => (await search(api, stranger, asks(own))).answer,
    async () => (await search(api, stranger, asksAlone(own))).answer,
    (answer) => showsMarker(answer, other.owner),
  );
  return led ? say(api, 'mcp.isolation', handshake.kind, fail(led, `a tool ${IS_LED}`)) : [];
}

/** The id of an event, from which a client resumes a stream (MCP 2025-11-25, "Resumability and Redelivery"). */
const EVENT_ID = /^id: ?(\S+)\s*$/m;

/** A stream is for the client whose calls it answers. Nobody gets the answer to a call by resuming its stream, or with GET. */
async function resuming(parent: CheckApi, tool: Place, person: Person, found: Told): Promise<CheckResult[]> {
  const { handshake, request, acceptance } = tool;
  const { kind } = handshake;
  const [, id] = EVENT_ID.exec(found.answer.text) ?? [];
  const from: Lines = id === undefined ? [] : [['Last-Event-ID', id]];
  const stranger = await strangerTo(parent, person);
  const clients = [
    { who: 'without a token', requirement: 'mcp.token', own: handshake.own, credential: undefined },
    ...(stranger ? [{ ...stranger, who: `with a token of ${stranger.kind}`, requirement: 'mcp.isolation' }] : []),
  ];
  const results: CheckResult[] = [];
  for (const { who, requirement, own, credential } of clients) {
    const api = parent.fork();
    const headers = [
      ['Accept', 'text/event-stream'] as const,
      ...linesOf({ ...handshake, own }, request.operation),
      ...from,
    ];
    const shown = `the stream of a call is not resumed ${who}`;
    const how = { method: 'GET', body: undefined, patienceMs: PATIENCE_MS, shows: shown, wanted: 'either' } as const;
    const answer = await api.call({ operation: request.operation, credential, headers, ...how });
    const hidden = pass(acceptance, shown);
    const isShown = showsMarker(answer, person.owner);
    // A server may keep such a stream open without a word.
    if (outcomeOf(answer).kind === 'lost' && !isShown) continue;
    results.push(
      ...say(api, requirement, kind, isShown ? fail(answer, `the stream of a call is resumed ${who}`) : hidden),
    );
  }
  if (stranger) await takeLeave(parent.fork(), stranger);
  return results;
}

/** A client with the token of another person, of those who have private documents. It is one that the server accepts. */
async function strangerTo(api: CheckApi, { owner }: Person): Promise<Handshake | undefined> {
  for (const kind of api.claims.kinds) {
    const { full: credential } = tokensOf(api, kind);
    const [parties] = partiesOf(api, kind);
    if (!credential || !parties || parties.isThird || parties.own.owner === owner) continue;
    const elsewhere = await beginAgain(api.fork(), { kind, credential, own: kindHeaders(api, kind) });
    if (elsewhere) return elsewhere;
  }
  return undefined;
}

function searchFor({ request: { operation, body } }: Place, { query }: Person): Request {
  return { operation, body: withParams(body, { arguments: { query } }) };
}

type Search = Request & Pick<Aim, 'shows'> & Partial<Aim>;

export function search(api: CheckApi, { credential, ...agreed }: Handshake, request: Search): Promise<Told> {
  return ask(api, { wanted: 'accepted', ...request, credential, headers: linesOf(agreed, request.operation) });
}
