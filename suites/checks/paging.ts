import {
  type Check,
  type CheckAnswer,
  type CheckApi,
  type CheckResult,
  showsMarker,
} from '../../harness/checks/check.ts';
import { outcomeOf, readIn } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { confirmed } from './parts/ask-again.ts';
import { blamed, lacking } from './parts/decision.ts';
import { kindHeaders } from './parts/kind-headers.ts';
import { privatePeople } from './parts/private-documents.ts';

/** The one optional field of search that the specification types. */
export const paging: Check = {
  id: 'paging',
  title: 'A search with an integer pageSize succeeds like any other, and finds no more',
  requirements: ['search.page-size', 'search.response', 'user.isolation', 'act-as.effective'],
  intrusive: false,
  async run(api) {
    const operation = api.contract.operations.find(({ id }) => id === 'search');
    if (!operation) return [];
    const unit = { requirement: 'search.page-size', operation: operation.id, kind: api.claims.kinds[0] ?? 'none' };
    const able = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
    if (able.length === 0) return [{ ...unit, ...lacking(`${unit.kind}_TOKEN`) }];
    for (const planned of able) {
      // A kind that is not accepted without pageSize says nothing about it; what else is wrong with it is no matter.
      const { answer: plain } = await api.send(planned);
      if (!plain.accepted) continue;
      const found = await decide(api, operation, planned, plain);
      const isTaken = found.some(
        ({ requirement, verdict }) => requirement === 'search.page-size' && verdict === 'pass',
      );
      return isTaken ? [...found, ...(await overlook(api, operation, planned))] : found;
    }
    return [{ ...unit, verdict: 'inconclusive', detail: 'no search was accepted without pageSize' }];
  },
};

async function decide(
  api: CheckApi,
  operation: Operation,
  { credential, values: { kind } }: PlannedCase,
  plain: CheckAnswer,
): Promise<CheckResult[]> {
  const headers = kindHeaders(api, kind);
  const body = { ...operation.example, pageSize: 5 };
  const unit = { requirement: 'search.page-size', operation: operation.id, kind };
  const found = await confirmed(
    () => api.call({ operation, credential, headers, body }),
    (answer) => {
      if (outcomeOf(answer).kind === 'lost') return 'lost';
      return faultOf(operation, answer, plain) === undefined ? 'right' : 'wrong';
    },
  );
  const outcome = outcomeOf(found.got);
  if (outcome.kind === 'lost') return [{ ...unit, verdict: 'inconclusive', detail: outcome.why }];
  const fault = faultOf(operation, found.got, plain);
  const passed: CheckResult = { ...unit, verdict: 'pass', detail: `pageSize 5: ${outcome.status}` };
  if (fault === undefined) return [passed];
  const amiss: CheckResult = {
    ...unit,
    ...fault,
    ...blamed(found.kind === 'wrong' ? 'wrong' : 'fleeting', fault.detail),
  };
  return fault.requirement === unit.requirement ? [amiss] : [passed, amiss];
}

/** Another person's private document stays unseen however many are asked for. */
async function overlook(
  api: CheckApi,
  operation: Operation,
  { credential, values: { kind } }: PlannedCase,
): Promise<CheckResult[]> {
  const people = privatePeople(api);
  if (people.kind === 'missing') return [];
  const isOneself = !actsAs(api.contract, kind);
  const other = isOneself ? people.ACT_AS : people.USER;
  const requirement = isOneself ? 'user.isolation' : 'act-as.effective';
  const body = { ...operation.example, query: other.query, pageSize: 5 };
  const answer = await api.call({ operation, credential, headers: kindHeaders(api, kind), body });
  const outcome = readIn(answer, operation);
  const unit = { requirement, operation: operation.id, kind };
  if (showsMarker(answer, other.owner))
    return [{ ...unit, verdict: 'fail', detail: `with pageSize 5 it saw the private marker of ${other.owner}` }];
  switch (outcome.kind) {
    case 'lost':
      return [{ ...unit, verdict: 'inconclusive', detail: outcome.why }];
    case 'refused':
      return [{ ...unit, verdict: 'inconclusive', detail: `a search with pageSize 5 got ${outcome.status}` }];
    case 'accepted':
      return [{ ...unit, verdict: 'pass', detail: 'with pageSize 5 it saw nothing private of another person' }];
  }
}

/** What is wrong with pageSize and not without it. */
function faultOf(
  { id, success }: Operation,
  { observation }: CheckAnswer,
  { observation: plain }: CheckAnswer,
): Pick<CheckResult, 'requirement' | 'detail'> | undefined {
  if (observation.kind !== 'answer' || plain.kind !== 'answer') return undefined;
  const { status, schemaErrors: [misfit] = [] } = observation;
  if (status !== success.status && status !== plain.status)
    return { requirement: 'search.page-size', detail: `wanted ${success.status} with pageSize 5, got ${status}` };
  if (misfit === undefined || (plain.schemaErrors ?? []).length > 0) return undefined;
  return { requirement: `${id}.response`, detail: `with pageSize 5, ${misfit}` };
}
