import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Caller } from '../shared/caller.ts';
import { byOutcome, decisionsOn, fail, pass } from '../shared/decision.ts';
import { variationsFor } from '../shared/known-variations.ts';
import { staysRefused } from '../shared/vary.ts';
import { linesOf, otherTools } from './handshake.ts';
import type { ToolCall } from './influences.ts';
import { ACCEPT, ask, type Told, toldIn, withParams } from './message.ts';

/**
 * A call of a tool carries a token, however the address of the server is written, whichever tool it calls, and in whatever form
 * the message comes (spec 5.1, outcomes 2). Some servers serve other spellings of a path, and what checks tokens knows only one.
 * @param tools what the server lists.
 */
export async function mcpSideDoors(api: CheckApi, call: ToolCall, tools: unknown): Promise<CheckResult[]> {
  return [...(await otherCalls(api.fork(), call, tools)), ...(await elsewhere(api, call))];
}

const BARE = 'a call of a tool without a token';

/** Another path may have JSON of its own. A tool gives content (MCP 2025-11-25, "Tool Result"). */
const isToolResult = (told: Told): boolean => told.kind === 'accepted' && Array.isArray(told.result['content']);

/** The same message in other forms, and to the other tools. Revision 2025-03-26 has batches, and an id may be a text (JSON-RPC 2.0, 4 and 6). */
async function otherCalls(
  api: CheckApi,
  { handshake, request: { operation, body }, accepted }: ToolCall,
  tools: unknown,
): Promise<CheckResult[]> {
  const unit = { requirement: 'mcp.token', operation: operation.id, kind: handshake.kind };
  const acceptance = await api.acceptance(accepted);
  const calls: readonly (readonly [how: string, body: unknown])[] = [
    ['the message in a batch', [body]],
    ['a text as id', { ...Object(body), id: 'conformance' }],
    ...otherTools(api, operation, tools).map((name) => [`the tool ${name}`, withParams(body, { name })] as const),
  ];
  const results: CheckResult[] = [];
  for (const [how, form] of calls) {
    const shows = `${BARE} is refused with ${how}`;
    const message = { operation, body: form, credential: undefined, headers: linesOf(handshake, operation) };
    const told = await ask(api, { ...message, shows, wanted: 'refused' });
    const refused = pass(acceptance, shows);
    const wrong = fail(told.answer, `${BARE} is accepted with ${how}`);
    results.push(
      ...decisionsOn(api, unit, byOutcome(told, { accepted: isToolResult(told) ? wrong : refused, refused })),
    );
  }
  return results;
}

/**
 * Other spellings of the path, and other methods. Without the whole breadth, those that real servers have taken for the
 * documented ones. None where the server is on another host than the client API, which gets the raw requests.
 */
async function elsewhere(
  api: CheckApi,
  { handshake, request: { operation: documented, body }, accepted }: ToolCall,
): Promise<CheckResult[]> {
  const path = pathOf(api, documented);
  if (path === undefined) return [];
  const operation = { ...documented, path };
  const { kind } = handshake;
  const refused = variationsFor(api, operation, ['path', 'method'], { breadth: 'whole' }).filter(
    (one) => (one.isTelling || api.breadth === 'whole') && !(one.kind === 'method' && one.value !== 'body'),
  );
  const base = {
    ...{ credential: undefined, authorization: null, headers: [ACCEPT, ...linesOf(handshake, documented)] },
    message: { fields: {}, around: () => Object(body) },
  };
  const caller: Caller = {
    ...{ api: api.spread(), operation, kind, base, like: accepted, control: await api.acceptance(accepted) },
    protocol: { serves: (answer) => isToolResult(toldIn(answer)), isolation: 'mcp.isolation' },
  };
  const refusal = { ...base, requirement: 'mcp.token', kind, what: BARE };
  return [await staysRefused(caller, refusal, { groups: [], refused })];
}

/** The path of the remote MCP server below TARGET_BASE_URL. Undefined if it is not there. */
function pathOf(api: CheckApi, { path }: Operation): string | undefined {
  const [address, base] = [api.variable('MCP_URL'), api.variable('TARGET_BASE_URL')];
  if (address === undefined || base === undefined) return path;
  const prefix = new URL(base).href.replace(/\/+$/, '');
  return address.startsWith(`${prefix}/`)
    ? new URL(address).pathname.slice(new URL(prefix).pathname.replace(/\/+$/, '').length)
    : undefined;
}
