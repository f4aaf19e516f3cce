import { actsAs } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { TransportInput } from '../send/transport.ts';
import { mcpTokens, type TokenUse } from '../settings/catalogue.ts';
import { markerFound, plain } from './imagined-answers.ts';

/** What a token is for, at the remote MCP server. */
interface Use {
  readonly kind: string;
  readonly state: 'valid' | 'expired' | 'without MCP' | 'only MCP' | 'other audience';
}

/** A conforming remote MCP server for a rehearsal. Undefined for a request that is for none of its messages. */
export function imaginedMcp(
  { settings: { variables }, plan, parts: { contract } }: TransportInput,
  challenge: string,
): (request: WireRequest) => { readonly operation: Operation; readonly answer: RawAnswer } | undefined {
  const uses = new Map<string, Use>();
  for (const { use, credential } of plan.credentials)
    uses.set(credential.token, { kind: use.kind, state: stateOf(use) });
  for (const { name, kind, state } of mcpTokens(contract)) {
    const token = variables.get(name)?.value;
    if (token !== undefined) uses.set(token, { kind, state });
  }
  const { 'act-as': actAs, 'auth-type': authType } = contract.matrix.headers;
  const tools = contract.operations.map(({ id, field }) => {
    const properties = field && { [field.name]: { type: 'string' } };
    return { name: id, inputSchema: { type: 'object', properties, required: field && [field.name] } };
  });
  const answerTo = ({ headers, body }: WireRequest, method: unknown): RawAnswer => {
    const line = (name: string) => headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
    const token = /^Bearer +(\S+)$/i.exec(line(contract.matrix.headers.authorization.name) ?? '')?.[1];
    const use = token === undefined ? undefined : uses.get(token);
    const unauthorized = plain(401, { 'www-authenticate': challenge });
    if (!use || use.state === 'expired' || use.state === 'other audience') return unauthorized;
    const email = line(actAs.name);
    const named = actsAs(contract, use.kind) ? email : undefined;
    if (actsAs(contract, use.kind) && email !== variables.get('ACT_AS_EMAIL')?.value) return plain(400);
    if (contract.matrix.kinds[use.kind]?.family === 'external' && line(authType.name) === undefined)
      return unauthorized;
    const insufficient = { 'www-authenticate': `Bearer error="insufficient_scope", scope="${contract.mcp[0]?.scope}"` };
    if (use.state === 'without MCP') return plain(403, insufficient);
    // What is told gets no result.
    if (typeof method === 'string' && method.startsWith('notifications/')) return plain(202);
    const found = markerFound(variables, named, body);
    const result = { tools, structuredContent: { found } };
    return plain(200, { 'content-type': 'application/json' }, JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  };
  return (request) => {
    const method = methodIn(request.body);
    const operation = contract.mcp.find(({ example }) => example?.['method'] === method);
    return operation && method !== undefined ? { operation, answer: answerTo(request, method) } : undefined;
  };

  function stateOf({ kind, validity, holding }: TokenUse): Use['state'] {
    if (contract.matrix.kinds[kind]?.family !== 'service') return 'other audience';
    if (validity !== 'valid' && validity !== 'future-expiry') return 'expired';
    if (holding === 'all') return 'valid';
    return holding === `only:${contract.mcp[0]?.scope}` ? 'only MCP' : 'without MCP';
  }
}

/** The method of a message of JSON-RPC. */
function methodIn(body = ''): unknown {
  return body.includes('"jsonrpc"') ? Object(JSON.parse(body)).method : undefined;
}
