import type { Aim, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { challenged } from '../authorization-server/discovery.ts';
import { byOutcome, type Decided, decisionsOn, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { partiesOf, shows } from '../shared/sightings.ts';
import {
  acceptanceOf,
  type Begun,
  beginAgain,
  eachClient,
  type Handshake,
  linesOf,
  noTool,
  takeLeave,
  toolIn,
  whyUntried,
} from './handshake.ts';
import { ask, type Request, statusOf, type Told, withParams } from './message.ts';
import type { Place } from './refusals.ts';
import { tokensOf } from './tokens.ts';

export function mcpTools(api: CheckApi): Promise<readonly CheckResult[]> {
  return eachClient(api, async ({ onlyMcp }, begun) => {
    if (!begun) return [];
    const { handshake, call } = begun;
    const acceptance = call && (await acceptanceOf(call));
    const tool = call && acceptance && { handshake, request: call.request, acceptance };
    const results = tool ? await isolation(api, tool) : withoutTool(begun);
    if (api.trusted) results.push(...ownTools(begun, tool));
    if (api.trusted && tool && onlyMcp) results.push(...(await toolScope(api.fork(), tool, onlyMcp)));
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

/** The scope MCP alone reaches the server and no tool. The challenge names what is missing (RFC 6750 3.1). */
async function toolScope(api: CheckApi, tool: Place, credential: Credential): Promise<CheckResult[]> {
  const { handshake, request, acceptance } = tool;
  const shows = 'a tool call without the scope of its operation gets 403 with both scopes';
  const told = await search(api, { ...handshake, credential }, { ...request, shows, wanted: 'refused' });
  const scopes = challenged(told.answer, 'scope')?.split(' ').sort().join(' ');
  const isRight = statusOf(told) === 403 && scopes === wantedScopes(api, request.operation);
  const decided = isRight ? pass(acceptance, shows) : fail(told.answer, `not so: ${shows}`);
  return say(api, 'reference.mcp-tool-scope', handshake.kind, byOutcome(told, { accepted: decided, refused: decided }));
}

function wantedScopes({ contract }: CheckApi, operation: Operation): string {
  const tool = contract.operations.filter(({ id }) => id === toolIn(operation));
  return [operation, ...tool]
    .flatMap(({ scopes }) => scopes)
    .sort()
    .join(' ');
}

/** A tool finds what its person may see, and nothing that only another person may see (spec 5.2). */
async function isolation(api: CheckApi, tool: Place): Promise<CheckResult[]> {
  const { handshake, acceptance } = tool;
  const { kind } = handshake;
  const [parties] = partiesOf(api, kind);
  if (!parties) return [];
  const { own: person, other } = parties;
  const mine = searchFor(tool, person);
  const own = api.fork();
  const found = await search(own, handshake, { ...mine, shows: 'a tool finds what only its person may see' });
  const hides = 'a tool does not find what only another person may see';
  const foreign = await search(own, handshake, { ...searchFor(tool, other), shows: hides });
  const decided = (): Decided => {
    if (shows(foreign, other)) return fail(foreign.answer, 'a tool finds what only another person may see');
    for (const told of [found, foreign]) if (told.kind === 'lost') return inconclusive(told.why);
    // The specification shows no tool, so that one may show less of a document than a search of the client API does.
    if (!shows(found, person)) return observed('no answer of a tool showed a private marker');
    return pass(acceptance, 'a tool finds only what its person may see');
  };
  const results = say(own, 'mcp.isolation', kind, decided());
  return shows(found, person) ? [...results, ...(await otherPerson(own, tool, person))] : results;
}

/**
 * In the MCP session of one person, the token of another one. The token says whose request it is, and not the session (MCP
 * 2025-11-25, "Session Hijacking"). The server may refuse it there, or run the tool for that other person.
 * @param person who began the session.
 */
async function otherPerson(api: CheckApi, tool: Place, person: Person): Promise<CheckResult[]> {
  const { kind, keepsSession, agreed } = tool.handshake;
  const elsewhere = keepsSession ? await strangerTo(api, person) : undefined;
  if (!elsewhere) return [];
  const hides = 'in the MCP session of one person, a tool shows nothing of that person to another one';
  const told = await search(
    api,
    { ...elsewhere, agreed },
    { ...searchFor(tool, person), shows: hides, wanted: 'either' },
  );
  const problem = `with a token of ${elsewhere.kind}, a tool shows what only the person may see who began the session`;
  const hidden = pass(tool.acceptance, hides);
  const decided = byOutcome(told, { accepted: hidden, refused: hidden });
  return say(api, 'mcp.isolation', kind, shows(told, person) ? fail(told.answer, problem) : decided);
}

/** A client with the token of another person, of those who have private documents. It is one that the server accepts. */
async function strangerTo(api: CheckApi, { owner }: Person): Promise<Handshake | undefined> {
  for (const kind of api.claims.kinds) {
    const { full: credential } = tokensOf(api, kind);
    const [parties] = partiesOf(api, kind);
    if (!credential || !parties || parties.isThird || parties.own.owner === owner) continue;
    const elsewhere = await beginAgain(api.fork(), { kind, credential, own: kindHeaders(api, kind) });
    if (elsewhere) await takeLeave(api.fork(), elsewhere);
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
