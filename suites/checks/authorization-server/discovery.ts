import type { CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { isLoopback } from '../../../harness/settings/loopback.ts';

/** How far a client comes that knows nothing but the address of the API, and what it learns there. */
export interface Discovery {
  /** What `resource_metadata` of a challenge says (RFC 9728 5.1). */
  readonly resourceMetadata: string | undefined;
  /** How the resource's own metadata is wrong (RFC 9728 3.3). */
  readonly resourceProblem: string | undefined;
  readonly issuer: string | undefined;
  /** Of the authorization server (RFC 8414 3.2); undefined where none was found. */
  readonly server: Metadata | undefined;
  /** Why nothing can be said: no answer came. */
  readonly lost: string | undefined;
}
export type Metadata = Readonly<Record<string, unknown>>;

const NOTHING: Discovery = {
  resourceMetadata: undefined,
  resourceProblem: undefined,
  issuer: undefined,
  server: undefined,
  lost: undefined,
};
/** RFC 8414 3 and 3.1, RFC 9728 3: where the path of an identifier goes behind. */
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';
const OPENID_PATH = '/.well-known/openid-configuration';

/** From a 401 of the API to the metadata of its authorization server. */
export async function discover(api: CheckApi): Promise<Discovery> {
  const [operation] = api.contract.operations;
  if (!operation) return NOTHING;
  const refused = await api.call({ operation, authorization: null });
  const outcome = outcomeOf(refused);
  if (outcome.kind === 'lost') return { ...NOTHING, lost: outcome.why };
  const challenge = [refused.headers['www-authenticate'] ?? ''].flat().join(', ');
  const resourceMetadata = /\bresource_metadata="([^"]+)"/.exec(challenge)?.[1];
  const expected = api.variable('AUTHORIZATION_SERVER_ISSUER');
  const resource = resourceMetadata === undefined ? undefined : await read(api, resourceMetadata);
  if (resource?.lost !== undefined) return { ...NOTHING, resourceMetadata, lost: resource.lost };
  const { authorization_servers: listed } = resource?.json ?? {};
  const named = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
  // Where several are named, the one that is claimed is looked at.
  const issuer = expected ?? named[0];
  const known = {
    ...NOTHING,
    resourceMetadata,
    resourceProblem: resource && resourceProblem(resourceMetadata ?? '', resource.json, named, expected),
    issuer,
  };
  if (issuer === undefined || !reachable(api, issuer)) return known;
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  for (const address of [`${origin}${SERVER_PATH}${path}`, `${origin}${path}${OPENID_PATH}`]) {
    const { json, lost } = await read(api, address);
    if (lost !== undefined) return { ...known, lost };
    if (json) return { ...known, server: json };
  }
  return known;
}

/** RFC 9728 3.1 and 3.3: the metadata is of the resource from whose identifier its address is made. */
function resourceProblem(
  address: string,
  json: Metadata | undefined,
  named: readonly string[],
  expected: string | undefined,
): string | undefined {
  if (!json) return 'it is no JSON object with status 200';
  const { resource } = json;
  if (typeof resource !== 'string' || !URL.canParse(resource)) return 'it names no resource';
  const { origin, pathname, search } = new URL(resource);
  if (`${origin}${RESOURCE_PATH}${pathname.replace(/\/$/, '')}${search}` !== address)
    return 'it is of another resource than its address says';
  if (named.length === 0) return 'it names no authorization server';
  if (expected !== undefined && !named.includes(expected))
    return 'its authorization servers are others than AUTHORIZATION_SERVER_ISSUER';
  return undefined;
}

async function read(
  api: CheckApi,
  address: string,
): Promise<{ readonly json?: Metadata | undefined; readonly lost?: string }> {
  if (!reachable(api, address)) return {};
  const answer = await api.visit(new URL(address));
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'accepted':
      return { json: objectIn(answer.text) };
    case 'refused':
      return {};
    case 'lost':
      return { lost: outcome.why };
  }
}

/** Nobody is led by a target to plain http elsewhere, nor by one elsewhere to this machine. */
export function reachable(api: CheckApi, address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const local = isLoopback(new URL(api.variable('TARGET_BASE_URL') ?? '').hostname);
  return url !== undefined && (url.protocol === 'https:' ? local || !isLoopback(url.hostname) : local && isSafe(url));
}

/** RFC 6749 3.1 and 3.2, RFC 8252 7.3: https, or this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

export function objectIn(text: CheckAnswer['text']): Metadata | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
