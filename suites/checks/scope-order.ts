import { type Answered, outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { scopesOf } from '../../harness/contract/holdings.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAnswer } from '../../harness/record/observation.ts';
import { decisionOn, fail, inconclusive, observed, pass } from './shared/decision.ts';

/** The answer that a token with some holding got. */
interface Held {
  readonly planned: PlannedCase;
  readonly answer: Answered;
}

/** More scopes never allow less. This holds whatever the scopes mean, so the check needs no rules. */
export async function scopeOrder(api: CheckApi): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const kind of api.claims.kinds)
    for (const { id: operation } of api.contract.operations) {
      const own = api.fork();
      const held: Held[] = [];
      for (const planned of holdersOf(own, operation, kind)) {
        // The matrix may have got an answer to the same request.
        const seen = own.seen(planned);
        const found = seen && outcomeOf(seen).kind !== 'lost' ? { planned, answer: seen } : await ask(own, planned);
        const outcome = outcomeOf(found.answer);
        // If one request gets no answer after its retries, the others are not sent: each would take as long.
        if (outcome.kind === 'lost') return [...results, decisionOn(own, unitOf(planned), inconclusive(outcome.why))];
        held.push(found);
      }
      if (held.length > 1) results.push(await compare(own, held));
    }
  return results;
}

function holdersOf(api: CheckApi, operation: string, kind: string): PlannedCase[] {
  const { scopes } = api.contract.matrix;
  const names = ['none', ...scopes.map((s) => `only:${s}`), ...scopes.map((s) => `all-but:${s}`), 'all'];
  return names.flatMap((holding) => api.planned(operation, kind, { holding }) ?? []);
}

async function ask(api: CheckApi, planned: PlannedCase): Promise<Held> {
  return { planned, ...(await api.send(planned, `${planned.id} is compared with other sets of scopes`)) };
}

const isForbidden = ({ answer }: Held) => isAnswer(answer.observation) && answer.observation.status === 403;

async function compare(api: CheckApi, held: readonly Held[]): Promise<CheckResult> {
  const scopesIn = ({ planned }: Held) => new Set(scopesOf(api.contract, planned.values.holding));
  /** Whether `more` surely holds every scope of `less` and at least one more. */
  const isSubset = (less: Held, more: Held) => {
    const [fewer, all] = [scopesIn(less), scopesIn(more)];
    // A token with the holding `none` may hold a scope that covers no operation.
    if (less.planned.values.holding === 'none') return all.size > 1;
    return fewer.size < all.size && [...fewer].every((scope) => all.has(scope));
  };
  const accepted = held.filter(({ answer }) => answer.accepted);
  for (const less of accepted)
    for (const more of held.filter(isForbidden))
      if (isSubset(less, more)) {
        // What a refusal leaves behind on its connection is no matter of scopes.
        const again = await ask(api.connect(), more.planned);
        if (isForbidden(again)) return blame(api, less, again);
      }
  const compared = accepted.find((less) => accepted.some((more) => isSubset(less, more)));
  const largest = held.reduce((a, b) => (scopesIn(a).size > scopesIn(b).size ? a : b));
  const unit = unitOf(largest.planned);
  if (!compared) return decisionOn(api, unit, observed('no two sets of scopes, one in the other, are accepted'));
  const detail = `${held.length} sets of scopes compared: none is refused what a smaller one may do`;
  return decisionOn(api, unit, pass(await api.acceptance(compared.answer), detail));
}

/** The acceptance of the smaller holding is wrong if it does not cover the operation; else the refusal of the larger. */
function blame(api: CheckApi, less: Held, more: Held): CheckResult {
  const { planned, answer } = less.planned.expectation.kind === 'refuse' ? less : more;
  const [smaller, larger] = [less, more].map((held) => held.planned.values.holding);
  const detail = `a token with the holding ${smaller} is accepted, but one with ${larger}, which includes it, gets 403`;
  return decisionOn(api, unitOf(planned), fail(answer, detail));
}

function unitOf({ values: { operation, kind }, expectation }: PlannedCase) {
  return { requirement: expectation.suspects[0]?.requirement ?? '', operation, kind };
}
