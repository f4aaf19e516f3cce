import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { Aim, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { objectsIn } from '../shared/json-object.ts';

export type Lines = readonly (readonly [name: string, value: string])[];

/** A request of the protocol: something that gets a result, which a notification does not (JSON-RPC 2.0, 4.1). */
export interface Request {
  readonly operation: Operation;
  readonly body: unknown;
}

export interface Message extends Request, Aim {
  /** No Authorization line if undefined. */
  readonly credential: Credential | undefined;
  /** No Authorization line if null: the header lines have it. */
  readonly authorization?: null;
  /** The header lines of the kind, and what server and client agreed on. */
  readonly headers: Lines;
}

/** What became of a request. A refusal may be a status, an error of JSON-RPC, or a tool result that is an error. */
export type Told =
  | { readonly kind: 'accepted'; readonly answer: CheckAnswer; readonly result: JsonObject }
  | { readonly kind: 'refused' | 'lost'; readonly answer: CheckAnswer; readonly why: string };

type JsonObject = Readonly<Record<string, unknown>>;

/** Both forms of an answer (Streamable HTTP, "Sending Messages to the Server"). */
export const ACCEPT = ['Accept', 'application/json, text/event-stream'] as const;

/** Sends a request and reads what became of it. */
export async function ask(api: CheckApi, { headers, ...message }: Message): Promise<Told> {
  const accept = headers.some(([name]) => name === ACCEPT[0]) ? [] : [ACCEPT];
  return toldIn(await api.call({ ...message, headers: [...accept, ...headers] }));
}

export function toldIn(answer: CheckAnswer): Told {
  const outcome = outcomeOf(answer);
  const said = messagesIn(answer.text);
  const status = statusOf({ answer }) ?? 0;
  const isSuccess = status >= 200 && status < 300;
  // No page of a gateway is a message: a server may answer one request in a stream, and another one as JSON.
  const isMessage = isSuccess && said.some(({ jsonrpc }) => jsonrpc === '2.0');
  if (outcome.kind === 'lost' && !isMessage) return { kind: 'lost', answer, why: outcome.why };
  const [result] = isSuccess ? said.flatMap(resultIn) : [];
  if (result) return { kind: 'accepted', answer, result };
  return { kind: 'refused', answer, why: [status, ...said.flatMap(errorIn).slice(0, 1)].join(' ') };
}

/** Why an answer shows nothing of the request that got it. Undefined if it shows something. */
export function whyLost(answer: CheckAnswer): string | undefined {
  const told = toldIn(answer);
  return told.kind === 'lost' ? told.why : undefined;
}

/** The messages in an answer, as JSON or as events. */
function messagesIn(text: string): readonly JsonObject[] {
  // An event may have its data on several lines, which end with CR, LF or both (HTML, "Interpreting an event stream").
  const events = text.split(/(?:\r\n?|\n){2,}/).map((event) =>
    event
      .split(/\r\n?|\n/)
      .flatMap((line) => /^data: ?(.*)$/s.exec(line)?.[1] ?? [])
      .join('\n'),
  );
  // A batch may get a batch of answers (JSON-RPC 2.0, 6).
  return [text, ...events].flatMap(objectsIn).filter(({ id }) => id !== PING.id);
}
/** What a batch may begin with. Nothing is asked of its answer. */
export const PING = { jsonrpc: '2.0', id: 'conformance-ping', method: 'ping' };

function resultIn({ result }: JsonObject): JsonObject[] {
  const isObject = typeof result === 'object' && result !== null;
  return isObject && !('isError' in result && result.isError === true) ? [{ ...result }] : [];
}

/** What a server says of an error (JSON-RPC 2.0, 5.1), or of a tool that did not do its work. */
function errorIn({ error, result }: JsonObject): string[] {
  const { content } = Object(result);
  const said = [Object(error).message, Object(Array.isArray(content) ? content[0] : undefined).text];
  return said.filter((text) => typeof text === 'string').map((text) => JSON.stringify(text.slice(0, LONGEST_ERROR)));
}
const LONGEST_ERROR = 200;

/** The status of an answer. Undefined if none came. */
export function statusOf({ answer: { observation } }: Pick<Told, 'answer'>): number | undefined {
  return observation.kind === 'answer' ? observation.status : undefined;
}

/** The message of this method. @throws if the contract has none. */
export function messageOf({ contract }: CheckApi, method: string): Operation {
  const found = contract.mcp.find(({ example }) => example?.['method'] === method);
  if (!found) throw new Error(`the contract has no message ${method}`);
  return found;
}

export function withParams(message: unknown, change: JsonObject) {
  const { params, ...rest } = Object(message);
  return { ...rest, params: { ...params, ...change } };
}
