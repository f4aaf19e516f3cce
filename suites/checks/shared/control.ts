import type { Acceptance } from '../../../harness/checks/acceptance.ts';
import type { CheckApi } from '../../../harness/checks/check.ts';

/**
 * The acceptance of the documented request of one of these kinds, the first that is accepted. It is the control of
 * requests that carry no token, or one that nobody issued (outcomes 2).
 */
export async function controlOf(
  api: CheckApi,
  operation: string,
  kinds: readonly string[] = api.claims.kinds,
): Promise<Acceptance | undefined> {
  for (const kind of kinds) {
    const planned = api.planned(operation, kind, {});
    const sent = planned && (await api.send(planned, `the documented request with the ${kind} token is accepted`));
    const acceptance = sent && (await api.acceptance(sent.answer));
    if (acceptance) return acceptance;
  }
  return undefined;
}
