import { type Acceptance, outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { queryOperations } from './shared/breadth.ts';
import { confirmCase } from './shared/confirm.ts';
import { blame, type Decided, decideEach, decisionOn, inconclusive, pass } from './shared/decision.ts';
import { isOfIssued, kindHeaders, type Refusal, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';

/** What must be refused to a GLOBAL token is refused for either person (outcomes 2). The matrix acts as ACT_AS_EMAIL. */
export async function eitherPerson(api: CheckApi): Promise<readonly CheckResult[]> {
  const { user } = api.people;
  if (user === undefined) return [];
  return decideEach(
    api.claims.kinds.filter((one) => actsAs(api.contract, one)),
    (kind) =>
      decideEach(queryOperations(api.contract), (operation) =>
        refusalsActingAs(user, { api: api.spread(), operation, kind }),
      ),
  );
}

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
  for (const { requirement, kind: sender, planned } of refusalsToTry({ api, operation, kind })) {
    const decided = await decide(api.fork(), planned, control);
    if (decided) results.push(decisionOn(api, { requirement, operation: operation.id, kind: sender }, decided));
  }
  return results;
}

/**
 * What reads a token that nobody issued knows neither its kind nor, as a rule, the operation. So without the whole breadth, it
 * is tried once, and no tampered token, which is one that nobody issued.
 */
function refusalsToTry({ api, operation, kind }: Unit): readonly Refusal[] {
  const actingAsUser = refusalsOf(api, operation, kind).filter(({ acting }) => acting === 'user');
  const withoutToken = refusalsWithoutToken(api, operation, kind, 'user');
  if (api.breadth === 'whole') return [...actingAsUser, ...withoutToken];
  return [
    ...actingAsUser.filter(isOfIssued),
    ...withoutToken.filter((one) => one.kind === 'unknown' && !operation.isSlow),
  ];
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
