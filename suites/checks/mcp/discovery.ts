import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { resourceBehind } from '../authorization-server/discovery.ts';
import { type Decided, decisionsOn, fail, inconclusive, pass } from '../shared/decision.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { asItIs, tell, wanted } from './handshake.ts';
import { messageOf } from './message.ts';
import { tokensOf, WHOLE } from './tokens.ts';

/** What a client finds out that knows only the address of the remote MCP server. */
export async function mcpDiscovery(api: CheckApi): Promise<readonly CheckResult[]> {
  const initialize = asItIs(messageOf(api, 'initialize'));
  for (const kind of api.claims.kinds) {
    const { full: credential } = tokensOf(api, kind);
    if (!credential) continue;
    const control = await tell(api, wanted(initialize, { what: WHOLE, credential }, kindHeaders(api, kind)));
    const acceptance = control.kind === 'accepted' ? await api.acceptance(control.answer) : undefined;
    if (!acceptance) continue;
    const shows = 'a request without a token leads to the metadata of the server';
    const { answer } = await tell(api, { ...initialize, credential: undefined, headers: [], shows, wanted: 'refused' });
    const problem = await problemOf(api, answer);
    const decided = typeof problem === 'string' ? fail(answer, problem) : (problem ?? pass(acceptance, shows));
    return decisionsOn(api, { requirement: 'mcp.challenge', operation: 'any', kind }, decided);
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
