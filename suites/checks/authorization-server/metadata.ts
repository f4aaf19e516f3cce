import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Decided } from '../parts/decision.ts';
import { discover, isSafe, type Metadata } from './discovery.ts';

/** Of our own: the reference service keeps to all that the RFCs advise here. */
const OWN = 'reference.authorization-server';
const ADVICE = [
  'authorization-server.challenge',
  'authorization-server.resource',
  'authorization-server.issuer',
  'authorization-server.endpoints',
  'authorization-server.pkce',
] as const;

/** What a client learns that knows nothing but the address of the API. It sends no token anywhere. */
export const authorizationServer: Check = {
  id: 'authorization-server',
  title: 'A refused client finds the authorization server and what it needs to know of it',
  requirements: [...ADVICE, OWN],
  capability: 'authorization-server',
  intrusive: false,
  async run(api) {
    const { resourceMetadata, resourceProblem, issuer, server, lost } = await discover(api);
    if (lost !== undefined) return ADVICE.map((id) => decision(id, { verdict: 'inconclusive', detail: lost }));
    const challenge = verdictOf(
      resourceMetadata === undefined ? 'a 401 names no resource_metadata' : undefined,
      'a 401 names where the resource describes itself',
    );
    const found = [
      ...advised(api, 'authorization-server.challenge', challenge),
      ...(resourceMetadata === undefined
        ? []
        : advised(
            api,
            'authorization-server.resource',
            verdictOf(
              resourceProblem && `metadata of the resource: ${resourceProblem}`,
              'names its authorization server',
            ),
          )),
    ];
    // What leads nowhere is told once.
    if (issuer === undefined) return found;
    const stated = server?.['issuer'];
    const wrongIssuer =
      server === undefined
        ? 'there is no metadata of the authorization server at its well-known address'
        : stated === issuer
          ? undefined
          : 'the metadata of the authorization server names another issuer than it was asked for';
    found.push(
      ...advised(api, 'authorization-server.issuer', verdictOf(wrongIssuer, 'the metadata is of the issuer asked for')),
    );
    if (!server) return found;
    const unsafe = unsafeEndpoints(server);
    return [
      ...found,
      ...advised(
        api,
        'authorization-server.endpoints',
        verdictOf(unsafe.length > 0 ? `neither https nor on this machine: ${unsafe.join(', ')}` : undefined, 'all are'),
      ),
      ...advised(api, 'authorization-server.pkce', verdictOf(withoutPkce(server), 'S256 is among the methods')),
    ];
  },
};

function decision(requirement: string, found: Decided): CheckResult {
  return { requirement, operation: 'any', kind: 'OAUTH', ...found };
}

export function verdictOf(problem: string | undefined, fine: string): Decided {
  return problem === undefined ? { verdict: 'pass', detail: fine } : { verdict: 'warn', detail: problem };
}

/** What the RFCs advise, and the reference service is held to. */
export function advised({ trusted }: CheckApi, requirement: string, found: Decided): CheckResult[] {
  const own: Decided = { ...found, verdict: found.verdict === 'warn' ? 'fail' : found.verdict };
  return [decision(requirement, found), ...(trusted ? [decision(OWN, own)] : [])];
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'] as const;

/** Endpoints that are missing count as well: without them there is no authorization code (RFC 8414 2). */
function unsafeEndpoints(server: Metadata): string[] {
  const names = Object.keys(server).filter((name) => name.endsWith('_endpoint') || name === 'jwks_uri');
  return [...new Set([...ENDPOINTS, ...names])].filter((name) => {
    const address = server[name];
    return typeof address !== 'string' || !URL.canParse(address) || !isSafe(new URL(address));
  });
}

function withoutPkce({ code_challenge_methods_supported: methods }: Metadata): string | undefined {
  return Array.isArray(methods) && methods.includes('S256')
    ? undefined
    : 'S256 is not among the code challenge methods';
}
