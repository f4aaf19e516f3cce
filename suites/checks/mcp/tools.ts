import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { challenged } from '../authorization-server/discovery.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { byOutcome, type Decided, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { partiesOf } from '../shared/sightings.ts';
import {
  acceptanceOf,
  type Begun,
  beginAgain,
  eachClient,
  noTool,
  otherTools,
  takeLeave,
  toolsIn,
  whyUntried,
} from './handshake.ts';
import { beforeCalls, isolation, say, search } from './isolation.ts';
import { influences } from './laws.ts';
import { statusOf, withParams } from './message.ts';
import type { ToolCall } from './message-caller.ts';
import type { Place } from './refusals.ts';
import { type McpTokens, withoutToken, withWrongHeader } from './tokens.ts';

export function mcpTools(api: CheckApi): Promise<readonly CheckResult[]> {
  return eachClient(api, async (tokens, begun) => {
    if (!begun) return [];
    const { handshake, call } = begun;
    const acceptance = call && (await acceptanceOf(call));
    const accepted = call?.found.got.answer;
    const tool = call && acceptance && accepted && { handshake, request: call.request, acceptance, accepted };
    // Calls of the others may be slow and expensive, so only some targets get them.
    const others = tool && api.breadth === 'whole' ? otherTools(api, tool.request.operation, toolsIn(begun)) : [];
    const results = tool
      ? await isolation(api, tool, api.breadth === 'whole' ? toolsIn(begun) : [])
      : withoutTool(begun);
    results.push(...beforeCalls(api, begun));
    if (tool) results.push(...(await influenced(api, tool, tokens, others)));
    if (api.trusted) results.push(...ownTools(begun, tool));
    if (api.trusted && tool) results.push(...(await toolScope(api, tool, tokens)));
    return results;
  });
}

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
