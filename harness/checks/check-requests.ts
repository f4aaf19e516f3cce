import type { Operation } from '../contract/openapi.ts';
import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { Settings } from '../settings/settings.ts';
import type { Call, Visit } from './check.ts';
import type { CheckWorld } from './check-world.ts';

type Lines = (readonly [name: string, value: string])[];

/** The request of a call. Everything that the call leaves out is as in the neutral case of the kind. */
export function callRequest({ contract, common }: RequestParts, call: Call): WireRequest {
  const { operation, credential, headers = [], method = operation.method, query = '', type } = call;
  const body = 'body' in call ? call.body : operation.example;
  const authorization = call.authorization === undefined ? `Bearer ${credential?.token ?? ''}` : call.authorization;
  const lines: Lines = authorization === null ? [] : [[contract.matrix.headers.authorization.name, authorization]];
  // A line of the call replaces the common one, such as User-Agent: two of them would be another request.
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const rest = common.filter(([name]) => !own.has(name.toLowerCase()));
  lines.push(
    ...headers,
    ...(body === undefined ? [] : [['Content-Type', type ?? 'application/json'] as const]),
    ...rest,
  );
  return {
    method,
    path: operation.path + query,
    headers: lines,
    body: body === undefined ? undefined : type === undefined ? JSON.stringify(body) : String(body),
  };
}

/** Fills `{base}` and `{common}` into the text of a raw request. Its own lines replace common ones, as those of a call do. */
export function rawRequest(
  { baseUrl, extraHeaders }: Pick<Settings, 'baseUrl' | 'extraHeaders'>,
  { common }: RequestParts,
  text: string,
): string {
  const { host, pathname } = new URL(baseUrl);
  const own = new Set(text.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase()));
  const rest = [['Host', host] as const, ...common].filter(([name]) => !own.has(name.toLowerCase()));
  const lines = [...rest, ...extraHeaders].map((line) => line.join(': '));
  // A replacement function, because `$` has a meaning in a replacement text.
  return text.replaceAll('{base}', () => pathname.replace(/\/+$/, '')).replaceAll('{common}', () => lines.join('\r\n'));
}

/** A request to any server that the target names. */
export function visitRequest(
  { common }: Pick<RequestParts, 'common'>,
  { url, method, credential, body, type, headers = [] }: Visit,
): WireRequest {
  const bearer = credential ? [['Authorization', `Bearer ${credential.token}`] as const] : [];
  const lines: Lines = [...bearer, ...headers, ...(type === undefined ? [] : [['Content-Type', type] as const])];
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path: url.pathname + url.search,
    headers: [...lines, ...common],
    body,
  };
}

/** The address in MCP_URL, for a message to the remote MCP server. Undefined if it is below TARGET_BASE_URL. */
export function mcpAddress({ contract, settings }: CheckWorld, operation: Operation): URL | undefined {
  const address = settings.variables.get('MCP_URL')?.value;
  return address !== undefined && contract.mcp.includes(operation) ? new URL(address) : undefined;
}
