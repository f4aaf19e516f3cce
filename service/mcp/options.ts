import type { ServiceContext } from '../api/steps.ts';
import type { IssuerClient } from '../issuers/issuer-client.ts';
import { mcpScopes } from '../terms/operations.ts';
import type { McpOptions } from './mcp.ts';

/**
 * The issuers as the remote MCP server sees them. An OAuth token has one audience, the client API or this server (RFC 8707, RFC
 * 9068 4). So it accepts other tokens of the same issuers: those of our own authorization server for its resource, and those of
 * an identity provider as its row says.
 */
export function issuersOfMcp(issuers: readonly IssuerClient[], audience: string): readonly IssuerClient[] {
  return issuers.map((issuer) =>
    issuer.family === 'own' ? { ...issuer, audience } : { ...issuer, ...(issuer.mcp ?? nobody) },
  );
}

/** No client is allowed, so that the tokens of this issuer are recognised and refused. */
const nobody = { clients: { claim: 'azp', allowed: [] } };

/**
 * The remote MCP server over the store and issuers of the client API.
 *
 * @param audience its address, which is the audience of its tokens
 * @param hostnames the names of this host besides those of the loopback address
 */
export function mcpOptionsFrom(context: ServiceContext, audience: string, hostnames: readonly string[]): McpOptions {
  const protectedResource = {
    resource: audience,
    name: 'Remote MCP server',
    authorizationServers: context.protectedResource?.authorizationServers ?? [],
    scopes: mcpScopes,
    challengeScopes: mcpScopes,
  };
  return { context: { ...context, issuers: issuersOfMcp(context.issuers, audience), protectedResource }, hostnames };
}
