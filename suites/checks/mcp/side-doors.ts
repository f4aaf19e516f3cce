import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { VariationKind } from '../../../harness/contract/variations.ts';
import type { Caller } from '../shared/caller.ts';
import { byOutcome, decisionsOn, fail, pass } from '../shared/decision.ts';
import { variationsFor } from '../shared/known-variations.ts';
import { cookieSetBy } from '../shared/rounds.ts';
import { staysRefused } from '../shared/vary.ts';
import { type Form, formsOf } from './forms.ts';
import { type Begun, linesOf, toolsIn } from './handshake.ts';
import type { ToolCall } from './influences.ts';
import { ACCEPT, ask, type Lines, type Told, toldIn, whyLost } from './message.ts';
import type { McpRefusal } from './tokens.ts';

/**
 * What is refused for a call of a tool is refused however the address of the server is written, whichever tool it calls, and in
 * whatever form the message comes (spec 5.1, outcomes 2). Some servers serve other spellings of a path, and what checks tokens
 * knows only one.
 * @param refusals what a plain call is refused with. Without the whole breadth, the others than the first are tried in one form.
 */
export async function mcpSideDoors(
  api: CheckApi,
  call: ToolCall,
  refusals: readonly McpRefusal[],
  begun: Begun,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const lines = linesOf(call.handshake, call.request.operation);
  const forms = [...formsOf(api, call.request, lines, toolsIn(begun)), ...withCookies(api, call, lines, begun)];
  for (const [at, refusal] of refusals.entries()) {
    const few = at === 0 || api.breadth === 'whole' ? forms : forms.slice(0, 1);
    results.push(...(await inForms(api.fork(), call, refusal, few)));
    if (at === 0) results.push(...(await elsewhere(api, call, refusal, ['path', 'method', 'content-type'])));
    else if (api.breadth === 'whole') results.push(...(await elsewhere(api, call, refusal, ['content-type'])));
  }
  return results;
}

/** No cookie of an answer takes the place of a token. */
function withCookies(api: CheckApi, { request: { body } }: ToolCall, lines: Lines, { messages }: Begun): Form[] {
  const how = 'the cookies of an answer';
  return messages.flatMap(({ found }): Form[] => {
    const cookies = cookieSetBy(api, found.got.answer, how);
    return cookies ? [{ how, body, headers: [...lines, [cookies.name, String(cookies.value)]] }] : [];
  });
}

/** Another path may have JSON of its own. A tool gives content (MCP 2025-11-25, "Tool Result"). */
const isToolResult = (told: Told): boolean => told.kind === 'accepted' && Array.isArray(told.result['content']);

async function inForms(
  api: CheckApi,
  { handshake, request: { operation }, accepted }: ToolCall,
  { credential, requirement, what }: McpRefusal,
  forms: readonly Form[],
): Promise<CheckResult[]> {
  const unit = { requirement, operation: operation.id, kind: handshake.kind };
  const acceptance = await api.acceptance(accepted);
  const results: CheckResult[] = [];
  for (const { how, body, headers } of forms) {
    const shows = `${what} is refused for ${operation.id} with ${how}`;
    const told = await ask(api, { operation, body, credential, headers, shows, wanted: 'refused' });
    const refused = pass(acceptance, shows);
    const wrong = fail(told.answer, `${what} is accepted with ${how}`);
    results.push(
      ...decisionsOn(api, unit, byOutcome(told, { accepted: isToolResult(told) ? wrong : refused, refused })),
    );
  }
  return results;
}

/**
 * Other spellings of the path, other methods and other content types. Without the whole breadth, those that real servers have
 * taken for the documented ones. None where the server is on another host than the client API, which gets the raw requests.
 */
async function elsewhere(
  api: CheckApi,
  { handshake, request: { operation: documented, body }, accepted }: ToolCall,
  { credential, requirement, what }: McpRefusal,
  kinds: readonly VariationKind[],
): Promise<CheckResult[]> {
  const path = pathOf(api, documented);
  if (path === undefined) return [];
  const operation = { ...documented, path };
  const { kind } = handshake;
  const refused = variationsFor(api, operation, kinds, { breadth: 'whole' }).filter(
    (one) => (one.isTelling || api.breadth === 'whole') && !(one.kind === 'method' && one.value !== 'body'),
  );
  const base = {
    credential,
    headers: [ACCEPT, ...linesOf(handshake, documented)],
    message: { fields: {}, around: () => Object(body) },
  };
  const caller: Caller = {
    ...{ api: api.spread(), operation, kind, base, like: accepted, control: await api.acceptance(accepted) },
    protocol: { serves: (answer) => isToolResult(toldIn(answer)), whyLost, isolation: 'mcp.isolation' },
  };
  return [await staysRefused(caller, { ...base, requirement, kind, what }, { groups: [], refused })];
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
