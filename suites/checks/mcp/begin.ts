import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import type { Confirmation } from '../shared/confirm.ts';
import { kindHeaders } from '../shared/kind-headers.ts';
import { type Handshake, linesOf, shakeHands } from './handshake.ts';
import { ask, confirmed, type Lines, type Message, messageOf, type Request, type Told } from './message.ts';
import { searchRequest, toolIn } from './search-tool.ts';
import type { NamedToken } from './tokens.ts';

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
}

export const WHOLE = 'a token with every scope';

/** Begins as a client does: `initialize`, the notification, the list of tools, and a call of the tool that searches. */
export async function begin(api: CheckApi, kind: string, credential: Credential): Promise<Begun | undefined> {
  const [first, second, third] = ['initialize', 'tools/list', 'tools/call'].map((method) => messageOf(api, method));
  if (!first || !second || !third) return undefined;
  const token = { how: WHOLE, credential };
  const own = kindHeaders(api, kind);
  const initialize = await tryOut(api.fork(), wanted(asItIs(first), token, own));
  const handshake = await shakeHands(api.fork(), { kind, credential, own }, initialize.found.got);
  const later = linesOf(handshake, second);
  const listing = wanted(asItIs(second), token, later);
  const list = await tryOut(api.fork(), listing);
  const isListed = list.found.got.kind === 'accepted';
  const search = () => searchRequest(api.fork(), third, { list: listing, first: list.found.got });
  const request = isListed ? await search() : asItIs(third);
  const call = request && (await tryOut(api.fork(), wanted(request, token, later)));
  return { handshake, initialize, list, call };
}

/** A request with the message of its operation. */
export const asItIs = (operation: Operation): Request => ({ operation, body: operation.example });

/** A request that should be accepted. */
export function wanted(request: Request, { how, credential }: NamedToken, headers: Lines): Message {
  const shows = `${how} is accepted for ${request.operation.id}`;
  return { ...request, credential, headers, shows, wanted: 'accepted' };
}

/** Sends a request that should be accepted, and once more if it is refused. */
export async function tryOut(own: CheckApi, message: Message, send = ask): Promise<Tried> {
  const { operation, body } = message;
  return { request: { operation, body }, own, found: await confirmed('accepted', () => send(own, message)) };
}

/** Why nothing can be said of a request that is not accepted with a good token. Undefined if it is accepted. */
export function whyUntried({ request: { operation }, found: { got } }: Tried): string | undefined {
  if (got.kind === 'accepted') return undefined;
  const what = got.kind === 'lost' ? `${operation.id} got no answer` : `${operation.id} is not accepted with ${WHOLE}`;
  return `${what} (${got.why}), so nothing shows what becomes of other tokens`;
}

/** Why no tool is called. */
export const NO_TOOL = (operation: Operation) =>
  `the server lists no tool that can be called with a query alone and has ${toolIn(operation)} in its name`;
