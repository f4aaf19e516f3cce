import type { Acceptance } from '../../harness/checks/acceptance.ts';
import type { Check, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { queryOperations } from './shared/breadth.ts';
import { confirmCase } from './shared/confirm.ts';
import { blame, type Decided, decisionOn, fail, inconclusive, pass } from './shared/decision.ts';
import { kindHeaders } from './shared/kind-headers.ts';
import { basesWithoutToken, type RefusedBase } from './shared/refused-bases.ts';

/** What must be refused to a GLOBAL token is refused for either person (outcomes 2). The matrix acts as ACT_AS_EMAIL. */
export const eitherPerson: Check = {
  id: 'either-person',
  title: 'What is refused to a GLOBAL token is refused whichever person it acts as',
  requirements: [
    'token.expired',
    'token.tampered',
    'token.unknown',
    'authorization.required',
    'scope.search',
    'scope.chat',
  ],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    const { user } = api.people;
    if (user === undefined) return results;
    for (const kind of api.claims.kinds.filter((one) => actsAs(api.contract, one)))
      for (const operation of queryOperations(api.contract))
        results.push(...(await refusalsActingAs(user, { api: api.fork(), operation, kind })));
    return results;
  },
};

interface Unit {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly kind: string;
}

async function refusalsActingAs(user: string, { api, operation, kind }: Unit): Promise<CheckResult[]> {
  const credential = api.full(kind);
  if (!credential) return [];
  const headers = kindHeaders(api, kind, user);
  const shows = `${operation.id} with the ${kind} token that acts as $USER_EMAIL is accepted`;
  const accepted = await api.callOnce({ operation, credential, headers, shows, wanted: 'accepted' }, 'any body');
  const control = await api.acceptance(accepted);
  const results: CheckResult[] = [];
  for (const planned of refusalsOf({ api, operation, kind })) {
    const requirement = planned.expectation.suspects[0]?.requirement ?? '';
    const decided = await decide(api.fork(), planned, control);
    if (decided) results.push(decisionOn(api, { requirement, operation: operation.id, kind }, decided));
  }
  for (const base of withoutToken(api, operation, basesWithoutToken(api, kind, user))) {
    const unit = { requirement: base.requirement, operation: operation.id, kind: base.kind };
    results.push(decisionOn(api, unit, await decideWithoutToken(api, { operation, base, control })));
  }
  return results;
}

/** What reads a token that nobody issued knows neither its kind nor, as a rule, the operation. */
const withoutToken = ({ breadth }: CheckApi, { isSlow }: Operation, bases: readonly RefusedBase[]) =>
  breadth === 'whole' ? bases : bases.filter(({ kind }) => kind === 'unknown' && !isSlow);

/**
 * The refusals of the plan that are about the token alone. Without the whole breadth, one of each requirement, and no tampered
 * token: it is one that nobody issued.
 */
function refusalsOf({ api, operation, kind }: Unit): readonly PlannedCase[] {
  // A depth may send a token beside other values only. Here it is the only thing that is wrong.
  const alone = [...api.plan.cases.values()].flatMap(({ values }) => {
    const { validity, holding } = values;
    return values.kind === kind ? (api.planned(operation.id, kind, { validity, holding }) ?? []) : [];
  });
  const all = [...new Map(alone.map((planned) => [planned.id, planned])).values()].filter(
    ({ credential, expectation: { kind: expected, suspects } }) =>
      credential !== undefined &&
      expected === 'refuse' &&
      new Set(suspects.map(({ requirement }) => requirement)).size === 1,
  );
  const requirementOf = ({ expectation }: PlannedCase) => expectation.suspects[0]?.requirement;
  const isFirst = (one: PlannedCase) => all.find((other) => requirementOf(other) === requirementOf(one)) === one;
  return api.breadth === 'whole' ? all : all.filter((one) => isFirst(one) && one.values.validity !== 'tampered');
}

async function decide(
  api: CheckApi,
  planned: PlannedCase,
  control: Acceptance | undefined,
): Promise<Decided | undefined> {
  const what = `${planned.id}, acting as $USER_EMAIL`;
  const found = await confirmCase(() => api.send(planned, `${what}, is refused`, 'user'));
  if (found.kind === 'lost') return inconclusive(found.why);
  // A target that refuses this person anyhow may refuse the request for that reason.
  const isRefusedAnyhow = !control && found.kind !== 'right' && outcomeOf(found.answer).kind === 'refused';
  if (found.kind === 'right' || isRefusedAnyhow) return pass(control, `${what}, is refused`);
  // The matrix blames a case that misses for either person.
  const other = await api.send(planned, `${planned.id} is refused`);
  if (other.judgement?.kind === 'miss') return undefined;
  const { suspects, wanted, got } = found.miss;
  const verdict = suspects.every(({ level }) => level === 'must') ? 'fail' : 'warn';
  const detail = `${what}: wanted ${wanted}, got ${got}; as $ACT_AS_EMAIL, it is refused`;
  return blame(found.kind, { verdict, broke: found.answer, detail, wanted, got });
}

interface WithoutToken {
  readonly operation: Operation;
  readonly base: RefusedBase;
  readonly control: Acceptance | undefined;
}

async function decideWithoutToken(api: CheckApi, { operation, base, control }: WithoutToken): Promise<Decided> {
  const { what, kind: _kind, requirement: _requirement, ...request } = base;
  const shows = `${what} that names $USER_EMAIL is refused`;
  const answer = await api.call({ ...request, operation, shows, wanted: 'refused' });
  const outcome = outcomeOf(answer);
  switch (outcome.kind) {
    case 'lost':
      return inconclusive(outcome.why);
    case 'accepted':
      return fail(answer, `${what} that names $USER_EMAIL got ${outcome.status}`);
    case 'refused':
      return pass(control, shows);
  }
}
