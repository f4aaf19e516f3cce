import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { PATIENCE_MS } from '../shared/patience.ts';
import { ACCEPT, ask, type Lines, type Message, messageOf, type Told } from './message.ts';

/** A client, and what it and the server agreed on before its first request (MCP 2025-11-25, "Lifecycle"). */
export interface Handshake extends Agreement {
  readonly kind: string;
  readonly credential: Credential;
  /** The header lines of the kind of token. `initialize` has no others. */
  readonly own: Lines;
}

interface Agreement {
  /** What every later message also has: the revision, and the MCP session if the server keeps one. */
  readonly agreed: Lines;
  readonly keepsSession: boolean;
}

/** Visible characters of ASCII (Streamable HTTP, "Session Management"). */
const VISIBLE = /^[\x21-\x7e]+$/;

type Client = Pick<Handshake, 'kind' | 'credential' | 'own'>;

/**
 * Agrees with the server. It may take no request before it is told that the client is ready, none in another revision, and
 * none outside a session.
 * @param first what came of `initialize`.
 */
export async function shakeHands(api: CheckApi, client: Client, first: Told): Promise<Handshake> {
  const handshake: Handshake = { ...client, ...agreementIn(api, first) };
  // The server may refuse or ignore that. What it then does with requests counts.
  const ready = { shows: 'the server is told that the client is ready' };
  if (first.kind === 'accepted') await aside(api, handshake, ready);
  return handshake;
}

/** The same client in a new MCP session. Undefined if it does not begin. */
export async function beginAgain(api: CheckApi, { kind, credential, own }: Client): Promise<Handshake | undefined> {
  const operation = messageOf(api, 'initialize');
  if (!operation) return undefined;
  const shows = 'a new MCP session begins';
  const message = { operation, body: operation.example, credential, headers: own, shows, wanted: 'accepted' } as const;
  const first = await ask(api, message);
  return first.kind === 'accepted' ? shakeHands(api, { kind, credential, own }, first) : undefined;
}

/** What the answer to `initialize` says. Who knows the session may be taken for its owner, so it is shown nowhere. */
function agreementIn(api: CheckApi, first: Told): Agreement {
  const asked: unknown = Object(messageOf(api, 'initialize')?.example?.['params']).protocolVersion;
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

/** Whether a refusal is of the token. Any other status may be of the session, the revision or the message (RFC 6750 3.1). */
export function isOfToken({ answer: { observation } }: Pick<Told, 'answer'>): boolean {
  return observation.kind === 'answer' && [401, 403].includes(observation.status);
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
  const change = { shows: 'the MCP session is ended', method: 'DELETE', body: undefined };
  if (speaker.keepsSession) await aside(api, speaker, change);
}

/** Sends something that gets no result. A server that does not answer it is not waited for. */
async function aside(
  api: CheckApi,
  { credential, authorization, own, agreed }: Speaker,
  { shows, ...change }: { readonly shows: string; readonly method?: string; readonly body?: undefined },
): Promise<void> {
  const operation = messageOf(api, 'notifications/initialized');
  const bare = credential === undefined || authorization === null ? { authorization: null } : {};
  const headers = [ACCEPT, ...own, ...agreed];
  const how = { wanted: 'either', patienceMs: PATIENCE_MS } as const;
  if (operation) await api.call({ operation, credential, ...bare, headers, shows, ...how, ...change });
}
