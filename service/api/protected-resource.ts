import type { FastifyInstance } from 'fastify';
import { scopes } from '../terms/operations.ts';

/** This API as a resource that authorization servers issue tokens for (RFC 9728). */
export interface ProtectedResource {
  /** Its identifier, an absolute URI without a path: `aud` of its tokens. */
  readonly resource: string;
  /** Where to get such a token without being told anything else. External identity providers are arranged for apart. */
  readonly authorizationServers: readonly string[];
}

const path = '/.well-known/oauth-protected-resource';

/** Where its metadata is, for `resource_metadata` of a challenge (RFC 9728 5.1). */
export function metadataUrl({ resource }: ProtectedResource): string {
  return `${resource}${path}`;
}

/** RFC 9728 3.1 and 3.2: a client that was refused learns here whom to ask for a token, and for which scopes. */
export function serveProtectedResource(app: FastifyInstance, of: ProtectedResource): void {
  const metadata = {
    resource: of.resource,
    authorization_servers: of.authorizationServers,
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Client API',
  };
  // The same for everybody, so that clients in a browser may read it too.
  const headers = { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' };
  app.get(path, async (_request, reply) => reply.headers(headers).send(metadata));
}
