import type { Answered } from '../../harness/checks/acceptance.ts';
import { type Check, type CheckApi, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import { isAccepted, isAnswer } from '../../harness/record/observation.ts';
import { fail, pass } from './shared/decision.ts';
import { belongsTo, OWNERS, type Owner } from './shared/private-documents.ts';

/**
 * Reads everything that the run got until now, and sends nothing. A refusal shows no private document, not even to its owner,
 * and no answer to a case of the matrix shows that of another person.
 */
export const exposure: Check = {
  id: 'exposure',
  title: 'No refusal shows a private document, in its body or its headers',
  requirements: ['user.isolation'],
  intrusive: false,
  readsRun: true,
  async run(api) {
    const recorded = api.recorded();
    const found = recorded.find((one) => one.accepted && OWNERS.some((owner) => showsMarker(one, owner)));
    const refusals = recorded.filter(isRefused);
    const results: CheckResult[] = [];
    for (const one of recorded) {
      const owner = exposed(api, one);
      if (owner === undefined) continue;
      const what = isRefused(one) ? 'a refusal' : `the answer to ${one.case}`;
      const unit = { requirement: 'user.isolation', operation: one.operation?.id ?? 'any', kind: 'any' };
      results.push({ ...unit, ...fail(one, `${what} showed $${owner}_PRIVATE_MARKER`), steps: [one] });
    }
    // If no search found a private document, a refusal could not show one. The check `isolation` says so.
    if (results.length > 0 || !found || refusals.length === 0) return results;
    const decided = pass(await api.acceptance(found), `none of ${refusals.length} refusals showed a private document`);
    return [{ requirement: 'user.isolation', operation: 'any', kind: 'any', ...decided, steps: [found] }];
  },
};

type Recorded = ReturnType<CheckApi['recorded']>[number];

function isRefused({ observation }: Answered): boolean {
  return isAnswer(observation) && !isAccepted(observation);
}

/** Whose private document an answer shows that must not show it. */
function exposed(api: CheckApi, one: Recorded): Owner | undefined {
  const shown = OWNERS.filter((owner) => showsMarker(one, owner));
  if (isRefused(one)) return shown[0];
  const { kind = '', 'act-as': named } = api.plan.cases.get(one.case)?.values ?? {};
  if (!api.claims.kinds.includes(kind)) return undefined;
  if (actsAs(api.contract, kind)) return named === 'existing' ? shown.find((owner) => owner !== 'ACT_AS') : undefined;
  return belongsTo(api, kind) === 'user' ? shown.find((owner) => owner !== 'USER') : undefined;
}
