import type { CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { bundlesOf, type Variation } from '../variations/variation.ts';
import { kindsOfFamilies, onePerFamily, operationsToTry } from './shared/breadth.ts';
import { callerOf } from './shared/caller.ts';
import { decideEach, decisionOf, untried } from './shared/decision.ts';
import { variationsFor } from './shared/known-variations.ts';
import { acceptedWith, staysRefused } from './shared/vary.ts';

/**
 * A token belongs in the Authorization header (spec 5.1), and least of all in a query string or a body, where a log or a form
 * keeps it (RFC 6750 2.2 and 2.3).
 */
export const tokenPlaces: CheckRun = (api) =>
  decideEach(kindsOfFamilies(api), (kind) =>
    decideEach(operationsToTry(api), (operation) => decide(api, operation, kind)),
  );

/** Where a token may not stand, by the requirement that is broken there. */
const WHERE: readonly (readonly [requirement: string, places: readonly Variation['place'][]])[] = [
  ['authorization.required', ['header', 'cookie']],
  ['rfc.body-token', ['field', 'form']],
  ['rfc.query-token', ['parameter']],
];

const IN_LOGS = untried('a query string ends up in logs, so a token is sent in one on this machine only');

async function decide(api: CheckApi, operation: Operation, kind: string): Promise<readonly CheckResult[]> {
  const caller = await callerOf(api, { operation, kind });
  if (!caller) return [];
  const token = caller.base.credential?.token;
  const all = [
    ...variationsFor(api, operation, ['place'], { texts: { token } }),
    // Tokens of one family are read in the same way.
    ...(onePerFamily(api).includes(kind) ? catalogued(api, operation, token) : []),
  ];
  // RFC 6750 is about bearer tokens.
  const isKnown = (requirement: string) => !requirement.startsWith('rfc.') || api.contract.has.includes('bearer');
  const known = WHERE.filter(([requirement]) => isKnown(requirement));
  return decideEach(known, async ([requirement, places]) => {
    const there = all.filter(({ place }) => place && places.includes(place));
    if (there.length === 0)
      return requirement === 'rfc.query-token' ? [decisionOf({ api, operation, kind }, requirement, IN_LOGS)] : [];
    const what = `a request without ${api.contract.matrix.headers.authorization.name}`;
    const refusal = { ...caller.base, authorization: null, requirement, kind, what };
    // A body has one form and a query one token, so these are sent one by one.
    if (requirement !== 'authorization.required') {
      const groups = there.map((one) => ({ items: [one], evidence: caller.like }));
      return [await staysRefused(caller, refusal, { groups, refused: [] })];
    }
    // A target may refuse a token in two places, so what it refuses beside Authorization is sent without it all the same.
    const { groups, alone } = await acceptedWith(caller, bundlesOf(there));
    return [await staysRefused(caller, refusal, { groups, refused: alone })];
  });
}

/** The token under every name of a header or a cookie that is known for something else. */
function catalogued(api: CheckApi, operation: Operation, token: string | undefined): readonly Variation[] {
  if (api.breadth !== 'whole' || operation.isSlow || token === undefined) return [];
  const named = variationsFor(api, operation, ['header', 'cookie']).filter(
    ({ isAlone, isRaw, leadsElsewhere, lines }) => !(isAlone || isRaw || leadsElsewhere || lines.length > 0),
  );
  return [...new Map(named.map((one) => [`${one.kind} ${one.name.toLowerCase()}`, one])).values()].map((one) => ({
    // It stands for no row of the kind `place`, and is not counted as one.
    ...one,
    place: one.kind === 'cookie' ? 'cookie' : 'header',
    value: one.kind === 'header' && /auth.*i[sz]?ation|bearer/i.test(one.name) ? `Bearer ${token}` : token,
    how: `the token in the ${one.kind} ${one.name}`,
  }));
}
