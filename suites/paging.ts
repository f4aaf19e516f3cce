import type { Check, CheckApi, CheckResult } from '../harness/check.ts';
import type { Operation } from '../harness/operations.ts';
import type { PlannedCase } from '../harness/plan.ts';
import { kindHeaders } from './kind-headers.ts';

/** The one optional field of search that the specification types. */
export const paging: Check = {
  id: 'paging',
  title: 'A search with an integer pageSize succeeds like any other',
  requirements: ['search.page-size', 'search.response'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'search');
    const candidates = operation ? api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []) : [];
    for (const planned of operation ? candidates : []) {
      // A kind that is not accepted without pageSize says nothing about it.
      const plain = await api.send(planned);
      if (operation && plain.judgement?.kind === 'pass') return decide(api, operation, planned);
    }
    return operation
      ? [
          {
            requirement: 'search.page-size',
            operation: operation.id,
            kind: api.claims.kinds[0] ?? 'none',
            verdict: 'inconclusive',
            detail: 'no search was accepted without pageSize',
          },
        ]
      : [];
  },
};

async function decide(api: CheckApi, operation: Operation, planned: PlannedCase): Promise<CheckResult[]> {
  const { observation } = await api.call({
    operation,
    credential: planned.credential,
    headers: kindHeaders(api, planned.values.kind),
    body: { ...operation.example, pageSize: 5 },
  });
  const unit = { requirement: 'search.page-size', operation: operation.id, kind: planned.values.kind };
  if (observation.kind === 'failure') return [{ ...unit, verdict: 'inconclusive', detail: observation.detail }];
  const { status, schemaErrors = [] } = observation;
  if (status !== operation.success.status)
    return [{ ...unit, verdict: 'fail', detail: `wanted ${operation.success.status} with pageSize 5, got ${status}` }];
  const results: CheckResult[] = [{ ...unit, verdict: 'pass', detail: `pageSize 5: ${status}` }];
  if (schemaErrors.length > 0)
    results.push({
      ...unit,
      requirement: `${operation.id}.response`,
      verdict: 'fail',
      detail: `with pageSize 5, ${schemaErrors[0]}`,
    });
  return results;
}
