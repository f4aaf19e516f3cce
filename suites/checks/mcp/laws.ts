import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { personTexts } from '../../variations/fill.ts';
import { bundlesOf, unlisted, type Variation } from '../../variations/variation.ts';
import { onePerFamily } from '../shared/breadth.ts';
import type { Caller } from '../shared/caller.ts';
import { cookieSetBy } from '../shared/given-sessions.ts';
import { textsOfRoutes, variationsFor } from '../shared/known-variations.ts';
import type { Person } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { acceptedWith, type Sent, staysHidden, staysRefused } from '../shared/vary.ts';
import { formsOf, otherMethods, withEveryParam } from './forms.ts';
import { type Begun, type Handshake, linesOf, toolsIn } from './handshake.ts';
import { ACCEPT, toldIn, withParams } from './message.ts';
import { callerOf, levelled, type ToolCall } from './message-caller.ts';
import type { McpRefusal } from './tokens.ts';

// The laws of the client API (outcomes 2), on the remote MCP server: what must be refused is refused, and a tool shows nothing of
// another person, however a tool is called.

/** The call with what the server should refuse. A place has the token of the call, also where that has none in Authorization. */
async function refusedHowever(
  caller: Caller,
  { agreed }: Handshake,
  { credential, headers, requirement, what }: McpRefusal,
  sent: Sent,
): Promise<CheckResult[]> {
  const { api, base, kind, operation } = caller;
  const own = headers && { headers: [ACCEPT, ...linesOf({ own: headers, agreed }, operation)] };
  const token = credential ? { credential } : { authorization: null };
  return levelled(api, [await staysRefused(caller, { ...base, ...own, ...token, requirement, what, kind }, sent)]);
}

/** What a call carries besides: a token that needs no other documented header, or what real servers have obeyed. */
interface Influences {
  /** The call looks for the document of this person, which it must not show. */
  readonly stranger: Person;
  readonly refusals: readonly McpRefusal[];
  /** Without it, only the headers are tried that the specification names. */
  readonly triesAll: boolean;
}

/** Whatever else a call of a tool carries. */
export async function influences(
  api: CheckApi,
  call: ToolCall,
  { stranger, refusals, triesAll }: Influences,
): Promise<CheckResult[]> {
  const message = {
    fields: { query: stranger.query },
    around: (fields: object) => withParams(call.request.body, { arguments: fields }),
  };
  const plain = await callerOf(api, call);
  const caller = { ...plain, stranger, seeks: true, base: { ...plain.base, message } };
  const known = triesAll ? knownFor(api, caller, stranger) : [];
  const bundles = bundlesOf([...needlessFor(api, caller.kind, stranger), ...known]);
  const tried = await acceptedWith(caller, api.breadth === 'whole' ? bundles : bundles.slice(0, MOST_BUNDLES));
  const results = levelled(api, await staysHidden(caller, tried));
  for (const refusal of refusals)
    results.push(...(await refusedHowever(caller, call.handshake, refusal, { groups: tried.groups, refused: [] })));
  return results;
}

/** Each costs a refused token for each refusal. */
const MOST_BUNDLES = 2;

/** The documented headers that tokens of this kind do not need (spec 5.1). X-Service-ActAs names the other person. */
function needlessFor(api: CheckApi, kind: string, { email }: Person): readonly Variation[] {
  const own = new Set(kindHeaders(api, kind).map(([name]) => name));
  const all = new Map(Object.keys(api.contract.matrix.kinds).flatMap((one) => kindHeaders(api, one, email)));
  return [...all].flatMap(([name, value]) =>
    own.has(name) ? [] : [unlisted(`the header ${name}`, { id: `needless ${name}`, name, value })],
  );
}

/**
 * What real servers have obeyed, and it names the other person. Fields go beside the query of the tool. Only the client API has
 * advice on tokens in a body (RFC 6750 2.2).
 */
function knownFor(api: CheckApi, { operation, kind }: Caller, { email }: Person): readonly Variation[] {
  // A server reads the tokens of a family in the same way.
  const breadth = onePerFamily(api).includes(kind) ? api.breadth : 'telling';
  const kinds = ['header', 'cookie', 'parameter', 'field', 'place'] as const;
  const all = variationsFor(api, operation, kinds, { texts: personTexts(email), breadth });
  return all.filter(({ isAlone, isRaw, place }) => !isAlone && !isRaw && place !== 'field' && place !== 'form');
}

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
  const stays = async (caller: Caller, refusal: McpRefusal, refused: readonly Variation[]) =>
    results.push(...(await refusedHowever(caller, handshake, refusal, { groups: [], refused })));
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
