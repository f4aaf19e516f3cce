import { outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { callerOf } from './shared/caller.ts';
import { confirm } from './shared/confirm.ts';
import { type Decided, decideEach, decisionOf, fail, inconclusive, pass } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { sendVaried } from './shared/send-varied.ts';
import { isServed } from './shared/served.ts';

/** A request gets the same outcome in every form that HTTP calls equal, and over every connection. */
export function presentation(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  return decideEach(api.claims.kinds, (kind) => decide(api, operation, kind));
}

async function decide(api: CheckApi, operation: Operation, kind: string): Promise<readonly CheckResult[]> {
  const [requirement] = api.planned(operation.id, kind, {})?.expectation.suspects.map((one) => one.requirement) ?? [];
  const caller = requirement === undefined ? undefined : await callerOf(api, { operation, kind });
  if (!caller || requirement === undefined) return [];
  const forms = variationsFor(api, operation, ['transport']).filter(({ isEqual }) => isEqual);
  const decided = (of: string, one: Decided) => decisionOf(caller, of, one, { law: 'acceptance', with: forms });
  const { control } = caller;
  // A contract whose token is in the query may have no header of its own.
  const hasCase = api.contract.requirements.some(({ id, excluded }) => id === 'headers.case' && excluded === undefined);
  if (!control) return [decided(requirement, inconclusive('the documented request was not accepted'))];
  for (const form of forms) {
    const shows = `the request with the ${kind} token is accepted with ${form.how}`;
    const { api: own, base, like } = caller;
    // The form is not the reason if the wrong answer does not come again.
    const { kind: found, got } = await confirm(
      () => sendVaried(own, operation, { base, variations: [form], shows, wanted: 'accepted' }),
      (answer) => {
        if (outcomeOf(answer).kind === 'lost') return 'lost';
        return isServed(answer, like) ? 'right' : 'wrong';
      },
    );
    const outcome = outcomeOf(got);
    // After a request without an answer, the others would wait as long.
    if (outcome.kind === 'lost') return [decided(requirement, inconclusive(`with ${form.how}: ${outcome.why}`))];
    if (found !== 'wrong' || outcome.kind === 'accepted') continue;
    const detail = `the documented request with the ${kind} token is accepted, but gets ${outcome.status} with ${form.how}`;
    const isCase = hasCase && form.name.startsWith('header-names-');
    return [decided(isCase ? 'headers.case' : requirement, fail(got, detail))];
  }
  const same = pass(control, `accepted in ${forms.length} other forms, too`);
  return [requirement, ...(hasCase ? ['headers.case'] : [])].map((of) => decided(of, same));
}
