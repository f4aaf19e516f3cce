import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { scopesOf } from '../../harness/contract/holdings.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAccepted, type Observation, transportReason } from '../../harness/record/observation.ts';

/** The answer that a token with some holding got. */
interface Held {
  readonly planned: PlannedCase;
  readonly scopes: ReadonlySet<string>;
  readonly accepted: boolean;
  readonly forbidden: boolean;
  /** Why there is no answer to compare. */
  readonly lost: string | undefined;
}

/** More scopes never allow less. This holds whatever the scopes mean, so the check needs no rules. */
export const scopeOrder: Check = {
  id: 'scope-order',
  title: 'A token with more scopes is never refused what a token with fewer of them may do',
  requirements: [
    'scope.search',
    'scope.chat',
    'scope.sole',
    'user.accepted',
    'global.accepted',
    'oauth.own',
    'oauth.external',
  ],
  intrusive: true,
  async run(api) {
    const results: CheckResult[] = [];
    for (const kind of api.claims.kinds)
      for (const { id: operation } of api.contract.operations) {
        const held: Held[] = [];
        for (const planned of holdersOf(api, operation, kind)) {
          const found = await holding(api, planned);
          // If one request gets no answer after its retries, the others are not sent: each would take as long.
          if (found.lost !== undefined)
            return [...results, { ...unitOf(planned), verdict: 'inconclusive', detail: found.lost }];
          held.push(found);
        }
        if (held.length > 1) results.push(await compare(api, held));
      }
    return results;
  },
};

function holdersOf(api: CheckApi, operation: string, kind: string): PlannedCase[] {
  const { scopes } = api.contract.matrix;
  const names = ['none', ...scopes.map((s) => `only:${s}`), ...scopes.map((s) => `all-but:${s}`), 'all'];
  return names.flatMap((holding) => api.planned(operation, kind, { holding }) ?? []);
}

/** Uses the answer that the matrix got for the same request, if there is one. */
async function holding(api: CheckApi, planned: PlannedCase): Promise<Held> {
  const seen = api.seen(planned);
  return seen && transportReason(seen) === undefined ? heldBy(api, planned, seen) : ask(api, planned);
}

async function ask(api: CheckApi, planned: PlannedCase): Promise<Held> {
  const { answer } = await api.send(planned);
  return heldBy(api, planned, answer.observation);
}

function heldBy(api: CheckApi, planned: PlannedCase, observation: Observation): Held {
  const accepted = isAccepted(observation);
  const forbidden = observation.kind === 'answer' && observation.status === 403;
  const lost = transportReason(observation);
  return { planned, scopes: new Set(scopesOf(api.contract, planned.values.holding)), accepted, forbidden, lost };
}

/** Whether `more` surely holds every scope of `less` and at least one more. */
function isSubset(less: Held, more: Held): boolean {
  // A token with the holding `none` may hold a scope that covers no operation.
  if (less.planned.values.holding === 'none') return more.scopes.size > 1;
  return less.scopes.size < more.scopes.size && [...less.scopes].every((scope) => more.scopes.has(scope));
}

async function compare(api: CheckApi, held: readonly Held[]): Promise<CheckResult> {
  for (const less of held.filter(({ accepted }) => accepted))
    for (const more of held.filter(({ forbidden }) => forbidden))
      if (isSubset(less, more) && (await ask(api, more.planned)).forbidden) return blame(api, less, more);
  const largest = held.reduce((a, b) => (a.scopes.size > b.scopes.size ? a : b));
  const detail = `${held.length} sets of scopes compared: none is refused what a smaller one may do`;
  return { ...unitOf(largest.planned), verdict: 'pass', detail };
}

/** The acceptance of the smaller holding is wrong if it does not cover the operation; else the refusal of the larger. */
function blame(api: CheckApi, less: Held, more: Held): CheckResult {
  const wrong = less.planned.expectation.kind === 'refuse' ? less.planned : more.planned;
  const [smaller, larger] = [less, more].map(({ planned }) => planned.values.holding);
  return {
    ...unitOf(wrong),
    verdict: 'fail',
    detail: `a token with the holding ${smaller} is accepted, but one with ${larger}, which includes it, gets 403`,
    curl: api.curl(wrong),
  };
}

function unitOf({ values: { operation, kind }, expectation }: PlannedCase) {
  return { requirement: expectation.suspects[0]?.requirement ?? '', operation, kind };
}
