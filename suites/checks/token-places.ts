import type { CheckApi, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Variation } from '../variations/variation.ts';
import { kindsOfFamilies, operationsToTry } from './shared/breadth.ts';
import { decideEach } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { callerOf, staysRefused } from './shared/vary.ts';

/** RFC 6750 2.2 and 2.3: a token belongs in the Authorization header, where no log and no form keeps it. */
export async function tokenPlaces(api: CheckApi): Promise<readonly CheckResult[]> {
  return decideEach(kindsOfFamilies(api), (kind) =>
    decideEach(operationsToTry(api), (operation) => decide(api, operation, kind)),
  );
}

/** Where RFC 6750 lets a token stand, if it must. The check `spellings` tries the headers and cookies. */
const WHERE: readonly (readonly [requirement: string, places: readonly Variation['place'][]])[] = [
  ['rfc.body-token', ['field', 'form']],
  ['rfc.query-token', ['parameter']],
];

async function decide(api: CheckApi, operation: Operation, kind: string): Promise<readonly CheckResult[]> {
  const caller = await callerOf(api, { operation, kind });
  if (!caller) return [];
  const all = variationsFor(api, operation, ['place']);
  // Query strings end up in logs, so only tokens that were made for this run are sent there (outcomes 6).
  const sent = WHERE.filter(([requirement]) => requirement !== 'rfc.query-token' || api.trusted);
  return decideEach(sent, async ([requirement, places]) => {
    const what = `a request without ${api.contract.matrix.headers.authorization.name}`;
    const refusal = { ...caller.base, authorization: null, requirement, kind, what };
    const there = all.filter(({ place }) => place && places.includes(place));
    const groups = there.map((one) => ({ items: [one], evidence: caller.like }));
    return [await staysRefused(caller, refusal, { groups, refused: [] })];
  });
}
