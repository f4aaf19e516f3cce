import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Variation } from '../../variations/variation.ts';
import type { Caller } from '../shared/caller.ts';
import { textsOfRoutes, variationsFor } from '../shared/known-variations.ts';
import { cookieSetBy } from '../shared/rounds.ts';
import { staysRefused } from '../shared/vary.ts';
import { formsOf, otherMethods, withEveryParam } from './forms.ts';
import { type Begun, toolsIn } from './handshake.ts';
import { toldIn } from './message.ts';
import { callerOf, levelled, type ToolCall, wrongly } from './message-caller.ts';
import type { McpRefusal } from './tokens.ts';

/**
 * What is refused for a call of a tool is refused however the address of the server is written, whichever tool it calls, and in
 * whatever form the message comes (spec 5.1, outcomes 2). Some servers serve other spellings of a path, and what checks tokens
 * knows only one. It is refused for the other requests of the protocol, too, unless everybody may begin.
 * @param refusals what a plain call is refused with. Without the whole breadth, those with a token are tried in one form.
 */
export async function mcpSideDoors(
  api: CheckApi,
  call: ToolCall,
  refusals: readonly McpRefusal[],
  begun: Begun & { readonly isPublic: boolean },
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const { handshake, request } = call;
  const path = pathOf(api, request.operation);
  const operation = path === undefined ? request.operation : { ...request.operation, path };
  // What is raw goes to the host of the client API.
  const isSent = ({ isRaw }: Variation) => path !== undefined || !isRaw;
  const forms = [...formsOf(api, request, toolsIn(begun)), ...cookiesOf(api, begun)].filter(isSent);
  const ofCall = await callerOf(api, { ...call, request: { ...request, operation } }, isToolResult);
  const ofOthers = await callerOf(api, { ...call, request: withEveryParam(request) });
  const stays = async (caller: Caller, refusal: McpRefusal, refused: readonly Variation[]) => {
    const decided = await staysRefused(caller, wrongly(caller, handshake, refusal), { groups: [], refused });
    results.push(...levelled(api, [decided]));
  };
  const isBare = ({ credential }: McpRefusal) => credential === undefined;
  const isWhole = (refusal: McpRefusal) => isBare(refusal) || api.breadth === 'whole';
  for (const refusal of refusals) {
    await stays(ofCall, refusal, isWhole(refusal) ? forms : forms.slice(0, 1));
    if (isWhole(refusal) && !begun.isPublic) await stays(ofOthers, refusal, otherMethods);
  }
  // One of the other methods may end an MCP session.
  for (const refusal of path === undefined ? [] : refusals.filter(isWhole))
    await stays(ofCall, refusal, await elsewhere(api, operation, isBare(refusal)));
  return results;
}

/** No cookie of an answer takes the place of a token. */
const cookiesOf = (api: CheckApi, { messages }: Begun): readonly Variation[] =>
  messages.flatMap(({ found }) => cookieSetBy(api, found.got.answer, 'the cookies of an answer') ?? []);

/** Another path may have JSON of its own. A tool gives content (MCP 2025-11-25, "Tool Result"). */
function isToolResult(answer: CheckAnswer): boolean {
  const told = toldIn(answer);
  return told.kind === 'accepted' && Array.isArray(told.result['content']);
}

/**
 * Other content types and ways to carry the message and, without a token, other spellings of the path, methods and addresses.
 * Without the whole breadth, those that real servers have taken for the documented ones.
 */
async function elsewhere(api: CheckApi, operation: Operation, isBare: boolean): Promise<readonly Variation[]> {
  const kinds = ['content-type', 'transport', ...(isBare ? (['path', 'method'] as const) : [])] as const;
  const all = variationsFor(api, operation, kinds, { breadth: 'whole' }).filter(
    (one) => (one.isTelling || api.breadth === 'whole') && !(one.kind === 'method' && one.value !== 'body'),
  );
  return isBare
    ? [...all, ...variationsFor(api, operation, ['route'], { texts: textsOfRoutes(await api.routes()) })]
    : all;
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
