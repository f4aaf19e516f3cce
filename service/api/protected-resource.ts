import type { FastifyInstance } from 'fastify';
import { scopes } from '../terms/operations.ts';

/** This API as an OAuth protected resource (RFC 9728). */
export interface ProtectedResource {
  /** The resource identifier, an absolute URI without a path. It is the `aud` of its tokens. */
  readonly resource: string;
  /** Servers where a client can register itself and get a token. External identity providers are not among them. */
  readonly authorizationServers: readonly string[];
}

const path = '/.well-known/oauth-protected-resource';

/** The URL of the metadata, for `resource_metadata` in a challenge (RFC 9728 5.1). */
export function metadataUrl({ resource }: ProtectedResource): string {
  return `${resource}${path}`;
}

/** Serves the metadata that tells a refused client where to get a token and with which scopes (RFC 9728 3.1, 3.2). */
export function serveProtectedResource(
  app: FastifyInstance,
  { resource, authorizationServers }: ProtectedResource,
): void {
  const metadata = {
    resource,
    authorization_servers: authorizationServers,
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Client API',
  };
  // The document is public and the same for every caller, so scripts of every origin may read it.
  const headers = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' };
  app.get(path, async (_request, reply) => reply.headers(headers).send(metadata));
  // Clients in web pages send headers of their own, and then the browser asks first (Fetch, "CORS preflight").
  app.options(path, async (request, reply) => {
    const wanted = request.headers['access-control-request-headers'];
    return reply
      .code(204)
      .headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET',
        'access-control-max-age': '3600',
      })
      .headers(wanted === undefined ? {} : { 'access-control-allow-headers': wanted })
      .send();
  });
}
