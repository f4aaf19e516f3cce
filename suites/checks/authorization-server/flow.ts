import { createHash, randomBytes } from 'node:crypto';
import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Wanted } from '../../../harness/record/exchange.ts';
import { observed } from '../shared/decision.ts';
import { type Discovery, discover, listed, type Metadata, reachable } from './discovery.ts';
import { advise, adviseOn } from './metadata.ts';
import { PLAIN, REDIRECT_URI, type Registered, withClient } from './registration.ts';

/** Redirect URIs that nobody registered: another path, a longer one, and another host behind what looks like the right one. */
const UNREGISTERED = [
  'http://127.0.0.1/somewhere-else',
  `${REDIRECT_URI}-elsewhere`,
  'http://127.0.0.1@client.example/signed-in',
];
/** Redirect URIs that send the authorization code in clear over a network. Nobody signs in, so nothing is sent there. */
const HTTP_ELSEWHERE = [
  ['web', 'http://client.example/signed-in'],
  ['native', 'http://localhost.client.example/signed-in'],
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
    const asker = askerOf(api, server, registered);
    return [...decided, ...(await tokenEndpoint(api, found)), ...(await denials(api, found, asker))];
  });
}

/** A server may want a token that it gave out some other way (RFC 7591 3). */
const demandsToken = ({ answer }: Registered): boolean =>
  answer?.observation.kind === 'answer' && answer.observation.status === 401;

/** A token endpoint refuses a request without a grant, but it is there (RFC 6749 3.2 and 5.2). */
async function tokenEndpoint(api: CheckApi, found: Discovery): Promise<CheckResult[]> {
  const url = await reachable(api, found.server?.['token_endpoint']);
  // The check `authorization-server` reports an address that no client may use.
  if (!url) return [];
  const shows = 'a request without a grant is refused by the token endpoint';
  const answer = await api.visit({ url, body: {}, shows, wanted: 'refused' });
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return adviseOn(api, 'endpoints', found, { shows, lost: outcome.why });
  const isMissing = [404, 405].includes(outcome.status);
  const problem = isMissing ? `a POST to the token endpoint got ${outcome.status}` : undefined;
  return adviseOn(api, 'endpoints', found, { shows, answer, problem });
}

async function denials(api: CheckApi, found: Discovery, asker: Promise<Ask | undefined>): Promise<CheckResult[]> {
  const ask = await asker;
  if (!ask) return [];
  const wellFormed = await ask({}, 'a well-formed request leads to a sign-in page');
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
  const isPage = ({ leadsTo }: Asked) => leadsTo === 'page' && wellFormed.leadsTo !== 'page';
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
  return withClient(api, server, PLAIN, async (registered) =>
    registered.clientId === undefined
      ? []
      : [
          ...(await withScope(api, found, server)),
          ...(await withHttp(api, found, server)),
          ...(await responses(api, found, askerOf(api, server, registered))),
        ],
  );
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
  for (const [type, uri] of HTTP_ELSEWHERE) {
    const changes = { redirect_uris: [uri], application_type: type };
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

/** Asks without a scope, and without a person: `prompt=none` gets a response that needs no sign-in (OpenID Connect Core 3.1.2.6). */
async function responses(api: CheckApi, found: Discovery, asker: Promise<Ask | undefined>): Promise<CheckResult[]> {
  const ask = await asker;
  if (!ask) return [];
  const noScope = 'an authorization request without a scope is processed or gets invalid_scope';
  const without = await ask({ scope: undefined }, noScope);
  const hasIss = 'an authorization response has the iss that the metadata promises';
  const asked = [await ask({ prompt: 'none' }, hasIss), await ask(NO_PKCE, hasIss)];
  const got = asked.flatMap((response) => {
    const parameters = responseIn(response.answer);
    const iss = parameters?.get('iss') ?? 'of nobody';
    const problem = iss === found.issuer ? undefined : `an authorization response has the iss ${iss}`;
    return parameters ? [{ ...response, problem }] : [];
  });
  const response = got.find(({ problem }) => problem !== undefined) ?? got[0];
  const isPromised = found.server?.['authorization_response_iss_parameter_supported'] === true;
  const notPromised = observed('the metadata promises no iss, or no response came without a sign-in');
  return [
    ...adviseOn(api, 'no-scope', found, { ...without, problem: noScopeProblem(without.answer) }),
    ...(isPromised && response ? adviseOn(api, 'iss', found, response) : advise(api, 'iss', notPromised)),
  ];
}

/** RFC 6749 3.3: a default scope, or the error invalid_scope. */
function noScopeProblem(answer: CheckAnswer): string | undefined {
  const outcome = outcomeOf(answer);
  if (outcome.kind !== 'lost' && outcome.status >= 500)
    return `an authorization request without a scope got ${outcome.status}`;
  const error = responseIn(answer)?.get('error') ?? 'invalid_scope';
  return error === 'invalid_scope' ? undefined : `an authorization request without a scope got the error ${error}`;
}

/** The parameters of the response that a client would get. Undefined if the answer sends nobody to the client. */
function responseIn({ headers }: CheckAnswer): URLSearchParams | undefined {
  const [location = ''] = [headers['location'] ?? []].flat();
  return location.startsWith(`${REDIRECT_URI}?`) && URL.canParse(location) ? new URL(location).searchParams : undefined;
}

/** Sends the well-formed authorization request of a client, with these parameters changed. */
type Ask = (changes: Changes, shows: string, wanted?: Wanted) => Promise<Asked>;
type Changes = Readonly<Record<string, string | undefined>>;

/** What came of an authorization request. */
interface Asked {
  readonly shows: string;
  readonly answer: CheckAnswer;
  readonly leadsTo: Destination;
  /** Why no answer came. */
  readonly lost: string | undefined;
}

/** Undefined without a client, or if the metadata has no usable endpoint. */
async function askerOf(api: CheckApi, server: Metadata, { clientId }: Registered): Promise<Ask | undefined> {
  const endpoint = clientId === undefined ? undefined : await reachable(api, server['authorization_endpoint']);
  if (!endpoint) return undefined;
  const [scope] = listed(server, 'scopes_supported');
  return async (changes, shows, wanted = 'either') => {
    const url = new URL(endpoint);
    const asked = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: randomBytes(8).toString('hex'),
      code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
      code_challenge_method: 'S256',
      scope,
      ...changes,
    };
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
    const answer = await api.visit({ url, shows, wanted });
    const outcome = outcomeOf(answer);
    const lost = outcome.kind === 'lost' ? outcome.why : undefined;
    return { shows, answer, lost, leadsTo: lost === undefined ? destinationOf(answer, url) : 'refused' };
  };
}

/**
 * What an authorization request leads to: a sign-in, a page that asks for nothing, the client with an error, the client without
 * an error or the unregistered address, or a refusal.
 */
type Destination = 'sign-in' | 'page' | 'client error' | 'redirect' | 'refused';

function destinationOf(answer: CheckAnswer, asked: URL): Destination {
  const outcome = outcomeOf(answer);
  if (outcome.kind !== 'lost' && outcome.status >= 400) return 'refused';
  const [line] = [answer.headers['location'] ?? []].flat();
  if (line === undefined || !URL.canParse(line, asked.href))
    return /<(form|input)\b/i.test(answer.text) ? 'sign-in' : 'page';
  const location = new URL(line, asked);
  const isAt = (uri: string) => location.href.split(/[?#]/)[0] === new URL(uri).href;
  const wanted = asked.searchParams.get('redirect_uri') ?? '';
  if (wanted !== REDIRECT_URI && isAt(wanted)) return 'redirect';
  const isError = location.searchParams.has('error');
  if (wanted === REDIRECT_URI && isAt(REDIRECT_URI)) return isError ? 'client error' : 'redirect';
  return isError ? 'refused' : 'sign-in';
}
