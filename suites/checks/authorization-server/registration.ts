import { createHash, randomBytes } from 'node:crypto';
import { type Acceptance, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { Aim, CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { objectIn } from '../shared/curl-line.ts';
import { type Decided, inconclusive, observed } from '../shared/decision.ts';
import { discover, type Metadata, reachable } from './discovery.ts';
import { advised, verdictOf } from './metadata.ts';

/** No request ever reaches this address, because nobody signs in. */
export const REDIRECT_URI = 'http://127.0.0.1/signed-in';
const UNREGISTERED = 'http://127.0.0.1/somewhere-else';

/** Registers a client, sends authorization requests for it, and removes it where the server lets it. Nobody signs in. */
export async function authorizationClient(api: CheckApi): Promise<readonly CheckResult[]> {
  const { server, control } = await discover(api);
  // The check `authorization-server` reports why it was not found, or that nobody can register.
  if (server?.['registration_endpoint'] === undefined) return [];
  const { clientId, problem, lost, answer } = await register(api, server);
  const passDetail = 'a client was registered with the redirect URI that it sent';
  const judge = (): Decided => {
    if (lost !== undefined) return inconclusive(lost);
    // A server may want a token that it gave out some other way (RFC 7591 3).
    if (demandsToken(answer)) return observed('a registration needs an initial access token');
    return verdictOf(problem, passDetail, { control, answer });
  };
  const registered = advised(api, 'authorization-server.registration', judge());
  const authorized = clientId === undefined ? [] : await authorize(api, server, clientId, control);
  await unregister(api, server, answer);
  return [...registered, ...authorized];
}

const demandsToken = (answer: CheckAnswer | undefined): boolean =>
  answer?.observation.kind === 'answer' && answer.observation.status === 401;

/** RFC 7591 3.1 and 3.2.1. */
export async function register(
  api: CheckApi,
  { registration_endpoint: endpoint }: Metadata,
  changes: Metadata = {},
  aim: Aim = { shows: 'a client is registered', wanted: 'accepted' },
): Promise<{ clientId?: string; problem?: string | undefined; lost?: string; answer?: CheckAnswer }> {
  if (typeof endpoint !== 'string' || !(await reachable(api, endpoint)))
    return { problem: 'the metadata has no usable registration_endpoint' };
  const body = JSON.stringify({
    client_name: 'client-api-conformance',
    redirect_uris: [REDIRECT_URI],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    ...changes,
  });
  const answer = await api.visit({
    url: new URL(endpoint),
    type: 'application/json',
    body,
    ...aim,
  });
  const { client_id: clientId, redirect_uris: uris } = objectIn(answer.text) ?? {};
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'accepted' && clientId !== undefined) api.created('client', clientId);
  if (outcome.kind === 'lost') return { lost: outcome.why };
  if (outcome.status !== 201 || typeof clientId !== 'string')
    return { answer, problem: `wanted 201 with a client_id to a registration, got ${outcome.status}` };
  const kept = Array.isArray(uris) && uris.length === 1 && uris[0] === REDIRECT_URI;
  return {
    answer,
    clientId,
    problem: kept ? undefined : 'a client was registered with other redirect URIs than it sent',
  };
}

/**
 * What an authorization request leads to: a page of the authorization server, the client with an error, the client
 * without an error or the unregistered address, a refusal, or no answer.
 */
type Destination = 'sign-in' | 'client error' | 'redirect' | 'refused' | 'lost';

async function authorize(api: CheckApi, server: Metadata, clientId: string, control: Acceptance | undefined) {
  const { authorization_endpoint: endpoint } = server;
  if (typeof endpoint !== 'string' || !(await reachable(api, endpoint))) return [];
  const ask = async (changes: Changes, request: Aim) => {
    const url = authorizationRequest(endpoint, clientId, { scope: listedScopes(server)[0], ...changes });
    const answer = await api.visit({ url, ...request });
    return { answer, destination: destinationOf(answer, url) };
  };
  const wellFormed = await ask({}, { shows: 'a well-formed request leads to a sign-in page', wanted: 'either' });
  const noPkce = { code_challenge: undefined, code_challenge_method: undefined };
  const withoutPkce = await ask(noPkce, { shows: 'a request without a code_challenge is refused', wanted: 'refused' });
  const elsewhere = { shows: 'a request with an unregistered redirect URI is refused', wanted: 'refused' } as const;
  const unregistered = await ask({ redirect_uri: UNREGISTERED }, elsewhere);
  const pkce = verdictOf(
    withoutPkce.destination === 'refused' || withoutPkce.destination === 'client error'
      ? undefined
      : 'a request without a code_challenge is not refused',
    'a request without a code_challenge is refused',
    { control, answer: withoutPkce.answer },
  );
  const redirect = verdictOf(
    redirectProblem(unregistered.destination),
    'a request with an unregistered redirect URI is refused, without a redirect to it',
    { control, answer: unregistered.answer },
  );
  // A refusal proves nothing if the well-formed request is refused too (outcomes 2).
  const isLost = [wellFormed, withoutPkce, unregistered].some(({ destination }) => destination === 'lost');
  const why = isLost ? 'an authorization request got no answer' : 'a well-formed request is refused too';
  const undecided = inconclusive(why);
  const isConclusive = wellFormed.destination === 'sign-in' && !isLost;
  return [
    ...advised(api, 'authorization-server.pkce-required', isConclusive ? pkce : undecided),
    ...advised(api, 'authorization-server.redirect-uri', isConclusive ? redirect : undecided),
  ];
}

type Changes = Readonly<Record<string, string | undefined>>;

/** The address of a well-formed authorization request, with these parameters changed. */
export function authorizationRequest(endpoint: string, clientId: string, changes: Changes): URL {
  const url = new URL(endpoint);
  const asked = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** The scopes that the metadata lists (RFC 8414 2). */
export function listedScopes({ scopes_supported: listed }: Metadata): readonly string[] {
  return Array.isArray(listed) ? listed.filter((scope) => typeof scope === 'string') : [];
}

function redirectProblem(destination: Destination): string | undefined {
  if (destination === 'refused') return undefined;
  return destination === 'sign-in'
    ? 'a request with an unregistered redirect URI is not refused'
    : 'a request with an unregistered redirect URI is redirected to it';
}

function destinationOf(answer: CheckAnswer, asked: URL): Destination {
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return 'lost';
  if (outcome.status >= 400) return 'refused';
  const [line] = [answer.headers['location'] ?? []].flat();
  if (line === undefined || !URL.canParse(line, asked.href)) return 'sign-in';
  const location = new URL(line, asked);
  if (location.href.startsWith(UNREGISTERED)) return 'redirect';
  if (location.href.startsWith(REDIRECT_URI)) return location.searchParams.has('error') ? 'client error' : 'redirect';
  return location.searchParams.has('error') ? 'refused' : 'sign-in';
}

/**
 * Removes a client that a check registered, if the answer to its registration said how (RFC 7592 2.3 and 3). The token
 * for that goes only to the origin that gave it.
 * @param answer the answer to the registration; nothing happens if it registered no client.
 */
export async function unregister(parent: CheckApi, server: Metadata, answer: CheckAnswer | undefined): Promise<void> {
  if (answer === undefined || outcomeOf(answer).kind !== 'accepted') return;
  const {
    client_id: id,
    registration_client_uri: address,
    registration_access_token: token,
  } = objectIn(answer.text) ?? {};
  if (id === undefined) return;
  const stays = (why: string) => parent.removed('client', id, why);
  if (typeof address !== 'string' || typeof token !== 'string' || token === '')
    return stays('the answer to the registration does not say how to remove it (RFC 7592 3)');
  if (!URL.canParse(address) || new URL(address).origin !== new URL(`${server['registration_endpoint']}`).origin)
    return stays('the address to remove it is of another origin than that of the registration');
  if (!(await reachable(parent, address))) return stays('the address to remove it uses no https');
  // The decisions of the check do not rest on this step.
  const api = parent.fork();
  const outcome = outcomeOf(
    await api.visit({
      url: new URL(address),
      method: 'DELETE',
      credential: api.given(token, 'the registration access token'),
      shows: 'the client that was registered is removed again',
      wanted: 'either',
    }),
  );
  switch (outcome.kind) {
    case 'accepted':
      return parent.removed('client', id);
    case 'refused':
      return stays(`the request to remove it got ${outcome.status}`);
    case 'lost':
      return stays(`the request to remove it got no answer: ${outcome.why}`);
  }
}
