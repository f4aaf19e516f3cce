import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { confirm } from '../shared/confirm.ts';
import { blame, type Decided, decisionOn, fail, inconclusive, notTestable, pass } from '../shared/decision.ts';
import { kindHeaders } from '../shared/refusals.ts';

/** The specification names no bounds, so a target may refuse some of these, but not all (spec 2.3 and 8.4). */
const SIZES = [5, 10, 1, 50, 100] as const;

/** `pageSize`, the only optional field of search that the specification gives a type (spec 2.3). */
export async function paging(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ id }) => id === 'search');
  if (!operation) return [];
  const unit = { requirement: 'search.page-size', operation: operation.id, kind: api.claims.kinds[0] ?? 'none' };
  const searches = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
  if (searches.length === 0) return [decisionOn(api, unit, notTestable(`${unit.kind}_TOKEN`))];
  for (const planned of searches) {
    // A kind that is refused without pageSize shows nothing about pageSize.
    const { answer: plain } = await api.send(planned, 'a search without pageSize is accepted');
    if (plain.accepted) return pagedSearch(api, operation, planned, plain);
  }
  return [decisionOn(api, unit, inconclusive('no search was accepted without pageSize'))];
}

async function pagedSearch(
  api: CheckApi,
  operation: Operation,
  planned: PlannedCase,
  plain: CheckAnswer,
): Promise<CheckResult[]> {
  const { kind } = planned.values;
  const unit = { requirement: 'search.page-size', operation: operation.id, kind };
  const control = await api.acceptance(plain);
  let refused: Decided | undefined;
  for (const size of SIZES) {
    const found = await decide(api, operation, planned, { size, plain });
    if (found.kind === 'refused') {
      refused ??= found.decided;
      continue;
    }
    if (found.kind === 'lost') return [decisionOn(api, unit, inconclusive(found.why))];
    const accepted = decisionOn(api, unit, pass(control, `a search with pageSize ${size} is accepted`));
    const misfit = found.misfit && decisionOn(api, { ...unit, requirement: `${operation.id}.response` }, found.misfit);
    return [accepted, ...(misfit ? [misfit] : [])];
  }
  return [decisionOn(api, unit, refused ?? inconclusive('no pageSize was sent'))];
}

/** What a search with one pageSize shows. */
type Paged =
  | { readonly kind: 'accepted'; readonly misfit: Decided | undefined }
  | { readonly kind: 'refused'; readonly decided: Decided }
  | { readonly kind: 'lost'; readonly why: string };

async function decide(
  api: CheckApi,
  operation: Operation,
  { credential, values: { kind } }: PlannedCase,
  { size, plain }: { readonly size: number; readonly plain: CheckAnswer },
): Promise<Paged> {
  const headers = kindHeaders(api, kind);
  const body = { ...operation.example, pageSize: size };
  const shows = `a search with pageSize ${size} is accepted like one without`;
  const { kind: confirmed, got } = await confirm(
    () => api.call({ operation, credential, headers, body, shows, wanted: 'accepted' }),
    (answer) => {
      if (outcomeOf(answer).kind === 'lost') return 'lost';
      return faultOf(operation, answer, plain) === undefined ? 'right' : 'wrong';
    },
  );
  const outcome = outcomeOf(got);
  if (outcome.kind === 'lost') return { kind: 'lost', why: outcome.why };
  const fault = faultOf(operation, got, plain);
  const decided = fault && blame(confirmed === 'wrong' ? 'wrong' : 'fleeting', fail(got, fault.detail));
  if (decided && fault?.isStatus)
    return confirmed === 'wrong' ? { kind: 'refused', decided } : { kind: 'lost', why: decided.detail };
  return { kind: 'accepted', misfit: decided };
}

/** What is wrong with pageSize and right without it. */
function faultOf(
  { success }: Operation,
  { observation }: CheckAnswer,
  { observation: plain }: CheckAnswer,
): { readonly isStatus: boolean; readonly detail: string } | undefined {
  if (observation.kind !== 'answer' || plain.kind !== 'answer') return undefined;
  const { status, schemaErrors: [misfit] = [] } = observation;
  if (status !== success.status && status !== plain.status)
    return { isStatus: true, detail: `wanted ${success.status} with pageSize, got ${status}` };
  if (misfit === undefined || (plain.schemaErrors ?? []).length > 0) return undefined;
  return { isStatus: false, detail: `with pageSize, ${misfit}` };
}
