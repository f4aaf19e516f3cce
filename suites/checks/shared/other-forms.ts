import { type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { type Caller, describe } from './caller.ts';
import { decisionOn, fail } from './decision.ts';
import { markerOf } from './private-documents.ts';
import { type Refusal, refusalsWithoutToken } from './refusals.ts';
import { type Base, sendVaried } from './send-varied.ts';
import { partiesOf } from './sightings.ts';
import type { Tried } from './vary.ts';

/**
 * With a variation, a target may answer in another form than the documented one, such as a list, events or CSV. A page would look
 * the same, so only the private document of the caller's own person shows that the operation ran, and then that it ran for a
 * request which must be refused.
 */
export async function refusedInOtherForms(
  caller: Caller,
  refusals: readonly Refusal[],
  { otherForms }: Pick<Tried, 'otherForms'>,
): Promise<readonly CheckResult[]> {
  const { operation, kind } = caller;
  const [parties] = partiesOf(caller.api, kind);
  if (!parties || parties.isThird || caller.api.breadth !== 'whole') return [];
  const { own } = parties;
  const all = [
    ...refusals.filter((refusal) => refusal.kind === kind),
    ...refusalsWithoutToken(caller.api, operation, kind),
  ];
  const results: CheckResult[] = [];
  // Another path may lead to another operation, which has rules of its own.
  const here = otherForms.filter(({ kind, leadsElsewhere }) => kind === 'method' || !leadsElsewhere);
  for (const one of here) {
    const api = caller.api.fork();
    const find = async (base: Base, what: string) => {
      const shows = `${what} with ${one.how} shows ${markerOf(own)}`;
      const fields = { ...operation.example, query: own.query };
      const answer = await sendVaried(api, operation, { base, variations: [one], fields, shows, wanted: 'either' });
      return showsMarker(answer, own.owner) ? answer : undefined;
    };
    if (!(await find(caller.base, `the request with the ${kind} token`))) continue;
    for (const refusal of all) {
      const found = await find(refusal, refusal.what);
      const unit = { requirement: refusal.requirement, operation: operation.id, kind: refusal.kind };
      const detail = `${refusal.what} is accepted with ${describe([one])}: its answer shows ${markerOf(own)}`;
      if (found) results.push(decisionOn(api, unit, fail(found, detail)));
    }
  }
  return results;
}
