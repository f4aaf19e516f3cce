import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../terms/operations.ts';

/** An OAuth protected resource (RFC 9728): the client API or the remote MCP server. */
export interface ProtectedResource {
  /** The resource identifier, an absolute URI without a slash at the end. It is the `aud` of its tokens. */
  readonly resource: string;
  /** For people. */
  readonly name: string;
  /** Servers where a client can register itself and get a token. External identity providers are not among them. */
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly Scope[];
  /** The scopes that a challenge for a missing token asks for (RFC 6750 3). Absent: it names none. */
  readonly challengeScopes?: readonly Scope[];
}

/** The URL of the metadata, for `resource_metadata` in a challenge. The path of the resource comes last (RFC 9728 3.1, 5.1). */
export function metadataUrl({ resource }: ProtectedResource): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
}

/** Serves the metadata that tells a refused client where to get a token and with which scopes (RFC 9728 3.1, 3.2). */
export function serveProtectedResource(app: FastifyInstance, described: ProtectedResource): void {
  const metadata = {
    resource: described.resource,
    authorization_servers: described.authorizationServers,
    scopes_supported: described.scopes,
    bearer_methods_supported: ['header'],
    resource_name: described.name,
  };
  const path = new URL(metadataUrl(described)).pathname;
  // The document is public and the same for every caller, so scripts of every origin may read it.
  const headers = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' };
  app.get(path, async (_request, reply) => reply.headers(headers).send(metadata));
  // Clients in web pages send headers of their own, and then the browser asks first (Fetch, "CORS preflight").
  app.options(path, async (request, reply) => reply.code(204).headers(preflight(request.headers, 'GET')).send());
}

/** The answer to a preflight. A client may send any header: what a header may do is decided with the request itself. */
export function preflight(
  { 'access-control-request-headers': wanted }: IncomingHttpHeaders,
  method: 'GET' | 'POST',
): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': method,
    'access-control-max-age': '3600',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
  };
}
