import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import { type Aim, type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { type Decided, fail, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { belongsTo, type Owner } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import {
  type Begun,
  begin,
  beginAgain,
  type Handshake,
  linesOf,
  NO_TOOL,
  takeLeave,
  toolIn,
  whyUntried,
  withParams,
} from './handshake.ts';
import {
  advise,
  ask,
  challenged,
  decide,
  messageOf,
  type Request,
  statusOf,
  type Told,
  wholeServer,
} from './message.ts';
import { tokensOf } from './tokens.ts';

/** The tools, and what they show to whom. */
export async function mcpTools(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const kind of api.claims.kinds) {
    const { full, onlyMcp } = tokensOf(api, kind);
    const begun = full && (await begin(api, kind, full));
    if (!begun) continue;
    const tool = await toolOf(begun);
    results.push(...(tool ? await isolation(api, tool) : withoutTool(begun)));
    if (api.trusted) results.push(ownTools(begun, tool));
    if (api.trusted && tool && onlyMcp) results.push(await toolScope(api.fork(), tool, onlyMcp));
    await takeLeave(api.fork(), begun.handshake);
  }
  return results;
}

async function toolOf({ handshake, call }: Begun): Promise<Tool | undefined> {
  const acceptance = call?.found.kind === 'right' ? await call.own.acceptance(call.found.got.answer) : undefined;
  return call && acceptance && { handshake, request: call.request, acceptance };
}

/** What is said of the tools if none was called. */
function withoutTool({ handshake: { kind }, list, call }: Begun): CheckResult[] {
  const tool = messageOf(list.own, 'tools/call');
  const noTool = !call && tool ? observed(NO_TOOL(tool)) : undefined;
  const why = whyUntried(call ?? list) ?? 'the server takes calls of tools from everybody';
  return advise(list.own, 'mcp.isolation', wholeServer(kind), noTool ?? inconclusive(why));
}

// The specification names no tool. What a tool is called and gives binds only the reference service.

/** Each operation is a tool, and a call of one gives a structured result. */
function ownTools({ handshake, list, call }: Begun, tool: Tool | undefined): CheckResult {
  const { own } = call ?? list;
  const decision = (decided: Decided) => decide(own, 'reference.mcp-tools', wholeServer(handshake.kind), decided);
  const { got: listed } = list.found;
  if (listed.kind !== 'accepted') return decision(inconclusive(whyUntried(list) ?? listed.why));
  const problem = toolsProblem(own, listed.result['tools']);
  if (problem !== undefined || !call) return decision(fail(listed.answer, problem ?? 'no tool searches'));
  const { got: called } = call.found;
  if (called.kind === 'lost') return decision(inconclusive(called.why));
  const content = called.kind === 'accepted' ? called.result['structuredContent'] : undefined;
  return decision(
    typeof content === 'object' && content !== null
      ? pass(tool?.acceptance, 'a tool call gives a structured result')
      : fail(called.answer, 'a tool call gives no structured result'),
  );
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
async function toolScope(
  api: CheckApi,
  { handshake, request, acceptance }: Tool,
  credential: Credential,
): Promise<CheckResult> {
  const { operation } = request;
  const shows = 'a tool call without the scope of its operation gets 403 with both scopes';
  const headers = linesOf(handshake, operation);
  const told = await ask(api, { ...request, credential, headers, shows, wanted: 'refused' });
  const scope = challenged(told.answer.headers['www-authenticate'], 'scope')?.split(' ').sort().join(' ');
  const isRight = statusOf(told) === 403 && scope === wantedScopes(api, operation);
  const decided = isRight ? pass(acceptance, shows) : fail(told.answer, `not so: ${shows}`);
  const where = wholeServer(handshake.kind);
  return decide(api, 'reference.mcp-tool-scope', where, told.kind === 'lost' ? inconclusive(told.why) : decided);
}

function wantedScopes({ contract }: CheckApi, operation: Operation): string {
  const tool = contract.operations.filter(({ id }) => id === toolIn(operation));
  return [operation.scope, ...tool.map(({ scope }) => scope)].sort().join(' ');
}

/** A tool that was called with a good token. */
interface Tool {
  readonly handshake: Handshake;
  readonly request: Request;
  readonly acceptance: Acceptance;
}

/** A tool finds what its person may see, and nothing that only another person may see (spec 5.2). */
async function isolation(api: CheckApi, tool: Tool): Promise<CheckResult[]> {
  const { kind } = tool.handshake;
  const [owner, other] = peopleOf(api, kind);
  const mine = searchFor(api, tool, owner);
  const theirs = searchFor(api, tool, other);
  // The check isolation reports which variables are missing, and whose tokens are nobody's.
  if (!mine || !theirs || (owner === 'USER' && belongsTo(api, kind) === 'nobody')) return [];
  const own = api.fork();
  const found = await search(own, tool.handshake, { ...mine, shows: 'a tool finds what only its person may see' });
  const shows = 'a tool does not find what only another person may see';
  const foreign = await search(own, tool.handshake, { ...theirs, shows });
  return [
    ...advise(own, 'mcp.isolation', wholeServer(kind), verdictOn({ found, owner }, { foreign, other }, tool)),
    ...(showsMarker(found.answer, owner) ? await otherPerson(own, tool, { ...mine, owner }) : []),
  ];
}

interface Own {
  readonly found: Told;
  readonly owner: Owner;
}
interface Foreign {
  readonly foreign: Told;
  readonly other: Owner;
}

function verdictOn({ found, owner }: Own, { foreign, other }: Foreign, { acceptance }: Tool): Decided {
  if (showsMarker(foreign.answer, other)) return warn(foreign.answer, 'a tool finds what only another person may see');
  for (const told of [found, foreign]) if (told.kind === 'lost') return inconclusive(told.why);
  // The specification shows no tool, so that one may show less of a document than a search of the client API does.
  if (!showsMarker(found.answer, owner)) return observed('no answer of a tool showed a private marker');
  return pass(acceptance, 'a tool finds only what its person may see');
}

/**
 * In the MCP session of one person, the token of another one. The token says whose request it is, and not the session (MCP
 * 2025-11-25, "Session Hijacking"). The server may refuse it there, or run the tool for that other person.
 */
async function otherPerson(
  api: CheckApi,
  { handshake, acceptance }: Tool,
  { owner, ...mine }: Request & { readonly owner: Owner },
): Promise<CheckResult[]> {
  const elsewhere = handshake.keepsSession ? await strangerTo(api, handshake.kind) : undefined;
  if (!elsewhere) return [];
  const shows = 'in the MCP session of one person, a tool shows nothing of that person to another one';
  const told = await search(api, { ...elsewhere, agreed: handshake.agreed }, { ...mine, shows, wanted: 'either' });
  const decided = showsMarker(told.answer, owner)
    ? warn(
        told.answer,
        `with a token of ${elsewhere.kind}, a tool shows what only the person may see who began the session`,
      )
    : told.kind === 'lost'
      ? inconclusive(told.why)
      : pass(acceptance, shows);
  return advise(api, 'mcp.isolation', wholeServer(handshake.kind), decided);
}

/** A client with the token of another person, of those who have private documents. It is one that the server accepts. */
async function strangerTo(api: CheckApi, kind: string): Promise<Handshake | undefined> {
  const [owner] = peopleOf(api, kind);
  for (const other of api.claims.kinds) {
    const { full: credential } = tokensOf(api, other);
    const [person] = peopleOf(api, other);
    const isKnown = person === 'ACT_AS' || belongsTo(api, other) === 'user';
    if (!credential || !isKnown || person === owner) continue;
    const own = kindHeaders(api, other);
    const elsewhere = await beginAgain(api.fork(), { kind: other, credential, own });
    if (elsewhere) await takeLeave(api.fork(), elsewhere);
    if (elsewhere) return elsewhere;
  }
  return undefined;
}

/** Whose tokens of a kind are, and who else has a private document. */
function peopleOf({ contract }: CheckApi, kind: string): readonly [own: Owner, other: Owner] {
  return actsAs(contract, kind) ? ['ACT_AS', 'USER'] : ['USER', 'ACT_AS'];
}

/** The search for the private document of a person. Undefined if no variable says how to find it. */
function searchFor(api: CheckApi, { request: { operation, body } }: Tool, owner: Owner): Request | undefined {
  const query = api.variable(`${owner}_PRIVATE_QUERY`);
  return query === undefined ? undefined : { operation, body: withParams(body, { arguments: { query } }) };
}

type Search = Request & Pick<Aim, 'shows'> & Partial<Aim>;

function search(api: CheckApi, { credential, ...agreed }: Handshake, request: Search): Promise<Told> {
  return ask(api, { wanted: 'accepted', ...request, credential, headers: linesOf(agreed, request.operation) });
}
