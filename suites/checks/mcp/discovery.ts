import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { resourceBehind } from '../authorization-server/discovery.ts';
import { type Decided, inconclusive, pass, warn } from '../shared/decision.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { asItIs, tell, WHOLE, wanted } from './handshake.ts';
import { advise, messageOf, wholeServer } from './message.ts';
import { tokensOf } from './tokens.ts';

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
  const resource = await resourceBehind(api, refused);
  if (!resource) return 'the challenge has no resource_metadata';
  if (resource.lost !== undefined) return inconclusive(resource.lost);
  return resource.problem && `metadata of the resource: ${resource.problem}`;
}
