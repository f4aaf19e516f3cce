import { outcomeOf, readIn } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAnswer } from '../../harness/record/observation.ts';
import { confirm } from './shared/confirm.ts';
import { blame, type Decided, decisionOn, fail, inconclusive, observedRefusal, pass, warn } from './shared/decision.ts';
import { kindHeaders } from './shared/refusals.ts';

/** Many implementations build an empty result in a separate branch, which the searches of the matrix may never reach. */
export async function nothingFound(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ id }) => id === 'search');
  const [planned] = operation ? api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []) : [];
  if (!operation || !planned) return [];
  const word = `qzxwvk${(api.seed >>> 0).toString(36)}`;
  const unmatched: readonly Unmatched[] = [
    { what: 'a made-up word', query: word, isStrange: false },
    { what: 'a made-up word in other scripts', query: `${word} ñandú 検索 🔎 "x" \\`, isStrange: true },
  ];
  const results: CheckResult[] = [];
  for (const one of unmatched) {
    const { requirement, decided } = await decide(api, operation, planned, one);
    results.push(decisionOn(api, { requirement, operation: operation.id, kind: planned.values.kind }, decided));
    // What the plainer word shows, the other would show again.
    if (decided.verdict !== 'pass') break;
  }
  return results;
}

/** A query that finds nothing. */
interface Unmatched {
  readonly what: string;
  readonly query: string;
  readonly isStrange: boolean;
}

async function decide(
  api: CheckApi,
  operation: Operation,
  planned: PlannedCase,
  { what, query, isStrange }: Unmatched,
): Promise<{ readonly requirement: string; readonly decided: Decided }> {
  const headers = kindHeaders(api, planned.values.kind);
  const body = { ...operation.example, query };
  const shows = `a ${operation.id} for ${what} has the documented body`;
  const { credential } = planned;
  const { kind, got } = await confirm(
    () => api.call({ operation, credential, headers, body, shows, wanted: 'accepted' }),
    (answer) => {
      const outcome = outcomeOf(answer);
      if (outcome.kind === 'refused' && (outcome.status >= 500 || !isStrange)) return 'wrong';
      if (misfitOf(operation, answer) === undefined) return 'right';
      return answer.accepted ? 'wrong' : 'unlike';
    },
  );
  const response = `${operation.id}.response`;
  const blamed = (decided: Decided) => blame(kind === 'wrong' ? 'wrong' : 'fleeting', decided);
  const misfit = misfitOf(operation, got);
  if (misfit !== undefined)
    return { requirement: response, decided: blamed(fail(got, `in a search for ${what}, ${misfit}`)) };
  const outcome = readIn(got, operation);
  switch (outcome.kind) {
    case 'lost':
      return { requirement: response, decided: inconclusive(outcome.why) };
    case 'refused': {
      const detail = `a search for ${what} was refused with ${outcome.status}`;
      const other = api.seen(planned) ?? (await api.send(planned, 'the documented search is accepted')).answer;
      const control = await api.acceptance(other);
      if (!control) return { requirement: response, decided: inconclusive(detail) };
      // The specification does not say what a query may contain. So a target may refuse a strange one, but must not fail at it.
      if (isStrange && outcome.status < 500)
        return { requirement: response, decided: observedRefusal(control, detail) };
      return { requirement: `${operation.id}.success`, decided: blamed(fail(got, detail)) };
    }
    case 'accepted': {
      const isDocumented = isAnswer(got.observation) && got.observation.status === operation.success.status;
      const leftOut = isDocumented ? (got.observation.leftOut ?? []) : [];
      if (leftOut.length > 0) {
        const detail = `a search for ${what} leaves ${leftOut.join(', ')} out`;
        return { requirement: response, decided: warn(got, detail, 'the documented body, also where a list is empty') };
      }
      return {
        requirement: response,
        decided: pass(await api.acceptance(got), `a search for ${what} has the documented body`),
      };
    }
  }
}
/** How the body differs from the schema. The matrix judges answers with another status. */
function misfitOf({ success }: Operation, { observation }: CheckAnswer): string | undefined {
  return observation.kind === 'answer' && observation.status === success.status
    ? observation.schemaErrors?.[0]
    : undefined;
}
