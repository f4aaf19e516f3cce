import type { IssuerClient } from '../issuers/issuer-client.ts';

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
