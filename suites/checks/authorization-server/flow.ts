import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { Aim, CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { type Decided, inconclusive, observed } from '../shared/decision.ts';
import { type Discovery, discover, type Metadata, reachable } from './discovery.ts';
import { advised, verdictOf } from './metadata.ts';
import { authorizationRequest, listedScopes, REDIRECT_URI, register, unregister } from './registration.ts';

/** A redirect URI that sends the authorization code in clear over a network. Nobody signs in, so nothing is sent there. */
const HTTP_ELSEWHERE = 'http://client.example/signed-in';

const SCOPE = 'authorization-server.registration-scope';
const REDIRECT = 'authorization-server.registration-redirect';
const NO_SCOPE = 'authorization-server.no-scope';
const ISS = 'authorization-server.iss';

/** What real clients send, and what no client may send. Nobody signs in. */
export async function authorizationFlow(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  const { server } = found;
  // The check `authorization-server` reports why it was not found, and `authorization-client` that nobody can register.
  if (!server) return [];
  const plain = await register(api, server);
  if (plain.clientId === undefined) return [];
  const results = advised(api, SCOPE, await withScope(api, found, server));
  results.push(...advised(api, REDIRECT, await withHttp(api, found, server)));
  const { authorization_endpoint: endpoint } = server;
  if (typeof endpoint === 'string' && (await reachable(api, endpoint)))
    results.push(...(await respond(api, found, server, plain.clientId)));
  await unregister(api, server, plain.answer);
  return results;
}

async function withScope(api: CheckApi, { control }: Discovery, server: Metadata): Promise<Decided> {
  const listed = listedScopes(server);
  if (listed.length === 0) return observed('the metadata lists no scopes');
  const scope = listed.slice(0, 3).join(' ');
  const aim: Aim = { shows: 'a client is registered with scopes that the metadata lists', wanted: 'accepted' };
  const { clientId, lost, answer } = await register(api, server, { scope }, aim);
  await unregister(api, server, answer);
  if (lost !== undefined) return inconclusive(lost);
  const problem = clientId === undefined ? 'a registration with a listed scope is refused' : undefined;
  return verdictOf(problem, 'a client was registered with scopes that the metadata lists', { control, answer });
}

async function withHttp(api: CheckApi, { control }: Discovery, server: Metadata): Promise<Decided> {
  const aim: Aim = { shows: 'a redirect URI that uses http to another machine is not registered', wanted: 'refused' };
  const changes = { redirect_uris: [HTTP_ELSEWHERE], application_type: 'web' };
  const { clientId, lost, answer } = await register(api, server, changes, aim);
  await unregister(api, server, answer);
  if (lost !== undefined) return inconclusive(lost);
  const problem =
    clientId === undefined ? undefined : `a client was registered with the redirect URI ${HTTP_ELSEWHERE}`;
  return verdictOf(problem, aim.shows, { control, answer });
}

/** Asks without a scope, and without a person: `prompt=none` gets a response that needs no sign-in (OpenID Connect Core 3.1.2.6). */
async function respond(
  api: CheckApi,
  { control, issuer }: Discovery,
  server: Metadata,
  clientId: string,
): Promise<CheckResult[]> {
  const endpoint = `${server['authorization_endpoint']}`;
  const scope = listedScopes(server)[0];
  const noScope = authorizationRequest(endpoint, clientId, { scope: undefined });
  const shows = 'an authorization request without a scope is processed or gets invalid_scope';
  const without = await api.visit({ url: noScope, shows, wanted: 'either' });
  const unasked = authorizationRequest(endpoint, clientId, { scope, prompt: 'none' });
  const named = 'an authorization response has the iss that the metadata promises';
  const response = await api.visit({ url: unasked, shows: named, wanted: 'either' });
  const decided = (answer: CheckAnswer, problem: string | undefined, detail: string): Decided => {
    const outcome = outcomeOf(answer);
    return outcome.kind === 'lost' ? inconclusive(outcome.why) : verdictOf(problem, detail, { control, answer });
  };
  const promised = server['authorization_response_iss_parameter_supported'] === true;
  const parameters = responseIn(response);
  const iss = parameters?.get('iss') ?? undefined;
  const isPromised = promised && parameters !== undefined;
  const problem = iss === issuer ? undefined : `an authorization response has the iss ${iss ?? 'of nobody'}`;
  return [
    ...advised(api, NO_SCOPE, decided(without, noScopeProblem(without), shows)),
    ...advised(api, ISS, isPromised ? decided(response, problem, named) : observed(NOT_PROMISED)),
  ];
}
const NOT_PROMISED = 'the metadata promises no iss, or no response came without a sign-in';

/** The parameters of the response that a client would get. Undefined if the answer sends nobody to the client. */
function responseIn({ headers }: CheckAnswer): URLSearchParams | undefined {
  const [location = ''] = [headers['location'] ?? []].flat();
  return location.startsWith(`${REDIRECT_URI}?`) && URL.canParse(location) ? new URL(location).searchParams : undefined;
}

/** RFC 6749 3.3: a default scope, or the error invalid_scope. */
function noScopeProblem(answer: CheckAnswer): string | undefined {
  const outcome = outcomeOf(answer);
  if (outcome.kind !== 'lost' && outcome.status >= 500)
    return `an authorization request without a scope got ${outcome.status}`;
  const error = responseIn(answer)?.get('error') ?? 'invalid_scope';
  return error === 'invalid_scope' ? undefined : `an authorization request without a scope got the error ${error}`;
}
