import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { type Confirmation, confirm, PATIENCE_MS } from '../shared/confirm.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { ACCEPT, ask, type Lines, type Message, messageOf, type Request, type Told, withParams } from './message.ts';
import { type McpTokens, type NamedToken, tokensOf, WHOLE } from './tokens.ts';

/** A client, and what it and the server agreed on before its first request (MCP 2025-11-25, "Lifecycle"). */
export interface Handshake {
  readonly kind: string;
  /** Undefined for a client without a token: a server may let everybody begin. */
  readonly credential: Credential | undefined;
  /** The header lines of the kind of token. `initialize` has no others. */
  readonly own: Lines;
  /** What every later message also has: the revision, and the MCP session if the server keeps one. */
  readonly agreed: Lines;
  readonly keepsSession: boolean;
}

/** Visible characters of ASCII (Streamable HTTP, "Session Management"). */
const VISIBLE = /^[\x21-\x7e]+$/;

type Agreement = Pick<Handshake, 'agreed' | 'keepsSession'>;
type Client = Omit<Handshake, keyof Agreement>;

/**
 * Agrees with the server. It may take no request before it is told that the client is ready, none in another revision, and
 * none outside a session.
 * @param first what came of `initialize`.
 */
async function shakeHands(api: CheckApi, client: Client, first: Told): Promise<Handshake> {
  const handshake = { ...client, ...agreementIn(api, first) };
  // The server may refuse or ignore that. What it then does with requests counts.
  const ready = { shows: 'the server is told that the client is ready' };
  if (first.kind === 'accepted') await aside(api, handshake, ready);
  return handshake;
}

/** The same client in a new MCP session. Undefined if it does not begin. */
export async function beginAgain(api: CheckApi, { kind, credential, own }: Client): Promise<Handshake | undefined> {
  const message = { ...asItIs(messageOf(api, 'initialize')), credential, headers: own };
  const first = await ask(api, { ...message, shows: 'a client begins anew', wanted: 'accepted' });
  return first.kind === 'accepted' ? shakeHands(api, { kind, credential, own }, first) : undefined;
}

/** What the answer to `initialize` says. Who knows the session may be taken for its owner, so it is shown nowhere. */
function agreementIn(api: CheckApi, first: Told): Agreement {
  const asked: unknown = Object(messageOf(api, 'initialize').example?.['params']).protocolVersion;
  const given = first.kind === 'accepted' ? first.result['protocolVersion'] : undefined;
  const revision = typeof given === 'string' && VISIBLE.test(given) ? given : String(asked);
  const agreed: Lines = [['MCP-Protocol-Version', revision]];
  const session = first.answer.headers['mcp-session-id'];
  const isSession = first.kind === 'accepted' && typeof session === 'string' && VISIBLE.test(session);
  if (!isSession) return { agreed, keepsSession: false };
  api.given(session, 'the MCP session');
  return { agreed: [...agreed, ['Mcp-Session-Id', session]], keepsSession: true };
}

/** The header lines of a request. A session begins outside any other. */
export function linesOf({ own, agreed }: Pick<Handshake, 'own' | 'agreed'>, operation: Operation): Lines {
  return isFirst(operation) ? own : [...own, ...agreed];
}

export const isFirst = ({ example }: Operation): boolean => example?.['method'] === 'initialize';

/** Sends a request by itself: a session that it begins is ended again. */
export async function tell(api: CheckApi, message: Message): Promise<Told> {
  const told = await ask(api, message);
  if (told.kind === 'accepted' && isFirst(message.operation))
    await takeLeave(api, { ...message, own: message.headers, ...agreementIn(api, told) });
  return told;
}

type Speaker = Pick<Message, 'credential' | 'authorization'> & Pick<Handshake, 'own' | 'agreed'>;

/** Ends an MCP session that nobody needs any more, as a client should. The server may refuse that. */
export async function takeLeave(api: CheckApi, speaker: Speaker & Pick<Handshake, 'keepsSession'>): Promise<void> {
  if (speaker.keepsSession) await endSession(api, speaker);
}

export const endSession = (api: CheckApi, speaker: Speaker, shows = 'the MCP session is ended'): Promise<CheckAnswer> =>
  aside(api, speaker, { shows, method: 'DELETE', body: undefined });

/** Sends something that gets no result. A server that does not answer it is not waited for. */
function aside(
  api: CheckApi,
  { credential, authorization, own, agreed }: Speaker,
  { shows, ...change }: { readonly shows: string; readonly method?: string; readonly body?: undefined },
): Promise<CheckAnswer> {
  const operation = messageOf(api, 'notifications/initialized');
  const headers = [ACCEPT, ...own, ...agreed];
  const how = { wanted: 'either', patienceMs: PATIENCE_MS } as const;
  return api.call({ operation, credential, authorization, headers, shows, ...how, ...change });
}

/** What came of a request with a token that should be accepted. */
export interface Tried {
  readonly request: Request;
  /** Has the steps of this request. */
  readonly own: CheckApi;
  readonly found: Confirmation<Told>;
}

/** A client with a good token, and what came of its first requests. */
export interface Begun {
  readonly handshake: Handshake;
  readonly initialize: Tried;
  readonly list: Tried;
  /** Undefined if the server lists no tool that searches. */
  readonly call: Tried | undefined;
  readonly messages: readonly Tried[];
}

/** Decides with a client of each kind, which then takes leave. It has not begun if the run has no token for it. */
export async function eachClient(
  api: CheckApi,
  decide: (tokens: McpTokens, begun: Begun | undefined) => Promise<readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const kind of api.claims.kinds) {
    const tokens = tokensOf(api, kind);
    const begun = tokens.full && (await begin(api, kind, tokens.full));
    results.push(...(await decide(tokens, begun)));
    if (begun) await takeLeave(api.fork(), begun.handshake);
  }
  return results;
}

/** Begins as a client does: `initialize`, the notification, the list of tools, and a call of the tool that searches. */
async function begin(api: CheckApi, kind: string, credential: Credential): Promise<Begun> {
  const token = { what: WHOLE, credential };
  const own = kindHeaders(api, kind);
  const initialize = await tryOut(api.fork(), wanted(asItIs(messageOf(api, 'initialize')), token, own));
  const handshake = await shakeHands(api.fork(), { kind, credential, own }, initialize.found.got);
  const later = [...own, ...handshake.agreed];
  const listing = wanted(asItIs(messageOf(api, 'tools/list')), token, later);
  const list = await tryOut(api.fork(), listing);
  const tool = messageOf(api, 'tools/call');
  const isListed = list.found.got.kind === 'accepted';
  const request = isListed ? await searchRequest(api.fork(), tool, listing, list.found.got) : asItIs(tool);
  const call = request && (await tryOut(api.fork(), wanted(request, token, later)));
  return { handshake, initialize, list, call, messages: [initialize, list, ...(call ? [call] : [])] };
}

export const asItIs = (operation: Operation): Request => ({ operation, body: operation.example });

export function wanted(request: Request, { what, credential }: NamedToken, headers: Lines): Message {
  const shows = `${what} is accepted for ${request.operation.id}`;
  return { ...request, credential, headers, shows, wanted: 'accepted' };
}

export async function tryOut(own: CheckApi, message: Message, send = ask): Promise<Tried> {
  const { operation, body } = message;
  const assess = ({ kind }: Told) => (({ accepted: 'right', refused: 'wrong', lost: 'lost' }) as const)[kind];
  return { request: { operation, body }, own, found: await confirm(() => send(own, message), assess) };
}

export const acceptanceOf = ({ own, found: { got } }: Tried) =>
  got.kind === 'accepted' ? own.acceptance(got.answer) : undefined;

/** Why nothing can be said of a request that is not accepted with a good token. Undefined if it is accepted. */
export function whyUntried({ request: { operation }, found: { got } }: Tried): string | undefined {
  if (got.kind === 'accepted') return undefined;
  const what = got.kind === 'lost' ? `${operation.id} got no answer` : `${operation.id} is not accepted with ${WHOLE}`;
  return `${what} (${got.why}), so nothing shows what becomes of other tokens`;
}

export const noTool = (api: CheckApi) =>
  `the server lists no tool that can be called with a query alone and has ${toolIn(messageOf(api, 'tools/call'))} in its name`;

/** A list of tools comes in pages (MCP 2025-11-25, "Pagination"). So many are read. */
const MOST_PAGES = 8;

/**
 * The request that calls the tool that searches: the one with the name of the operation, or else one whose name contains
 * that. Undefined if the server lists none, which is its right: the specification names no tool.
 * @param list the request that got the first page.
 */
async function searchRequest(
  api: CheckApi,
  operation: Operation,
  list: Message,
  first: Told,
): Promise<Request | undefined> {
  const wanted = toolIn(operation);
  const names: string[] = [];
  let page = first;
  for (let read = 1; page.kind === 'accepted'; read += 1) {
    names.push(...searchingIn(page.result['tools'], wanted));
    const { nextCursor: cursor } = page.result;
    if (names.includes(wanted) || typeof cursor !== 'string' || read === MOST_PAGES) break;
    page = await ask(api, { ...list, body: withParams(list.body, { cursor }), shows: 'more tools are listed' });
  }
  const name = names.includes(wanted) ? wanted : names[0];
  return name === undefined ? undefined : { operation, body: withParams(operation.example, { name }) };
}

export const toolIn = ({ example }: Operation): string => toolCalledIn({ body: example });

export const toolCalledIn = ({ body }: Pick<Request, 'body'>): string => String(Object(Object(body).params).name);

const QUERY = 'query';

/** What the server lists. Undefined if it refused to. */
export const toolsIn = ({ list: { found } }: Pick<Begun, 'list'>): unknown =>
  found.got.kind === 'accepted' ? found.got.result['tools'] : undefined;

/** The tools that do what the other operations do. */
export function otherTools({ contract }: CheckApi, searching: Operation, tools: unknown): string[] {
  const others = contract.operations.filter(({ id }) => id !== toolIn(searching));
  return others.flatMap(({ id }) => searchingIn(tools, id).slice(0, 1));
}

/** The tools that take a query and can continue a conversation, and the argument that names it. */
export function conversingIn(tools: unknown): readonly { readonly name: string; readonly field: string }[] {
  return listed(tools).flatMap((tool) => {
    const { name, inputSchema } = Object(tool);
    const fields = Object.keys(Object(Object(inputSchema).properties));
    const field = fields.find((one) => /^conversation_?id$/i.test(one));
    return typeof name === 'string' && field !== undefined && fields.includes(QUERY) ? [{ name, field }] : [];
  });
}

const listed = (tools: unknown): readonly unknown[] => (Array.isArray(tools) ? tools : []);

/** The tools that search and need nothing but a query. */
function searchingIn(tools: unknown, wanted: string): string[] {
  return listed(tools).flatMap((tool): string[] => {
    const { name, inputSchema } = Object(tool);
    if (typeof name !== 'string' || !name.toLowerCase().includes(wanted)) return [];
    const { properties, required } = Object(inputSchema);
    const needsMore = Array.isArray(required) && required.some((field) => field !== QUERY);
    const isQuery =
      Object(Object(properties)[QUERY]).type === 'string' || (name === wanted && properties === undefined);
    return isQuery && !needsMore ? [name] : [];
  });
}
