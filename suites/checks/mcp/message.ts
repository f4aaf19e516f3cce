import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { Aim, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { objectIn } from '../shared/json-object.ts';
import { kindHeaders } from '../shared/kind-headers.ts';

export type Lines = readonly (readonly [name: string, value: string])[];

/** A kind of token that the server accepted, and what it was accepted with. */
export interface Place {
  readonly kind: string;
  readonly credential: Credential;
  readonly lines: Lines;
  readonly operation: Operation;
  readonly acceptance: Acceptance;
}

/** A message to the remote MCP server. */
export interface Message extends Aim {
  readonly operation: Operation;
  readonly credential?: Credential | undefined;
  /** The value of the Authorization line, if it is not `Bearer` and the credential. No line if null. */
  readonly authorization?: string | null;
  /** The header lines of the kind, and further ones. */
  readonly headers?: Lines;
  readonly body?: unknown;
}

/** What became of a message. A refusal may be a status, an error of JSON-RPC, or a tool result that is an error. */
export type Told =
  | { readonly kind: 'accepted'; readonly answer: CheckAnswer; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly answer: CheckAnswer }
  | { readonly kind: 'lost'; readonly answer: CheckAnswer; readonly why: string };

/** Both forms of an answer (Streamable HTTP). */
const ACCEPT = 'application/json, text/event-stream';
const REVISION = '2025-11-25';

export async function tell(api: CheckApi, { headers = [], ...message }: Message): Promise<Told> {
  const isFirst = message.operation.example?.['method'] === 'initialize';
  const lines: Lines = isFirst ? [] : [['MCP-Protocol-Version', REVISION]];
  const answer = await api.call({ ...message, headers: [['Accept', ACCEPT], ...lines, ...headers] });
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return { kind: 'lost', answer, why: outcome.why };
  const result = outcome.kind === 'accepted' ? resultIn(answer.text) : undefined;
  return result ? { kind: 'accepted', answer, result } : { kind: 'refused', answer };
}

/** The result in a response of JSON-RPC, as JSON or in an event. Undefined for an error. */
function resultIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const events = [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => data);
  for (const one of [text, ...events]) {
    const result = objectIn(one)?.['result'];
    if (typeof result === 'object' && result !== null && !('isError' in result && result.isError === true))
      return { ...result };
  }
  return undefined;
}

/**
 * The header lines of messages with tokens of a kind: those of the kind, and the session if the server keeps one.
 * @param credential a valid token.
 */
export async function linesOf(api: CheckApi, kind: string, credential: Credential): Promise<Lines> {
  const headers = kindHeaders(api, kind);
  const [operation] = api.contract.mcp;
  if (!operation) return headers;
  const shows = 'a session may begin';
  const { answer } = await tell(api, { operation, credential, headers, shows, wanted: 'accepted' });
  const session = answer.headers['mcp-session-id'];
  return typeof session === 'string' ? [...headers, ['Mcp-Session-Id', session]] : headers;
}

/** The message of this method. */
export function messageOf({ contract }: CheckApi, method: string): Operation | undefined {
  return contract.mcp.find(({ example }) => example?.['method'] === method);
}
