import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets scripts of every origin register a client (Fetch, "CORS protocol"). Registration uses no cookies, so a script gets
 * nothing that any other program does not get. oidc-provider has this for its other endpoints.
 *
 * @returns whether the request was a preflight and is answered
 */
export function allowRegistrationFromScripts(request: IncomingMessage, response: ServerResponse): boolean {
  if (!/^\/reg\/?(?:\?|$)/i.test(request.url ?? '')) return false;
  response.setHeader('access-control-allow-origin', '*');
  const { 'access-control-request-method': method, 'access-control-request-headers': headers } = request.headers;
  if (request.method !== 'OPTIONS' || method === undefined) return false;
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    'access-control-max-age': '3600',
    ...(headers !== undefined && { 'access-control-allow-headers': headers }),
  });
  response.end();
  return true;
}
