import type { Check, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Decided } from '../shared/decision.ts';
import { discover, isSafe, type Metadata } from './discovery.ts';

/** The reference service must follow all of this advice. */
const OWN = 'reference.authorization-server';
const ADVICE = [
  'authorization-server.challenge',
  'authorization-server.resource',
  'authorization-server.issuer',
  'authorization-server.endpoints',
  'authorization-server.pkce',
] as const;

/** Finds the metadata of the authorization server as a client does that knows only the address of the API. Sends no token. */
export const authorizationServer: Check = {
  id: 'authorization-server',
  title: 'A client that is refused can find the authorization server and its metadata',
  requirements: [...ADVICE, OWN],
  capability: 'authorization-server',
  intrusive: false,
  async run(api) {
    const { resourceMetadata, resourceProblem, issuer, server, lost } = await discover(api);
    if (lost !== undefined) return ADVICE.map((id) => decision(id, { verdict: 'inconclusive', detail: lost }));
    const challenge = verdictOf(
      resourceMetadata === undefined ? 'a 401 has no resource_metadata' : undefined,
      'a 401 has the address of the metadata of the resource',
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
              'the metadata of the resource names its authorization server',
            ),
          )),
    ];
    // The results so far already say why no authorization server was found.
    if (issuer === undefined) return found;
    const issuerDecided = verdictOf(
      issuerProblem(server, issuer),
      'the metadata of the authorization server names its issuer',
    );
    found.push(...advised(api, 'authorization-server.issuer', issuerDecided));
    if (!server) return found;
    const unsafe = unsafeEndpoints(server);
    return [
      ...found,
      ...advised(
        api,
        'authorization-server.endpoints',
        verdictOf(
          unsafe.length > 0 ? `missing, or neither https nor on this machine: ${unsafe.join(', ')}` : undefined,
          'every endpoint uses https or is on this machine',
        ),
      ),
      ...advised(
        api,
        'authorization-server.pkce',
        verdictOf(pkceProblem(server), 'S256 is among the code challenge methods'),
      ),
    ];
  },
};

function decision(requirement: string, found: Decided): CheckResult {
  return { requirement, operation: 'any', kind: 'OAUTH', ...found };
}

/** A warning with the problem, or a pass with the other detail if there is no problem. */
export function verdictOf(problem: string | undefined, passDetail: string): Decided {
  return problem === undefined ? { verdict: 'pass', detail: passDetail } : { verdict: 'warn', detail: problem };
}

/** The result for advice of an RFC. The reference service must follow it, so there a warning is also a failure. */
export function advised({ trusted }: CheckApi, requirement: string, found: Decided): CheckResult[] {
  const own: Decided = { ...found, verdict: found.verdict === 'warn' ? 'fail' : found.verdict };
  return [decision(requirement, found), ...(trusted ? [decision(OWN, own)] : [])];
}

function issuerProblem(server: Metadata | undefined, issuer: string): string | undefined {
  if (!server) return 'there is no metadata of the authorization server at its well-known address';
  if (server['issuer'] === issuer) return undefined;
  return 'the metadata of the authorization server names another issuer than the one that it was requested for';
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'] as const;

/** The endpoints that a client must not use. The two that an authorization code needs must exist (RFC 8414 2). */
function unsafeEndpoints(server: Metadata): string[] {
  const names = Object.keys(server).filter((name) => name.endsWith('_endpoint') || name === 'jwks_uri');
  return [...new Set([...ENDPOINTS, ...names])].filter((name) => {
    const address = server[name];
    return typeof address !== 'string' || !URL.canParse(address) || !isSafe(new URL(address));
  });
}

function pkceProblem({ code_challenge_methods_supported: methods }: Metadata): string | undefined {
  return Array.isArray(methods) && methods.includes('S256')
    ? undefined
    : 'S256 is not among the code challenge methods';
}
