import { type Answered, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { isLeftOut } from '../../../harness/record/redact.ts';
import {
  type Decided,
  decisionOn,
  decisionsOn,
  fail,
  inconclusive,
  notTestable,
  observed,
  pass,
} from '../shared/decision.ts';
import { objectIn } from '../shared/json-object.ts';
import { challenged, type Discovery, discover, isSafe, listed, type Metadata, reachable } from './discovery.ts';

const ADVICE = ['challenge', 'resource', 'issuer', 'endpoints', 'pkce'];
const about = { operation: 'any', kind: 'OAUTH' } as const;

export const advise = (api: CheckApi, name: string, decided: Decided): CheckResult[] =>
  decisionsOn(api, { requirement: `authorization-server.${name}`, ...about }, decided);

interface Shown {
  readonly shows: string;
  readonly problem?: string | undefined;
  readonly answer?: Answered | undefined;
  /** Why nothing can be said of it. */
  readonly lost?: string | undefined;
}

/** The same with a pass, or a failure with the problem. */
export function adviseOn(
  api: CheckApi,
  name: string,
  { control }: Discovery,
  { shows, problem, answer, lost }: Shown,
): CheckResult[] {
  const decided = problem === undefined ? pass(control, shows) : fail(answer, problem);
  return advise(api, name, lost === undefined ? decided : inconclusive(lost));
}

/** Finds the metadata of the authorization server as a client does that knows only the address of the API. Sends no token. */
export async function authorizationServer(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  const { refused, resource, issuer, server, serverAnswer, lost } = found;
  const dynamic = { requirement: 'registration.dynamic', ...about };
  if (lost !== undefined)
    return [dynamic, ...ADVICE.map((name) => ({ requirement: `authorization-server.${name}`, ...about }))].map((unit) =>
      decisionOn(api, unit, inconclusive(lost)),
    );
  const results = [decisionOn(api, dynamic, registersDynamically(found))];
  const decide = (name: string, shows: string, answer: Answered | undefined, problem: string | undefined) =>
    results.push(...adviseOn(api, name, found, { shows, answer, problem }));
  const unnamed = resource ? await unnamedIn401(api) : refused;
  const noAddress = unnamed && 'a 401 has no resource_metadata';
  decide('challenge', 'a 401 has the address of the metadata of the resource', unnamed ?? refused, noAddress);
  if (resource) {
    const problem = resource.problem && `metadata of the resource: ${resource.problem}`;
    decide('resource', 'the metadata of the resource names its authorization server', resource.answer, problem);
  }
  // The results so far already say why no authorization server was found.
  if (issuer === undefined) return results;
  const named = 'the metadata of the authorization server names its issuer';
  decide('issuer', named, serverAnswer, issuerProblem(server, issuer));
  if (!server) return results;
  const unsafe = unsafeEndpoints(server);
  const missing = unsafe.length > 0 ? `missing, or neither https nor on this machine: ${unsafe.join(', ')}` : undefined;
  decide('endpoints', 'every endpoint uses https or is on this machine', serverAnswer, missing);
  const keys = await reachable(api, server['jwks_uri']);
  const thereAre = 'there are keys at the jwks_uri';
  const answer = keys && (await api.visit({ url: keys, shows: thereAre, wanted: 'accepted' }));
  const keysProblem = answer && problemOfKeys(answer);
  if (keysProblem !== undefined) decide('endpoints', thereAre, answer, keysProblem);
  const s256 = 'S256 is among the code challenge methods';
  const hasS256 = listed(server, 'code_challenge_methods_supported').includes('S256');
  decide('pkce', s256, serverAnswer, hasS256 ? undefined : `not so: ${s256}`);
  return results;
}

/** A refusal with 401 that does not say where to get another token: of an expired one, or of those that this run sent already. */
async function unnamedIn401(api: CheckApi): Promise<Answered | undefined> {
  const [{ id }] = api.contract.operations;
  const expired = api.planned(id, about.kind, { validity: 'expired' });
  const sent =
    expired?.credential && (await api.send(expired, 'a 401 to an expired token has the address of the metadata'));
  const others = [
    ...['none', 'unknown'].map((kind) => api.planned(id, kind, {})),
    // A token that was good once may be one that the service issued itself, and its holder asks there for another one.
    ...api.claims.kinds.map((kind) => api.planned(id, kind, { validity: 'tampered' })),
  ];
  const answers = [sent?.answer, ...others.map((one) => one && api.seen(one))];
  return answers.find((one) => {
    const observation = one?.observation;
    return (
      observation?.kind === 'answer' &&
      observation.status === 401 &&
      !isLeftOut(observation.challenge) &&
      !/resource_metadata/i.test(observation.challenge ?? '')
    );
  });
}

/** spec 1. That a client is registered is tried by the check `authorization-client`, which is intrusive. */
function registersDynamically({ issuer, server, control, serverAnswer }: Discovery): Decided {
  if (issuer === undefined) return notTestable('AUTHORIZATION_SERVER_ISSUER');
  if (!server) return inconclusive('the authorization server has no metadata that could name a registration_endpoint');
  const { registration_endpoint: endpoint } = server;
  return typeof endpoint === 'string' && URL.canParse(endpoint)
    ? pass(control, 'the metadata of the authorization server names a registration_endpoint')
    : fail(serverAnswer, 'the metadata of the authorization server names no registration_endpoint');
}

function issuerProblem(server: Metadata | undefined, issuer: string): string | undefined {
  if (!server) return 'there is no metadata of the authorization server at its well-known address';
  if (server['issuer'] === issuer) return undefined;
  return 'the metadata of the authorization server names another issuer than the one that it was requested for';
}

/** What is wrong with the keys that everybody can read. A private or secret key lets anybody sign tokens (RFC 7517 9.3). */
function problemOfKeys(answer: CheckAnswer): string | undefined {
  const got = outcomeOf(answer);
  const isMissing = got.kind === 'refused' && ([404, 405].includes(got.status) || got.status >= 500);
  if (isMissing) return `a request to the jwks_uri got ${got.status}`;
  const keys = [objectIn(answer.text)?.['keys']].flat();
  const isSecret = keys.some((key) => Object(key).d !== undefined || Object(key).k !== undefined);
  return isSecret ? 'a private or secret key is at the jwks_uri' : undefined;
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint'] as const;

/** The endpoints that a client must not use. The two that an authorization code needs must exist (RFC 8414 2). */
function unsafeEndpoints(server: Metadata): string[] {
  const names = Object.keys(server).filter((name) => name.endsWith('_endpoint') || name === 'jwks_uri');
  return [...new Set([...ENDPOINTS, ...names])].filter((name) => !isSafe(server[name]));
}

const FORGED = 'forged.invalid';
/** What frameworks and gateways take for the name of the host (CWE-644). */
const NAMES = ['X-Forwarded-Host', 'X-Forwarded-Server', 'X-Original-Host', 'X-Host', 'X-HTTP-Host-Override'];
const FORGERIES = [
  { Host: FORGED },
  { ...Object.fromEntries(NAMES.map((name) => [name, FORGED])), Forwarded: `host=${FORGED}` },
].map((lines) => ({ headers: Object.entries(lines), names: Object.keys(lines).slice(0, 2).join(', ') }));

/** What is wrong with the challenge of a refusal that carries a forged host. Sends no token. */
export async function followsForgery(
  ask: (headers: [string, string][], shows: string) => Promise<CheckAnswer>,
): Promise<Decided | undefined> {
  for (const { headers, names } of FORGERIES) {
    const answer = await ask(headers, `a challenge does not follow a forged ${names}`);
    if (challenged(answer, 'resource_metadata')?.includes(FORGED))
      return fail(answer, `the resource_metadata of a challenge follows a forged ${names}`);
  }
  return undefined;
}

/** Where the metadata leads, and for whom tokens are. Sends no token but to the API. */
export async function authorizationHost(api: CheckApi): Promise<readonly CheckResult[]> {
  const found = await discover(api);
  // The check `authorization-server` reports why it was not found.
  if (!found.server) return [];
  return [
    ...advise(api, 'host', await underForgedHost(api, found)),
    ...advise(api, 'audience', audienceOf(api, found)),
  ];
}

async function underForgedHost(api: CheckApi, { control, serverAddress, resource }: Discovery): Promise<Decided> {
  const [operation] = api.contract.operations;
  const bare = { operation, wanted: 'refused' } as const;
  const followed = resource && (await followsForgery((headers, shows) => api.call({ ...bare, headers, shows })));
  if (followed) return followed;
  for (const address of [serverAddress, resource?.address]) {
    const url = await reachable(api, address);
    for (const { headers, names } of url ? FORGERIES : []) {
      const shows = `the metadata at its address does not follow a forged ${names}`;
      // A gateway may refuse the forged name.
      const answer = url && (await api.visit({ url, headers, shows, wanted: 'either' }));
      if (answer && outcomeOf(answer).kind === 'accepted' && answer.text.includes(FORGED))
        return fail(answer, `an address in the metadata follows a forged ${names}`);
    }
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
  return count === 1
    ? pass(control, '$OAUTH_TOKEN has one audience')
    : fail(undefined, `$OAUTH_TOKEN has ${count} audiences`);
}
