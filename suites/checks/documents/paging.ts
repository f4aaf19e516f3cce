import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { kindsToAsk } from '../shared/breadth.ts';
import { withOneScope } from '../shared/caller.ts';
import { confirm } from '../shared/confirm.ts';
import { blame, type Decided, decisionOf, fail, inconclusive, notTestable, pass } from '../shared/decision.ts';
import { baseOf } from '../shared/refusals.ts';

/** The specification names no bounds, so a target may refuse some of these, but not all (spec 2.3 and 8.4). */
const SIZES = [5, 10, 1, 50, 100] as const;

/** `pageSize`, the only optional field of search that the specification gives a type (spec 2.3). */
export async function paging(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ id }) => id === 'search');
  if (!operation) return [];
  const first = api.claims.kinds[0] ?? 'none';
  const decided = (one: Decided) => decisionOf({ api, operation, kind: first }, 'search.page-size', one);
  const searches = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
  if (searches.length === 0) return [decided(notTestable(`${first}_TOKEN`))];
  const asked = kindsToAsk(api);
  const results: CheckResult[] = [];
  // Further kinds are asked until those of each family were, and those that act as somebody, and one was accepted.
  for (const planned of searches) {
    const { kind } = planned.values;
    if (results.length > 0 && !asked.includes(kind)) continue;
    const own = api.fork();
    // A kind that is refused without pageSize shows nothing about pageSize.
    const { answer: plain } = await own.send(planned, 'a search without pageSize is accepted');
    if (!plain.accepted) continue;
    const paged = await pagedSearch(own, operation, planned, { plain });
    results.push(...paged);
    // A search without pageSize is accepted with the one scope that it needs, so that one with it is (spec 4.2).
    const sole = paged.every(({ verdict }) => verdict === 'pass') ? withOneScope(api, operation, kind) : undefined;
    const alone = sole && (await own.send(sole, SOLE)).answer;
    if (sole && alone?.accepted)
      results.push(...(await pagedSearch(own, operation, sole, { plain: alone, broken: 'scope.sole' })));
  }
  return results.length > 0 ? results : [decided(inconclusive('no search was accepted without pageSize'))];
}

const SOLE = 'a search without pageSize is accepted with the scope of search alone';

async function pagedSearch(
  api: CheckApi,
  operation: Operation,
  { credential, values: { kind } }: PlannedCase,
  { plain, broken = 'search.page-size' }: { readonly plain: CheckAnswer; readonly broken?: string },
): Promise<CheckResult[]> {
  const decided = (one: Decided, requirement = broken) => decisionOf({ api, operation, kind }, requirement, one);
  const control = await api.acceptance(plain);
  const refused: Decided[] = [];
  for (const pageSize of SIZES) {
    const body = { ...operation.example, pageSize };
    const shows = `a search with pageSize ${pageSize} is accepted like one without`;
    const { kind: found, got } = await confirm(
      () => api.call({ operation, ...baseOf(api, kind), credential, body, shows, wanted: 'accepted' }),
      (answer) => {
        if (outcomeOf(answer).kind === 'lost') return 'lost';
        return faultOf(operation, answer, plain) === undefined ? 'right' : 'wrong';
      },
    );
    const outcome = outcomeOf(got);
    if (outcome.kind === 'lost') return [decided(inconclusive(outcome.why))];
    const fault = faultOf(operation, got, plain);
    const wrong = fault && blame(found, fail(got, fault.detail));
    if (wrong && fault.isStatus) {
      if (found !== 'wrong') return [decided(wrong)];
      refused.push(wrong);
      continue;
    }
    const accepted = decided(pass(control, `a search with pageSize ${pageSize} is accepted`));
    return [accepted, ...(wrong ? [decided(wrong, `${operation.id}.response`)] : [])];
  }
  return refused.slice(0, 1).map((one) => decided(one));
}

/** What is wrong with pageSize and right without it. */
function faultOf(
  { success }: Operation,
  { observation }: CheckAnswer,
  { observation: plain }: CheckAnswer,
): { readonly isStatus: boolean; readonly detail: string } | undefined {
  if (observation.kind !== 'answer' || plain.kind !== 'answer') return undefined;
  const { status, schemaErrors: [misfit] = [] } = observation;
  if (![success.status, ...success.others, plain.status].includes(status))
    return { isStatus: true, detail: `wanted ${success.status} with pageSize, got ${status}` };
  if (misfit === undefined || (plain.schemaErrors ?? []).length > 0) return undefined;
  return { isStatus: false, detail: `with pageSize, ${misfit}` };
}
