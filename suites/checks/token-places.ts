import type { Answered } from '../../harness/checks/acceptance.ts';
import type { Call, Check, CheckApi } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { kindsOfFamilies, operationsToTry } from './shared/breadth.ts';
import { type Decided, decisionOn, inconclusive, observed, pass, warn } from './shared/decision.ts';
import { kindHeaders } from './shared/kind-headers.ts';

/** RFC 6750 2.2 and 2.3: a token belongs in the Authorization header, where no log and no form keeps it. */
export const tokenPlaces: Check = {
  id: 'token-places',
  title: 'A token in the query string or in the body is not accepted',
  requirements: ['rfc.query-token', 'rfc.body-token'],
  onlyTrusted: ['rfc.query-token'],
  intrusive: false,
  async run(parent) {
    const results = [];
    for (const kind of kindsOfFamilies(parent))
      for (const operation of operationsToTry(parent)) {
        const planned = parent.planned(operation.id, kind, {});
        if (!planned?.credential) continue;
        const { credential } = planned;
        const shows = `the ${kind} token is accepted in the Authorization header`;
        const control = parent.seen(planned) ?? (await parent.send(planned, shows)).answer;
        const caller = { operation, control, headers: kindHeaders(parent, kind) };
        for (const [requirement, places] of Object.entries(placesFor(parent, operation, credential))) {
          const api = parent.fork();
          const decided = await decide(api, { ...caller, credential }, places);
          results.push(decisionOn(api, { requirement, operation: operation.id, kind }, decided));
        }
      }
    return results;
  },
};

interface Place {
  readonly what: string;
  readonly call: Pick<Call, 'query' | 'body' | 'type'>;
}

function placesFor(
  api: CheckApi,
  { example }: Operation,
  { token }: Credential,
): Readonly<Record<string, readonly Place[]>> {
  const parameter = `access_token=${encodeURIComponent(token)}`;
  const form = new URLSearchParams({ ...example, access_token: token });
  return {
    'rfc.body-token': [
      { what: 'a token in the JSON body', call: { body: { ...example, access_token: token } } },
      { what: 'a token in the body of a form', call: { body: form, type: 'application/x-www-form-urlencoded' } },
    ],
    // Query strings end up in logs, so only tokens that were made for this run are sent there (outcomes 6).
    ...(api.trusted && {
      'rfc.query-token': [{ what: 'a token in the query string', call: { query: `?${parameter}` } }],
    }),
  };
}

interface Caller extends Required<Pick<Call, 'operation' | 'headers'>> {
  readonly control: Answered;
  readonly credential: Credential;
}

async function decide(
  api: CheckApi,
  { control, credential, operation, headers }: Caller,
  places: readonly Place[],
): Promise<Decided> {
  const acceptance = await api.acceptance(control);
  if (!acceptance) return inconclusive('the token is not accepted in the Authorization header either');
  const none = { operation, headers, authorization: null, wanted: 'refused' } as const;
  let lost: string | undefined;
  for (const { what, call } of places) {
    const answer = await api.call({ ...none, ...call, credential, shows: `${what} is refused` });
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') lost = outcome.why;
    if (outcome.kind !== 'accepted') continue;
    // A target that accepts requests without a token breaks another requirement, and shows nothing about this one.
    const without = outcomeOf(await api.call({ ...none, shows: 'a request without any token is refused' }));
    switch (without.kind) {
      case 'accepted':
        return observed('a request without any token is accepted too');
      case 'refused':
        return warn(answer, `${what} is accepted`);
      case 'lost':
        return inconclusive(without.why);
    }
  }
  if (lost !== undefined) return inconclusive(lost);
  return pass(acceptance, `${places.map(({ what }) => what).join(', and ')} is refused`);
}
