import { type Acceptance, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { objectIn } from '../shared/curl-line.ts';
import { type Decided, decisionOn, fail, inconclusive, notTestable, observed, pass, warn } from '../shared/decision.ts';
import { type Discovery, discover, isSafe, type Metadata } from './discovery.ts';

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
export async function authorizationServer(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  const { resourceMetadata, resourceProblem, issuer, server, control, lost } = found;
  const decide = (id: string, problem: string | undefined, passDetail: string, answer: CheckAnswer | undefined) =>
    advised(api, id, verdictOf(problem, passDetail, { control, answer }));
  if (lost !== undefined) return ['registration.dynamic', ...ADVICE].map((id) => decision(api, id, inconclusive(lost)));
  const results = [decision(api, 'registration.dynamic', dynamic(found))];
  results.push(
    ...decide(
      'authorization-server.challenge',
      resourceMetadata === undefined ? 'a 401 has no resource_metadata' : undefined,
      'a 401 has the address of the metadata of the resource',
      found.refused,
    ),
  );
  if (resourceMetadata !== undefined)
    results.push(
      ...decide(
        'authorization-server.resource',
        resourceProblem && `metadata of the resource: ${resourceProblem}`,
        'the metadata of the resource names its authorization server',
        found.resourceAnswer,
      ),
    );
  // The results so far already say why no authorization server was found.
  if (issuer === undefined) return results;
  const { serverAnswer } = found;
  results.push(
    ...decide(
      'authorization-server.issuer',
      issuerProblem(server, issuer),
      'the metadata of the authorization server names its issuer',
      serverAnswer,
    ),
  );
  if (!server) return results;
  const unsafe = unsafeEndpoints(server);
  results.push(
    ...decide(
      'authorization-server.endpoints',
      unsafe.length > 0 ? `missing, or neither https nor on this machine: ${unsafe.join(', ')}` : undefined,
      'every endpoint uses https or is on this machine',
      serverAnswer,
    ),
    ...decide(
      'authorization-server.pkce',
      pkceProblem(server),
      'S256 is among the code challenge methods',
      serverAnswer,
    ),
  );
  return results;
}

/** spec 1. That a client is registered is tried by the check `authorization-client`, which is intrusive. */
function dynamic({ issuer, server, control, serverAnswer }: Discovery): Decided {
  if (issuer === undefined) return notTestable('AUTHORIZATION_SERVER_ISSUER');
  if (!server) return inconclusive('the authorization server has no metadata that could name a registration_endpoint');
  const { registration_endpoint: endpoint } = server;
  return typeof endpoint === 'string' && URL.canParse(endpoint)
    ? pass(control, 'the metadata of the authorization server names a registration_endpoint')
    : fail(serverAnswer, 'the metadata of the authorization server names no registration_endpoint');
}

function decision(api: CheckApi, requirement: string, found: Decided): CheckResult {
  return decisionOn(api, { requirement, operation: 'any', kind: 'OAUTH' }, found);
}

/** A warning with the problem, or a pass with the other detail if there is no problem. */
export function verdictOf(
  problem: string | undefined,
  passDetail: string,
  { control, answer }: { readonly control: Acceptance | undefined; readonly answer: CheckAnswer | undefined },
): Decided {
  return problem === undefined ? pass(control, passDetail) : warn(answer, problem);
}

/** The result for advice of an RFC. The reference service must follow it, so there a warning is also a failure. */
export function advised(api: CheckApi, requirement: string, found: Decided): CheckResult[] {
  const own: Decided = found.verdict === 'warn' ? { ...found, verdict: 'fail' } : found;
  return [decision(api, requirement, found), ...(api.trusted ? [decision(api, OWN, own)] : [])];
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

const FORGED = 'forged.invalid';
const FORGERIES: readonly (readonly (readonly [name: string, value: string])[])[] = [
  [['Host', FORGED]],
  [
    ['X-Forwarded-Host', FORGED],
    ['Forwarded', `host=${FORGED}`],
  ],
];

/** Where the metadata leads, and for whom tokens are. Sends no token but to the API. */
export async function authorizationHost(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  // The check `authorization-server` reports why it was not found.
  if (!found.server) return [];
  return [
    ...advised(api, 'authorization-server.host', await underForgedHost(api, found)),
    ...advised(api, 'authorization-server.audience', audienceOf(api, found)),
  ];
}

async function underForgedHost(
  api: CheckApi,
  { control, serverMetadata, resourceMetadata }: Discovery,
): Promise<Decided> {
  for (const address of [serverMetadata, resourceMetadata])
    for (const headers of address === undefined ? [] : FORGERIES) {
      const names = headers.map(([name]) => name).join(' and ');
      const shows = `the metadata at its address does not follow a forged ${names}`;
      // A gateway may refuse the forged name.
      const answer = await api.visit({ url: new URL(address ?? ''), headers, shows, wanted: 'either' });
      if (outcomeOf(answer).kind === 'accepted' && answer.text.includes(FORGED))
        return warn(answer, `an address in the metadata follows a forged ${names}`);
    }
  return pass(control, 'no address in the metadata follows a forged Host');
}

/** RFC 9068 2.2: `aud` in a token that is a JWT. An opaque token does not show it. */
function audienceOf(api: CheckApi, { control }: Discovery): Decided {
  const [, payload = ''] = api.full('OAUTH')?.token.split('.') ?? [];
  const { aud } = objectIn(Buffer.from(payload, 'base64url').toString()) ?? {};
  if (aud === undefined) return observed('the token does not show its audience');
  const count = [aud].flat().length;
  if (count === 0) return inconclusive('the token has an empty list of audiences');
  const problem = count === 1 ? undefined : `$OAUTH_TOKEN has ${count} audiences`;
  return verdictOf(problem, '$OAUTH_TOKEN has one audience', { control, answer: undefined });
}
