import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { type Discovery, reachable } from './discovery.ts';
import { adviseOn } from './metadata.ts';

/** Endpoints that a client posts to. They refuse a request that says nothing, but they are there (RFC 6749 3.2 and 5.2, RFC 7009 2). */
const POSTED = ['token', 'revocation', 'introspection', 'pushed_authorization_request'];

/** What clients post to is there. The check `authorization-server` reports addresses that no client may use. */
export async function endpoints(api: CheckApi, found: Discovery): Promise<CheckResult[]> {
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
    const problem = isMissing ? `a request to the ${name} got ${outcome.status}` : undefined;
    results.push(...adviseOn(api, 'endpoints', found, { shows, answer, problem }));
  }
  return results;
}
