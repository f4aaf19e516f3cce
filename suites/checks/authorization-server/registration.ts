import { createHash, randomBytes } from 'node:crypto';
import type { Check, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { discover, type Metadata, objectIn, reachable } from './discovery.ts';
import { advised, verdictOf } from './metadata.ts';

/** Never called: nobody signs in. */
const REDIRECT_URI = 'http://127.0.0.1/signed-in';
const UNREGISTERED = 'http://127.0.0.1/somewhere-else';

/** A client that registers itself, and what it may not ask for then. It stays registered; nobody signs in. */
export const authorizationClient: Check = {
  id: 'authorization-client',
  title: 'A client registers itself, and is refused without PKCE and for another redirect URI than its own',
  requirements: [
    'authorization-server.registration',
    'authorization-server.pkce-required',
    'authorization-server.redirect-uri',
    'reference.authorization-server',
  ],
  capability: 'authorization-server',
  intrusive: true,
  async run(api) {
    const { server } = await discover(api);
    // What keeps it from being found, the check `authorization-server` says.
    if (!server) return [];
    const { clientId, problem, lost } = await register(api, server);
    const registered = advised(
      api,
      'authorization-server.registration',
      lost === undefined
        ? verdictOf(problem, 'a client was registered with the redirect URI that it asked for')
        : { verdict: 'inconclusive', detail: lost },
    );
    if (clientId === undefined) return registered;
    return [...registered, ...(await authorize(api, server, clientId))];
  },
};

/** RFC 7591 3.1 and 3.2.1. */
async function register(
  api: CheckApi,
  { registration_endpoint: endpoint }: Metadata,
): Promise<{ clientId?: string; problem?: string | undefined; lost?: string }> {
  if (typeof endpoint !== 'string' || !reachable(api, endpoint))
    return { problem: 'the metadata names no endpoint where a client can register' };
  const body = JSON.stringify({
    client_name: 'client-api-conformance',
    redirect_uris: [REDIRECT_URI],
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
  });
  const answer = await api.visit(new URL(endpoint), { type: 'application/json', body });
  const { client_id: clientId, redirect_uris: uris } = objectIn(answer.text) ?? {};
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return { lost: outcome.why };
  if (outcome.status !== 201 || typeof clientId !== 'string')
    return { problem: `wanted 201 with a client_id to a registration, got ${outcome.status}` };
  const kept = Array.isArray(uris) && uris.length === 1 && uris[0] === REDIRECT_URI;
  return { clientId, problem: kept ? undefined : 'a client was registered with other redirect URIs than it asked for' };
}

/** Where an authorization request leads: to the person, back to the client with an error or to another address, or nowhere. */
type Way = 'on' | 'error' | 'elsewhere' | 'refused' | 'lost';

async function authorize(api: CheckApi, server: Metadata, clientId: string) {
  const { authorization_endpoint: endpoint } = server;
  if (typeof endpoint !== 'string' || !reachable(api, endpoint)) return [];
  const ask = async (changes: Readonly<Record<string, string | undefined>>): Promise<Way> => {
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
    return wayOf(await api.visit(url), url);
  };
  // Where a request that has nothing wrong with it does not lead on, no refusal of another says anything.
  const well = await ask({});
  const without = await ask({ code_challenge: undefined, code_challenge_method: undefined });
  const strange = await ask({ redirect_uri: UNREGISTERED });
  const pkce = verdictOf(
    without === 'refused' || without === 'error' ? undefined : 'a request without a code_challenge is not refused',
    'a request without a code_challenge is refused',
  );
  const redirect = verdictOf(
    strange === 'refused'
      ? undefined
      : strange === 'on'
        ? 'a request with a redirect URI that is not registered is not refused'
        : 'a request with a redirect URI that is not registered is sent there',
    'a request with a redirect URI that is not registered is refused, and not sent there',
  );
  const lost = [well, without, strange].includes('lost');
  const why = lost ? 'an authorization request was not answered' : 'one with nothing wrong is refused as well';
  const silent = { verdict: 'inconclusive', detail: why } as const;
  return [
    ...advised(api, 'authorization-server.pkce-required', well === 'on' && !lost ? pkce : silent),
    ...advised(api, 'authorization-server.redirect-uri', well === 'on' && !lost ? redirect : silent),
  ];
}

function wayOf(answer: CheckAnswer, asked: URL): Way {
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return 'lost';
  if (outcome.status >= 400) return 'refused';
  const [line] = [answer.headers['location'] ?? []].flat();
  if (line === undefined || !URL.canParse(line, asked.href)) return 'on';
  const location = new URL(line, asked);
  if (location.href.startsWith(UNREGISTERED)) return 'elsewhere';
  if (location.href.startsWith(REDIRECT_URI)) return location.searchParams.has('error') ? 'error' : 'elsewhere';
  return location.searchParams.has('error') ? 'refused' : 'on';
}
