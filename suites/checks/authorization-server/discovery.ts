import { type Acceptance, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { isLoopback } from '../../../harness/settings/parse-values.ts';
import { controlOf } from '../shared/confirm.ts';
import { objectIn } from '../shared/curl-line.ts';

/** What a client finds out that knows only the address of the API. */
export interface Discovery {
  /** The address in `resource_metadata` of a challenge (RFC 9728 5.1). */
  readonly resourceMetadata: string | undefined;
  /** What is wrong with the metadata of the resource (RFC 9728 3.3). */
  readonly resourceProblem: string | undefined;
  readonly issuer: string | undefined;
  /** The metadata of the authorization server (RFC 8414 3.2); undefined if it was not found. */
  readonly server: Metadata | undefined;
  /** Why nothing could be found: no answer came. */
  readonly lost: string | undefined;
  /** The refusal that leads to the metadata, and the answers with the metadata of the resource and of the server. */
  readonly refused?: CheckAnswer | undefined;
  readonly resourceAnswer?: CheckAnswer | undefined;
  readonly serverAnswer?: CheckAnswer | undefined;
  /** The address of the metadata of the server. */
  readonly serverMetadata?: string | undefined;
  /** That the target accepts a token. A target that refuses everything shows nothing about its challenge. */
  readonly control?: Acceptance | undefined;
}
export type Metadata = NonNullable<ReturnType<typeof objectIn>>;

const NOTHING: Discovery = {
  resourceMetadata: undefined,
  resourceProblem: undefined,
  issuer: undefined,
  server: undefined,
  lost: undefined,
};
/** The path of an identifier is appended to the first two, and put before the third (RFC 8414 3.1, 5; RFC 9728 3). */
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';
const OPENID_PATH = '/.well-known/openid-configuration';

/** Follows a 401 of the API to the metadata of its authorization server. */
export async function discover(api: CheckApi): Promise<Discovery> {
  const [operation] = api.contract.operations;
  if (!operation) return NOTHING;
  const shows = 'a refusal leads to the metadata of the resource';
  const refused = await api.call({ operation, authorization: null, shows, wanted: 'refused' });
  const outcome = outcomeOf(refused);
  if (outcome.kind === 'lost') return { ...NOTHING, lost: outcome.why };
  const control = await controlOf(api, operation.id);
  if (!control) return { ...NOTHING, lost: 'no token is accepted, so that the refusal of none shows nothing' };
  const challenge = [refused.headers['www-authenticate'] ?? ''].flat().join(', ');
  const resourceMetadata = /\bresource_metadata="([^"]+)"/.exec(challenge)?.[1];
  const expected = api.variable('AUTHORIZATION_SERVER_ISSUER');
  const resource = resourceMetadata === undefined ? undefined : await read(api, resourceMetadata);
  if (resource?.lost !== undefined) return { ...NOTHING, resourceMetadata, lost: resource.lost };
  const { authorization_servers: listed } = resource?.json ?? {};
  const named = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
  // If the resource names several, AUTHORIZATION_SERVER_ISSUER chooses.
  const issuer = expected ?? named[0];
  const known = {
    ...NOTHING,
    refused,
    control,
    resourceAnswer: resource?.answer,
    resourceMetadata,
    resourceProblem: resource && resourceProblem(resourceMetadata ?? '', resource.json, named, expected),
    issuer,
  };
  if (issuer === undefined || !(await reachable(api, issuer))) return known;
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  for (const address of [`${origin}${SERVER_PATH}${path}`, `${origin}${path}${OPENID_PATH}`]) {
    const { json, lost, answer } = await read(api, address);
    if (lost !== undefined) return { ...known, lost };
    if (json) return { ...known, server: json, serverAnswer: answer, serverMetadata: address };
  }
  return known;
}

/** RFC 9728 3.1 and 3.3: the address of the metadata is made from the identifier of the resource. */
function resourceProblem(
  address: string,
  json: Metadata | undefined,
  named: readonly string[],
  expected: string | undefined,
): string | undefined {
  if (!json) return 'it is not a JSON object with status 200';
  const { resource } = json;
  if (typeof resource !== 'string' || !URL.canParse(resource)) return 'it does not name a resource';
  const { origin, pathname, search } = new URL(resource);
  if (`${origin}${RESOURCE_PATH}${pathname.replace(/\/$/, '')}${search}` !== address)
    return 'it names another resource than the one that its address belongs to';
  if (named.length === 0) return 'it does not name an authorization server';
  if (expected !== undefined && !named.includes(expected))
    return 'its authorization servers do not include AUTHORIZATION_SERVER_ISSUER';
  return undefined;
}

async function read(
  api: CheckApi,
  address: string,
): Promise<{ readonly json?: Metadata | undefined; readonly lost?: string; readonly answer?: CheckAnswer }> {
  if (!(await reachable(api, address))) return {};
  const answer = await api.visit({ url: new URL(address), shows: 'there is metadata here', wanted: 'either' });
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'accepted':
      return { json: objectIn(answer.text), answer };
    case 'refused':
      return { answer };
    case 'lost':
      return { lost: outcome.why };
  }
}

/**
 * Whether the check may send a request to an address that the target named: https, or http to this machine, and never to
 * an address that the target could not have meant.
 */
export async function reachable(api: CheckApi, address: string): Promise<boolean> {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return isSafe(url) && (await api.mayVisit(url));
}

/** Whether an address uses https, or http to this machine (RFC 6749 3.1 and 3.2, RFC 8252 7.3). */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
