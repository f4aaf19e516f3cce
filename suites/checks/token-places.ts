import { type Answered, outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Variation } from '../variations/variation.ts';
import { kindsOfFamilies, operationsToTry } from './shared/breadth.ts';
import { type Decided, decisionOn, inconclusive, observed, pass, warn } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { kindHeaders } from './shared/refusals.ts';
import { type Base, sendVaried } from './shared/send-varied.ts';

/** RFC 6750 2.2 and 2.3: a token belongs in the Authorization header, where no log and no form keeps it. */
export async function tokenPlaces(parent: CheckApi): Promise<readonly CheckResult[]> {
  const results = [];
  for (const kind of kindsOfFamilies(parent))
    for (const operation of operationsToTry(parent)) {
      const planned = parent.planned(operation.id, kind, {});
      if (!planned?.credential) continue;
      const { credential } = planned;
      const shows = `the ${kind} token is accepted in the Authorization header`;
      const control = parent.seen(planned) ?? (await parent.send(planned, shows)).answer;
      const base = { credential, authorization: null, headers: kindHeaders(parent, kind) };
      const all = variationsFor(parent, operation, ['place']);
      for (const [requirement, where] of Object.entries(WHERE)) {
        // Query strings end up in logs, so only tokens that were made for this run are sent there (outcomes 6).
        if (requirement === 'rfc.query-token' && !parent.trusted) continue;
        const places = all.filter(({ place }) => place && where.includes(place));
        const api = parent.fork();
        const decided = await decide(api, { operation, control, base }, places);
        const varied = { law: 'refusal', with: places } as const;
        results.push({ ...decisionOn(api, { requirement, operation: operation.id, kind }, decided), varied });
      }
    }
  return results;
}

/** Where RFC 6750 lets a token stand, if it must. The check `spellings` tries the headers and cookies. */
const WHERE: Readonly<Record<string, readonly Variation['place'][]>> = {
  'rfc.body-token': ['field', 'form'],
  'rfc.query-token': ['parameter'],
};

interface Caller {
  readonly operation: Operation;
  readonly control: Answered;
  readonly base: Base;
}

async function decide(
  api: CheckApi,
  { operation, control, base }: Caller,
  places: readonly Variation[],
): Promise<Decided> {
  const acceptance = await api.acceptance(control);
  if (!acceptance) return inconclusive('the token is not accepted in the Authorization header either');
  const send = (variations: readonly Variation[], what: string) =>
    sendVaried(api, operation, { base, variations, shows: `${what} is refused`, wanted: 'refused' });
  let lost: string | undefined;
  for (const place of places) {
    const answer = await send([place], place.how);
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') lost = outcome.why;
    if (outcome.kind !== 'accepted') continue;
    // A target that accepts requests without a token breaks another requirement, and shows nothing about this one.
    const without = outcomeOf(await send([], 'a request without any token'));
    switch (without.kind) {
      case 'accepted':
        return observed('a request without any token is accepted too');
      case 'refused':
        return warn(answer, `${place.how} is accepted`);
      case 'lost':
        return inconclusive(without.why);
    }
  }
  if (lost !== undefined) return inconclusive(lost);
  return pass(acceptance, `${places.map(({ how }) => how).join(', and ')} is refused`);
}
