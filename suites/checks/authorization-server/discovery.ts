import { type Acceptance, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { isLoopback } from '../../../harness/settings/parse-values.ts';
import { controlOf } from '../shared/confirm.ts';
import { objectIn } from '../shared/json-object.ts';

/** What a client finds out that knows only the address of the API. */
export interface Discovery {
  /** Why nothing could be found: no answer came. */
  readonly lost?: string;
  /** The refusal that leads to the metadata. */
  readonly refused?: CheckAnswer;
  /** That the target accepts a token. A target that refuses everything shows nothing about its challenge. */
  readonly control?: Acceptance;
  readonly resource?: Resource | undefined;
  readonly issuer?: string | undefined;
  /** The metadata of the authorization server (RFC 8414 3.2); undefined if it was not found. */
  readonly server?: Metadata;
  readonly serverAddress?: string;
  readonly serverAnswer?: CheckAnswer | undefined;
}
export type Metadata = NonNullable<ReturnType<typeof objectIn>>;

interface Read {
  readonly json?: Metadata | undefined;
  readonly answer?: CheckAnswer;
  /** Why no answer came. */
  readonly lost?: string;
}

/** The metadata of a resource, at the address in `resource_metadata` of a challenge (RFC 9728 5.1). */
interface Resource extends Read {
  readonly address: string;
  readonly servers: readonly string[];
  /** What is wrong with it (RFC 9728 3.3). */
  readonly problem: string | undefined;
}

/** The path of an identifier is appended to these, or put before the last one (RFC 8414 3.1, 5; RFC 9728 3). */
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';
const OPENID_PATH = '/.well-known/openid-configuration';

/** Follows a 401 of the API to the metadata of its authorization server. */
export async function discover(api: CheckApi): Promise<Discovery> {
  const [operation] = api.contract.operations;
  const shows = 'a refusal leads to the metadata of the resource';
  const refused = await api.call({ operation, shows, wanted: 'refused' });
  const outcome = outcomeOf(refused);
  if (outcome.kind === 'lost') return { lost: outcome.why };
  const control = await controlOf(api, operation.id);
  if (!control) return { lost: 'no token is accepted, so that the refusal of none shows nothing' };
  const expected = api.variable('AUTHORIZATION_SERVER_ISSUER');
  const resource = await resourceBehind(api, refused, addressOf(api, operation), expected);
  if (resource?.lost !== undefined) return { lost: resource.lost };
  // If the resource names several, AUTHORIZATION_SERVER_ISSUER chooses.
  const issuer = expected ?? resource?.servers[0];
  const known = { refused, control, resource, issuer };
  const { origin, pathname = '' } = (await reachable(api, issuer)) ?? {};
  if (origin === undefined) return known;
  const path = pathname.replace(/\/$/, '');
  const places = [`${SERVER_PATH}${path}`, `${OPENID_PATH}${path}`, `${path}${OPENID_PATH}`];
  for (const serverAddress of new Set(places.map((place) => `${origin}${place}`))) {
    const { json, lost, answer } = await read(api, serverAddress);
    if (lost !== undefined) return { lost };
    if (json) return { ...known, server: json, serverAddress, serverAnswer: answer };
  }
  return known;
}

/**
 * Follows a challenge to the metadata of the resource. Undefined if it names none.
 * @param asked where the refused request went.
 * @param expected an authorization server that must be among those of the resource.
 */
export async function resourceBehind(
  api: CheckApi,
  refused: CheckAnswer,
  asked: URL,
  expected?: string,
): Promise<Resource | undefined> {
  const address = challenged(refused, 'resource_metadata');
  if (address === undefined) return undefined;
  const found = await read(api, address);
  const servers = listed(found.json, 'authorization_servers');
  const named = resourceProblem(address, found.json, asked);
  const missing = servers.length === 0 ? 'it does not name an authorization server' : undefined;
  const isOther = expected !== undefined && !servers.includes(expected);
  const other = isOther ? 'its authorization servers do not include AUTHORIZATION_SERVER_ISSUER' : undefined;
  return { ...found, address, servers, problem: named ?? missing ?? other };
}

export function listed(metadata: Metadata | undefined, name: string): readonly string[] {
  const list = metadata?.[name];
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** The value of a parameter in the challenges of an answer. Its name has no case, and its value may be a token (RFC 9110 11.2). */
export function challenged({ headers }: CheckAnswer, parameter: string): string | undefined {
  const challenges = [headers['www-authenticate'] ?? []].flat().join(', ');
  const found = new RegExp(`(?:^|[\\s,])${parameter}\\s*=\\s*(?:"([^"]+)"|([^\\s,"]+))`, 'i').exec(challenges);
  return found?.[1] ?? found?.[2];
}

/** The address of an operation, or of the remote MCP server. */
export function addressOf(api: CheckApi, operation: Operation): URL {
  const elsewhere = api.contract.mcp.includes(operation) ? api.variable('MCP_URL') : undefined;
  return new URL(elsewhere ?? `${api.variable('TARGET_BASE_URL')?.replace(/\/$/, '')}${operation.path}`);
}

/** Whether the identifier of a resource is this address or begins it (RFC 9728 3.3; the path may be that of the whole server). */
export function covers(resource: unknown, asked: URL): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  return origin === asked.origin && `${asked.pathname}/`.startsWith(`${pathname.replace(/\/$/, '')}/`);
}

/** RFC 9728 3.1 and 3.3: the address of the metadata is made from the identifier of the resource, or that is what was asked. */
function resourceProblem(address: string, json: Metadata | undefined, asked: URL): string | undefined {
  if (!json) return 'it is no JSON object with status 200, at https or on this machine';
  const { resource } = json;
  if (typeof resource !== 'string' || !URL.canParse(resource)) return 'it does not name a resource';
  const { origin, pathname, search } = new URL(resource);
  const isAsked = covers(resource, asked);
  return isAsked || `${origin}${RESOURCE_PATH}${pathname.replace(/\/$/, '')}${search}` === address
    ? undefined
    : 'it names another resource than the one that its address belongs to';
}

async function read(api: CheckApi, address: string): Promise<Read> {
  const url = await reachable(api, address);
  if (!url) return {};
  const answer = await api.visit({ url, shows: 'there is metadata here', wanted: 'either' });
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return { lost: outcome.why };
  return outcome.kind === 'accepted' ? { json: objectIn(answer.text), answer } : { answer };
}

/** An address that the target named, if the check may send there: https, or http to this machine, and one that it could mean. */
export async function reachable(api: CheckApi, address: unknown): Promise<URL | undefined> {
  const url = isSafe(address) ? new URL(`${address}`) : undefined;
  return url && (await api.mayVisit(url)) ? url : undefined;
}

/** Whether an address uses https, or http to this machine (RFC 6749 3.1 and 3.2, RFC 8252 7.3). */
export function isSafe(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
