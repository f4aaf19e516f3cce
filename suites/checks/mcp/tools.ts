import type { Aim, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { challenged } from '../authorization-server/discovery.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { byOutcome, type Decided, decisionsOn, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { type Parties, partiesOf, shows } from '../shared/sightings.ts';
import {
  acceptanceOf,
  type Begun,
  beginAgain,
  eachClient,
  type Handshake,
  linesOf,
  noTool,
  otherTools,
  takeLeave,
  toolsIn,
  whyUntried,
} from './handshake.ts';
import { influences, type ToolCall } from './influences.ts';
import { ask, type Request, statusOf, type Told, withParams } from './message.ts';
import type { Place } from './refusals.ts';
import { type McpTokens, tokensOf, withoutToken, withWrongHeader } from './tokens.ts';

export function mcpTools(api: CheckApi): Promise<readonly CheckResult[]> {
  return eachClient(api, async (tokens, begun) => {
    if (!begun) return [];
    const { handshake, call } = begun;
    const acceptance = call && (await acceptanceOf(call));
    const accepted = call?.found.got.answer;
    const tool = call && acceptance && accepted && { handshake, request: call.request, acceptance, accepted };
    // Calls of the others may be slow and expensive, so only some targets get them.
    const others = tool && api.breadth === 'whole' ? otherTools(api, tool.request.operation, toolsIn(begun)) : [];
    const results = tool ? await isolation(api, tool, others) : withoutTool(begun);
    if (tool) results.push(...(await influenced(api, tool, tokens, others)));
    if (api.trusted) results.push(...ownTools(begun, tool));
    if (api.trusted && tool) results.push(...(await toolScope(api, tool, tokens)));
    return results;
  });
}

/** What is decided of the whole server for the tokens of a kind. */
const say = (api: CheckApi, requirement: string, kind: string, decided: Decided) =>
  decisionsOn(api, { requirement, operation: 'any', kind }, decided);

function withoutTool({ handshake: { kind }, list, call }: Begun): CheckResult[] {
  const why = whyUntried(call ?? list) ?? 'the server takes calls of tools from everybody';
  return say(list.own, 'mcp.isolation', kind, call ? inconclusive(why) : observed(noTool(list.own)));
}

// The specification names no tool. What a tool is called and gives binds only the reference service.

/** Each operation is a tool, and a call of one gives a structured result. */
function ownTools({ handshake: { kind }, list, call }: Begun, tool: Place | undefined): CheckResult[] {
  const { own } = call ?? list;
  const decided = (): Decided => {
    const { got: listed } = list.found;
    if (listed.kind !== 'accepted') return inconclusive(whyUntried(list) ?? listed.why);
    const problem = toolsProblem(own, listed.result['tools']);
    if (problem !== undefined || !call) return fail(listed.answer, problem ?? 'no tool searches');
    const { got: called } = call.found;
    const content = called.kind === 'accepted' ? called.result['structuredContent'] : undefined;
    const refused = fail(called.answer, 'a tool call gives no structured result');
    const isStructured = typeof content === 'object' && content !== null;
    const accepted = isStructured ? pass(tool?.acceptance, 'a tool call gives a structured result') : refused;
    return byOutcome(called, { accepted, refused });
  };
  return say(own, 'reference.mcp-tools', kind, decided());
}

/** Each operation of the client API is a tool whose schema asks for the fields of its body. */
function toolsProblem({ contract }: CheckApi, tools: unknown): string | undefined {
  const listed: readonly { name?: unknown; inputSchema?: { required?: unknown }; outputSchema?: unknown }[] =
    Array.isArray(tools) ? tools : [];
  for (const { id, field } of contract.operations) {
    const tool = listed.find(({ name }) => name === id);
    if (!tool) return `there is no tool ${id}`;
    if (field && JSON.stringify(tool.inputSchema?.required) !== JSON.stringify([field.name]))
      return `the tool ${id} does not ask for ${field.name}`;
    if (tool.outputSchema === undefined) return `the tool ${id} does not describe its result`;
  }
  return undefined;
}

/** No scope but its own reaches a tool. The challenge names what is missing (RFC 6750 3.1). */
async function toolScope(parent: CheckApi, tool: Place, { kind, onlyMcp }: McpTokens): Promise<CheckResult[]> {
  const { handshake, request, acceptance } = tool;
  const { operations, mcp } = parent.contract;
  const results: CheckResult[] = [];
  for (const { id, scopes, example } of operations) {
    const others = parent.planned(id, kind, { holding: `all-but:${scopes}` })?.credential;
    const wanted = [...(mcp[0]?.scopes ?? []), ...scopes].sort().join(' ');
    for (const credential of [onlyMcp, others]) {
      if (!credential) continue;
      const api = parent.fork();
      const shows = `a call of the tool ${id} without its scope gets 403 with both scopes`;
      const body = withParams(request.body, { name: id, arguments: example });
      const told = await search(api, { ...handshake, credential }, { ...request, body, shows, wanted: 'refused' });
      const named = challenged(told.answer, 'scope')?.split(' ').sort().join(' ');
      const isRight = statusOf(told) === 403 && named === wanted;
      const got = `it gets ${statusOf(told)} and a challenge that names ${named ?? 'no scope'}`;
      const decided = isRight ? pass(acceptance, shows) : fail(told.answer, got);
      const found = byOutcome(told, { accepted: decided, refused: decided });
      results.push(...say(api, 'reference.mcp-tool-scope', kind, found));
    }
  }
  return results;
}

/** A tool finds what its person may see, and nothing that only another person may see (spec 5.2). */
async function isolation(api: CheckApi, tool: Place, others: readonly string[]): Promise<CheckResult[]> {
  const { handshake, acceptance } = tool;
  const { kind } = handshake;
  const [parties] = partiesOf(api, kind);
  if (!parties) return [];
  const { own: person, other } = parties;
  const own = api.fork();
  const hides = { ...searchFor(tool, other), shows: 'a tool does not find what only another person may see' };
  const foreign = [await search(own, handshake, hides)];
  for (const name of others)
    foreign.push(await search(own, handshake, { ...hides, body: withParams(hides.body, { name }), wanted: 'either' }));
  const found = await search(own, handshake, {
    ...searchFor(tool, person),
    shows: 'a tool finds what only its person may see',
  });
  const results = shows(found, person) ? await otherPerson(own, tool, parties) : [];
  const decided = (): Decided => {
    for (const told of foreign)
      if (shows(told, other)) return fail(told.answer, 'a tool finds what only another person may see');
    for (const told of [found, ...foreign.slice(0, 1)]) if (told.kind === 'lost') return inconclusive(told.why);
    // The specification shows no tool, so that one may show less of a document than a search of the client API does.
    if (!shows(found, person)) return observed('no answer of a tool showed a private marker');
    return pass(acceptance, 'a tool finds only what its person may see');
  };
  return [...say(own, 'mcp.isolation', kind, decided()), ...results];
}

/** A refusal may end the MCP session that it came in, so this has one of its own. Headers are read alike for every kind of token. */
async function influenced(
  api: CheckApi,
  tool: ToolCall,
  tokens: McpTokens,
  others: readonly string[],
): Promise<CheckResult[]> {
  const { kind } = tokens;
  const [parties] = partiesOf(api, kind);
  const handshake = tool.handshake.keepsSession ? await beginAgain(api.fork(), tool.handshake) : tool.handshake;
  if (!parties || !handshake) return [];
  const triesAll = api.breadth === 'whole' || kind === api.claims.kinds[0];
  const refusals = triesAll ? [withoutToken(api, kind), tokens.outOfForce].flatMap((all) => all.slice(0, 1)) : [];
  const wrongHeaders = withWrongHeader(api, tokens, api.breadth === 'whole' ? 'every' : 'one');
  const more = kindsOfFamilies(api).includes(kind) ? [...tokens.withoutMcp.slice(0, 1), ...wrongHeaders] : [];
  const all = { stranger: parties.other, refusals: [...refusals, ...more], triesAll };
  const { body } = tool.request;
  const calls = [
    ...others.map((name) => [withParams(body, { name }), { ...all, refusals: [], triesAll: false }] as const),
    [body, all] as const,
  ];
  const results: CheckResult[] = [];
  for (const [asked, tried] of calls)
    results.push(...(await influences(api, { ...tool, handshake, request: { ...tool.request, body: asked } }, tried)));
  if (tool.handshake.keepsSession) await takeLeave(api.fork(), handshake);
  return results;
}

/**
 * After one person, and in the MCP session of that one, another person. The token and the acting user say whose request it is,
 * and not the session (MCP 2025-11-25, "Session Hijacking"). The server may refuse it there, or run the tool for that other
 * person. Last, both search at the same moment.
 */
async function otherPerson(
  api: CheckApi,
  tool: Place,
  { own: person, other, isActing }: Parties,
): Promise<CheckResult[]> {
  const { handshake, acceptance } = tool;
  const { kind, agreed } = handshake;
  const hides = 'right after one person, a tool shows nothing of that person to another one';
  const ask = (one: CheckApi, who: Handshake) =>
    search(one, who, { ...searchFor(tool, person), shows: hides, wanted: 'either' });
  const stranger = await strangerTo(api, person);
  const tried: (readonly [who: string, told: Told])[] = [];
  const inSession = [
    ...(stranger ? [stranger] : []),
    ...(isActing ? [{ ...handshake, own: kindHeaders(api, kind, other.email) }] : []),
  ];
  for (const one of inSession) tried.push([one.kind, await ask(api, { ...one, agreed })]);
  if (stranger) {
    const beside = api.spread();
    const [told] = await Promise.all([ask(beside, stranger), ask(beside, handshake)]);
    tried.push([`${stranger.kind} at the same moment`, told]);
    await takeLeave(api.fork(), stranger);
  }
  return tried.flatMap(([who, told]) => {
    const problem = `with a token of ${who}, a tool shows what only the person may see who asked before`;
    const hidden = pass(acceptance, hides);
    const decided = byOutcome(told, { accepted: hidden, refused: hidden });
    return say(api, 'mcp.isolation', kind, shows(told, person) ? fail(told.answer, problem) : decided);
  });
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

function search(api: CheckApi, { credential, ...agreed }: Handshake, request: Search): Promise<Told> {
  return ask(api, { wanted: 'accepted', ...request, credential, headers: linesOf(agreed, request.operation) });
}
