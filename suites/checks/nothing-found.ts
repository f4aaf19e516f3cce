import { outcomeOf, readIn } from '../../harness/checks/acceptance.ts';
import type { CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAnswer } from '../../harness/record/observation.ts';
import { operationsToTry } from './shared/breadth.ts';
import { confirm } from './shared/confirm.ts';
import { blame, type Decided, decisionOf, fail, inconclusive, observedRefusal, pass, warn } from './shared/decision.ts';
import { baseOf } from './shared/refusals.ts';

/** Many implementations build an empty result in a branch that the matrix may never reach, and some fail at an apostrophe or at other scripts. */
export async function nothingFound(api: CheckApi): Promise<readonly CheckResult[]> {
  const word = `qzxwvk${(api.seed >>> 0).toString(36)}`;
  const unmatched: readonly Unmatched[] = [
    { what: 'a made-up word', query: word, isStrange: false },
    {
      what: 'a made-up word, a name and other scripts',
      query: `${word} O'Brien 100 % ñandú 検索 🔎 "x" \\`,
      isStrange: true,
    },
  ];
  const results: CheckResult[] = [];
  for (const operation of operationsToTry(api)) {
    const [planned] = api.claims.kinds.flatMap((kind) => api.planned(operation.id, kind, {}) ?? []);
    if (!planned) continue;
    for (const one of unmatched) {
      const result = await decide(api, operation, planned, one);
      results.push(result);
      // What the plainer word shows, the other would show again.
      if (result.verdict !== 'pass') break;
    }
  }
  return results;
}

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
): Promise<CheckResult> {
  const body = { ...operation.example, query };
  const shows = `a ${operation.id} for ${what} has the documented body`;
  const { kind: found, got } = await confirm(
    () => api.call({ operation, ...baseOf(api, planned.values.kind), body, shows, wanted: 'accepted' }),
    (answer) => {
      const outcome = outcomeOf(answer);
      if (outcome.kind === 'refused' && (outcome.status >= 500 || !isStrange)) return 'wrong';
      if (misfitOf(operation, answer) === undefined) return 'right';
      return answer.accepted ? 'wrong' : 'unlike';
    },
  );
  const decided = (one: Decided, of = 'response') =>
    decisionOf({ api, operation, kind: planned.values.kind }, `${operation.id}.${of}`, one);
  const misfit = misfitOf(operation, got);
  if (misfit !== undefined) return decided(blame(found, fail(got, `in a ${operation.id} for ${what}, ${misfit}`)));
  const outcome = readIn(got, operation);
  switch (outcome.kind) {
    case 'lost':
      return decided(inconclusive(outcome.why));
    case 'refused': {
      const detail = `a ${operation.id} for ${what} was refused with ${outcome.status}`;
      const other = api.seen(planned) ?? (await api.send(planned, `the documented ${operation.id} is accepted`)).answer;
      const control = await api.acceptance(other);
      if (!control) return decided(inconclusive(detail));
      // The specification does not say what a query may contain. So a target may refuse a strange one, but must not fail at it.
      if (isStrange && outcome.status < 500) return decided(observedRefusal(control, detail));
      return decided(blame(found, fail(got, detail)), 'success');
    }
    case 'accepted': {
      const isDocumented = isAnswer(got.observation) && got.observation.status === operation.success.status;
      const leftOut = isDocumented ? (got.observation.leftOut ?? []) : [];
      if (leftOut.length === 0) return decided(pass(await api.acceptance(got), shows));
      const detail = `a ${operation.id} for ${what} leaves ${leftOut.join(', ')} out`;
      return decided(warn(got, detail, 'the documented body, also where a list is empty'));
    }
  }
}

/** How the body differs from the schema. The matrix judges answers with another status. */
function misfitOf({ success }: Operation, { observation }: CheckAnswer): string | undefined {
  return observation.kind === 'answer' && observation.status === success.status
    ? observation.schemaErrors?.[0]
    : undefined;
}
