import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { type Decided, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { type Begun, begin, NO_TOOL, whyUntried } from './begin.ts';
import { linesOf, takeLeave } from './handshake.ts';
import { isolation, type Tool } from './isolation.ts';
import { ask, messageOf, statusOf } from './message.ts';
import { toolIn } from './search-tool.ts';
import { tokensOf } from './tokens.ts';
import { advise, challenged, decide, OWN, wholeServer } from './verdicts.ts';

/** The tools, and what they show to whom. */
export const mcpTools: Check = {
  id: 'mcp-tools',
  title: 'The tools of the remote MCP server do what the operations do, for the person behind the token',
  requirements: ['mcp.isolation', 'reference.mcp-tools', 'reference.mcp-tool-scope', OWN],
  capability: 'mcp',
  intrusive: false,
  async run(api) {
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
  },
};

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
export function ownTools({ handshake, list, call }: Begun, tool: Tool | undefined): CheckResult {
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
export async function toolScope(
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
