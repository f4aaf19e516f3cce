import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { observed } from '../shared/decision.ts';
import { objectIn } from '../shared/json-object.ts';
import { type Ask, type Asked, askerOf } from './authorization-request.ts';
import { type Discovery, discover, listed, type Metadata, reachable } from './discovery.ts';
import { advise, adviseOn } from './metadata.ts';
import { PLAIN, REDIRECT_URI, type Registered, withClient } from './registration.ts';

/** Redirect URIs that nobody registered. They are compared letter by letter, but for a port of this machine (RFC 9700 4.1.3). */
const UNREGISTERED = [
  'http://127.0.0.1/somewhere-else',
  `${REDIRECT_URI}-elsewhere`,
  `${REDIRECT_URI}/../elsewhere`,
  `${REDIRECT_URI}?elsewhere`,
  `${REDIRECT_URI}#elsewhere`,
  REDIRECT_URI.toUpperCase(),
  'http://127.0.0.1@client.example/signed-in',
  'http://127.0.0.1\\@client.example/signed-in',
  'http://127.0.0.1.client.example/signed-in',
  'https://client.example/signed-in',
  'javascript:alert(1)//127.0.0.1/signed-in',
];
/**
 * Redirect URIs of which the last sends the authorization code in clear over a network, or to a script (RFC 7591 5). Nobody signs
 * in, so nothing is sent there.
 */
const UNSAFE = [
  ['web', ['http://client.example/signed-in']],
  ['native', ['http://localhost.client.example/signed-in']],
  ['web', ['https://client.example/signed-in', 'http://client.example/signed-in']],
  ['web', ['javascript:alert(1)']],
] as const;

/** Registers a client, sends authorization requests for it, and removes it where the server lets it. Nobody signs in. */
export async function authorizationClient(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  const { server } = found;
  // The check `authorization-server` reports why it was not found, or that nobody can register.
  if (server?.['registration_endpoint'] === undefined) return [];
  return withClient(api, server, PLAIN, async (registered) => {
    const shows = 'a client was registered with the redirect URI that it sent';
    const decided = demandsToken(registered)
      ? advise(api, 'registration', observed('a registration needs an initial access token'))
      : adviseOn(api, 'registration', found, { ...registered, shows });
    const ask = await askerOf(api, server, registered);
    return [...decided, ...(await endpoints(api, found)), ...(ask ? await denials(api, found, ask) : [])];
  });
}

/** A server may want a token that it gave out some other way (RFC 7591 3). */
const demandsToken = ({ answer }: Registered): boolean =>
  answer?.observation.kind === 'answer' && answer.observation.status === 401;

/** Endpoints that a client posts to. They refuse a request that says nothing, but they are there (RFC 6749 3.2 and 5.2, RFC 7009 2). */
const POSTED = ['token', 'revocation', 'introspection', 'pushed_authorization_request'];

/** What clients post to is there. The check `authorization-server` reports addresses that no client may use. */
async function endpoints(api: CheckApi, found: Discovery): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const name of POSTED.map((one) => `${one}_endpoint`)) {
    const url = await reachable(api, found.server?.[name]);
    if (!url) continue;
    const shows = `a request that says nothing is refused by the ${name}`;
    const answer = await api.visit({ url, shows, body: {}, wanted: 'refused' });
    const outcome = outcomeOf(answer);
    // Clients need the token endpoint only.
    if (outcome.kind === 'lost' && name !== 'token_endpoint') continue;
    if (outcome.kind === 'lost') return adviseOn(api, 'endpoints', found, { shows, lost: outcome.why });
    const isMissing = [404, 405].includes(outcome.status) || outcome.status >= 500;
    const { access_token: token } = objectIn(answer.text) ?? {};
    if (typeof token === 'string') api.given(token, `the token of the ${name}`);
    const given = token === undefined ? undefined : `the ${name} gives a token to a request that says nothing`;
    const problem = isMissing ? `a request to the ${name} got ${outcome.status}` : given;
    results.push(...adviseOn(api, 'endpoints', found, { shows, answer, problem }));
  }
  return results;
}

async function denials(api: CheckApi, found: Discovery, ask: Ask): Promise<CheckResult[]> {
  const wellFormed = await ask({}, 'a well-formed request leads to a sign-in page');
  const outcome = outcomeOf(wellFormed.answer);
  if (outcome.kind === 'refused' && [404, 405].includes(outcome.status))
    return adviseOn(api, 'endpoints', found, {
      ...wellFormed,
      problem: `the authorization_endpoint got ${outcome.status}`,
    });
  const withoutPkce = [];
  // A parameter without a value counts as one that is left out (RFC 6749 3.1).
  for (const changes of [NO_PKCE, { ...NO_PKCE, code_challenge: '' }])
    withoutPkce.push(await ask(changes, 'a request without a code_challenge is refused', 'refused'));
  const unregistered = [];
  for (const uri of UNREGISTERED)
    unregistered.push(
      await ask({ redirect_uri: uri }, 'a request with an unregistered redirect URI is refused', 'refused'),
    );
  // A refusal proves nothing if the well-formed request is refused too (outcomes 2).
  const isRefused = wellFormed.leadsTo !== 'sign-in' && wellFormed.leadsTo !== 'page';
  const refused = isRefused ? 'a well-formed request is refused too' : undefined;
  const isLost = [wellFormed, ...withoutPkce, ...unregistered].some(({ lost }) => lost !== undefined);
  const lost = isLost ? 'an authorization request got no answer' : refused;
  const decide = (name: string, all: readonly Asked[], problemOf: (asked: Asked) => string | undefined) => {
    const asked = all.find((one) => problemOf(one) !== undefined) ?? all[0];
    if (!asked) return [];
    // Both are pages of the server itself, and only a person can tell what is on them.
    const isOpen = lost === undefined && asked.leadsTo === 'page' && wellFormed.leadsTo === 'page';
    if (isOpen) return advise(api, name, observed('nothing tells a page that refuses from one to sign in on'));
    return adviseOn(api, name, found, { ...asked, lost, problem: problemOf(asked) });
  };
  // A page of the server itself that is not the one to sign in on says that something is wrong.
  const isPage = ({ leadsTo, place }: Asked) =>
    (leadsTo === 'page' || leadsTo === 'sign-in') && (leadsTo !== wellFormed.leadsTo || place !== wellFormed.place);
  return [
    ...decide('pkce-required', withoutPkce, (asked) =>
      isPage(asked) || asked.leadsTo === 'refused' || asked.leadsTo === 'client error'
        ? undefined
        : 'a request without a code_challenge is not refused',
    ),
    ...decide('redirect-uri', unregistered, (asked) => (isPage(asked) ? undefined : redirectProblem(asked))),
  ];
}

const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

function redirectProblem({ leadsTo }: Asked): string | undefined {
  if (leadsTo === 'refused') return undefined;
  const led = leadsTo === 'sign-in' || leadsTo === 'page' ? 'not refused' : 'redirected to it';
  return `a request with an unregistered redirect URI is ${led}`;
}

/** What real clients send, and what no client may send. Nobody signs in. */
export async function authorizationFlow(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  const { server } = found;
  // The check `authorization-server` reports why it was not found, and `authorization-client` that nobody can register.
  if (!server) return [];
  return withClient(api, server, PLAIN, async (registered) => {
    if (registered.clientId === undefined) return [];
    const ask = await askerOf(api, server, registered);
    const asked = [...(await withScope(api, found, server)), ...(await withHttp(api, found, server))];
    return ask ? [...asked, ...(await responses(api, found, ask))] : asked;
  });
}

async function withScope(api: CheckApi, found: Discovery, server: Metadata): Promise<CheckResult[]> {
  const scope = listed(server, 'scopes_supported').slice(0, 3).join(' ');
  if (scope === '') return advise(api, 'registration-scope', observed('the metadata lists no scopes'));
  const shows = 'a client is registered with scopes that the metadata lists';
  const asked = { shows, wanted: 'accepted', changes: { scope } } as const;
  const registered = await withClient(api, server, asked, async (one) => one);
  const problem = registered.clientId === undefined ? 'a registration with a listed scope is refused' : undefined;
  return adviseOn(api, 'registration-scope', found, { ...registered, shows, problem });
}

async function withHttp(api: CheckApi, found: Discovery, server: Metadata): Promise<CheckResult[]> {
  const shows = 'a redirect URI that uses http to another machine is not registered';
  const tried = [];
  for (const [type, uris] of UNSAFE) {
    const changes = { redirect_uris: uris, application_type: type };
    const uri = uris.at(-1);
    const registered = await withClient(api, server, { shows, wanted: 'refused', changes }, async (one) => one);
    // The server may register other redirect URIs than those that it was asked for (RFC 7591 3.2.1).
    const isRegistered = registered.uris === undefined || registered.uris.includes(uri);
    const problem = `a client was registered with the redirect URI ${uri}`;
    tried.push({
      ...registered,
      shows,
      problem: registered.clientId !== undefined && isRegistered ? problem : undefined,
    });
  }
  const [first] = tried;
  const decided = tried.find(({ lost, problem }) => (lost ?? problem) !== undefined) ?? first;
  return decided ? adviseOn(api, 'registration-redirect', found, decided) : [];
}

/**
 * Asks without a scope, and reads what comes back to the client although nobody signed in: `prompt=none` gets a response that needs
 * no sign-in (OpenID Connect Core 3.1.2.6).
 */
async function responses(api: CheckApi, found: Discovery, ask: Ask): Promise<CheckResult[]> {
  const noScope = 'an authorization request without a scope is processed or gets invalid_scope';
  const without = await ask({ scope: undefined }, noScope);
  const shows =
    'a response to the client has no code while nobody signed in, the state of its request and the promised iss';
  const asked = [];
  for (const changes of [{}, { prompt: 'none' }, NO_PKCE]) asked.push(await ask(changes, shows));
  const got = asked.filter(({ response }) => response !== undefined);
  const decide = (name: string, from: readonly Asked[], problemOf: (asked: Asked) => string | undefined) => {
    const judged = from.map((one) => ({ ...one, problem: problemOf(one) }));
    const [first] = judged;
    const notSeen = observed('no response came to the client without a sign-in');
    return first
      ? adviseOn(api, name, found, judged.find(({ problem }) => problem !== undefined) ?? first)
      : advise(api, name, notSeen);
  };
  const isPromised = found.server?.['authorization_response_iss_parameter_supported'] === true;
  return [
    ...adviseOn(api, 'no-scope', found, { ...without, problem: noScopeProblem(without) }),
    ...decide('sign-in', asked, ({ response }) => {
      const given = ['code', 'access_token', 'id_token'].find((name) => response?.has(name));
      return given && `nobody signed in, and an authorization response has the parameter ${given}`;
    }),
    ...decide('state', got, ({ response, state }) =>
      response?.get('state') === state
        ? undefined
        : 'an authorization response does not repeat the state of its request',
    ),
    ...(isPromised
      ? decide('iss', got, ({ response }) => {
          const iss = response?.get('iss') ?? 'of nobody';
          return iss === found.issuer ? undefined : `an authorization response has the iss ${iss}`;
        })
      : advise(api, 'iss', observed('the metadata promises no iss'))),
  ];
}

/** RFC 6749 3.3: a default scope, or the error invalid_scope. */
function noScopeProblem({ answer, response }: Asked): string | undefined {
  const outcome = outcomeOf(answer);
  if (outcome.kind !== 'lost' && outcome.status >= 500)
    return `an authorization request without a scope got ${outcome.status}`;
  const error = response?.get('error') ?? 'invalid_scope';
  return error === 'invalid_scope' ? undefined : `an authorization request without a scope got the error ${error}`;
}
