import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { queryOperations } from './shared/breadth.ts';
import { decisionOn, inconclusive, OWN_RECIPES } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { refusalsWithoutToken } from './shared/refusals.ts';
import { callerOf, staysRefused } from './shared/vary.ts';

/** Every request carries a token, whatever its method and however its path is written (spec 1 and 5.1, outcomes 2). */
export const sideDoors: Check = {
  id: 'side-doors',
  title: 'No other method and no other spelling of a documented path gives data without a token',
  interpreted: OWN_RECIPES,
  requirements: ['authorization.required'],
  intrusive: false,
  // Side by side: each operation may wait for an answer that never comes.
  run: (api) => Promise.all(queryOperations(api.contract).map((operation) => decide(api, operation))),
};

async function decide(api: CheckApi, operation: Operation): Promise<CheckResult> {
  const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
  const [planned] = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
  const caller = planned && (await callerOf(api, { operation, kind: planned.values.kind }));
  if (!caller) return decisionOn(api, unit, inconclusive('the plan has no request with a token'));
  const refusal = refusalsWithoutToken(api, operation, caller.kind).find(({ kind }) => kind === 'none');
  if (!refusal) return decisionOn(api, unit, inconclusive('the plan has no request without a token'));
  // A server may refuse these with a token, and answer without one.
  return staysRefused(
    caller,
    { ...refusal, headers: [] },
    { groups: [], refused: variationsFor(api, operation, ['method', 'path']) },
  );
}
