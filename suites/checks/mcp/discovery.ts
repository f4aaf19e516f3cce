import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { reachable } from '../authorization-server/discovery.ts';
import { objectIn } from '../shared/curl-line.ts';
import { type Decided, inconclusive, pass, warn } from '../shared/decision.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { asItIs, tell, WHOLE, wanted } from './handshake.ts';
import { advise, challenged, messageOf, wholeServer } from './message.ts';
import { tokensOf } from './tokens.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** What a client finds out that knows only the address of the remote MCP server. */
export async function mcpDiscovery(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = messageOf(api, 'initialize');
  if (!operation) return [];
  for (const kind of api.claims.kinds) {
    const { full: credential } = tokensOf(api, kind);
    if (!credential) continue;
    const token = { how: WHOLE, credential };
    const control = await tell(api, wanted(asItIs(operation), token, kindHeaders(api, kind)));
    const acceptance = control.kind === 'accepted' ? await api.acceptance(control.answer) : undefined;
    if (!acceptance) continue;
    const asked = 'a request without a token leads to the metadata of the server';
    const bare = { credential: undefined, headers: [], shows: asked, wanted: 'refused' } as const;
    const refused = await tell(api, { ...asItIs(operation), ...bare });
    const problem = await problemOf(api, refused.answer);
    const decided: Decided =
      typeof problem === 'string' ? warn(refused.answer, problem) : (problem ?? pass(acceptance, asked));
    return advise(api, 'mcp.challenge', wholeServer(kind), decided);
  }
  return [];
}

/** RFC 9728 5.1 and 3.3: the challenge names metadata, and that describes the resource at whose address it is. */
async function problemOf(api: CheckApi, refused: CheckAnswer): Promise<string | Decided | undefined> {
  const outcome = outcomeOf(refused);
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  if (outcome.kind === 'accepted' || outcome.status !== 401)
    return `a request without a token gets ${outcome.status}, wanted 401`;
  const address = challenged(refused.headers['www-authenticate'], 'resource_metadata');
  if (address === undefined) return 'the challenge has no resource_metadata';
  if (!(await reachable(api, address))) return 'the address in resource_metadata uses neither https nor this machine';
  const answer = await api.visit({ url: new URL(address), shows: 'there is metadata here', wanted: 'either' });
  const visited = outcomeOf(answer);
  if (visited.kind === 'lost') return inconclusive(visited.why);
  const { resource, authorization_servers: servers } = objectIn(answer.text) ?? {};
  if (typeof resource !== 'string' || !URL.canParse(resource)) return 'the metadata names no resource';
  const { origin, pathname } = new URL(resource);
  if (`${origin}${WELL_KNOWN}${pathname.replace(/\/$/, '')}` !== address)
    return 'the metadata names another resource than the one that its address belongs to';
  return Array.isArray(servers) && servers.length > 0 ? undefined : 'the metadata names no authorization server';
}
