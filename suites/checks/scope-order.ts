import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { scopesOf } from '../../harness/contract/holdings.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAccepted, type Observation, transportReason } from '../../harness/record/observation.ts';

/** What a token with some holding got. */
interface Held {
  readonly planned: PlannedCase;
  readonly scopes: ReadonlySet<string>;
  readonly accepted: boolean;
  readonly forbidden: boolean;
  /** Why there is no answer to compare. */
  readonly lost: string | undefined;
}

/** Whoever may do something may do it with more scopes too: no oracle is needed to say so. */
export const scopeOrder: Check = {
  id: 'scope-order',
  title: 'Adding a scope never turns an acceptance into 403, removing one never the reverse',
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
          // What is not answered, after its retries, speaks for all: nobody waits for each of them.
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

/** By what the matrix got for the same request where it was sent: what compares answers needs no new ones. */
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

/** Whether the one surely holds all that the other does, and more. */
function isWithin(less: Held, more: Held): boolean {
  if (less.planned.values.holding === 'none') return more.scopes.size > 1;
  return less.scopes.size < more.scopes.size && [...less.scopes].every((scope) => more.scopes.has(scope));
}

async function compare(api: CheckApi, held: readonly Held[]): Promise<CheckResult> {
  for (const less of held.filter(({ accepted }) => accepted))
    for (const more of held.filter(({ forbidden }) => forbidden))
      if (isWithin(less, more) && (await ask(api, more.planned)).forbidden) return blame(api, less, more);
  const largest = held.reduce((a, b) => (a.scopes.size > b.scopes.size ? a : b));
  const detail = `${held.length} holdings, none of which gets less than one that it includes`;
  return { ...unitOf(largest.planned), verdict: 'pass', detail };
}

/** Either the smaller holding does not cover the operation, and its acceptance is wrong, or the refusal of the larger is. */
function blame(api: CheckApi, less: Held, more: Held): CheckResult {
  const wrong = less.planned.expectation.kind === 'refuse' ? less.planned : more.planned;
  const [smaller, larger] = [less, more].map(({ planned }) => planned.values.holding);
  return {
    ...unitOf(wrong),
    verdict: 'fail',
    detail: `a token with the holding ${smaller} is accepted, one with ${larger}, which includes it, gets 403`,
    curl: api.curl(wrong),
  };
}

function unitOf({ values: { operation, kind }, expectation }: PlannedCase) {
  return { requirement: expectation.suspects[0]?.requirement ?? '', operation, kind };
}
