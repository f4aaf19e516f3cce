import type { Check, CheckApi, CheckResult } from '../harness/check.ts';
import type { Operation } from '../harness/operations.ts';

/** What the RFCs advise on top of the specification. Advisory: a miss is a warning (OUTCOMES 1). */
export const protocol: Check = {
  id: 'protocol',
  title: 'The target follows the RFCs that bearer tokens build on',
  requirements: ['rfc.challenge', 'rfc.allow', 'rfc.no-store', 'rfc.secret-echo', 'rfc.query-token'],
  intrusive: false,
  async run(api) {
    const results: CheckResult[] = [];
    for (const operation of api.contract.operations.slice(0, 1)) {
      results.push(await challenge(api, operation), await allow(api, operation));
      results.push(...(await disclosure(api, operation)));
    }
    return results;
  },
};

/** RFC 9110 11.6.1: a 401 names the scheme it wants. */
async function challenge(api: CheckApi, operation: Operation): Promise<CheckResult> {
  const { observation, headers } = await api.call({ operation, authorization: null });
  const unit = { requirement: 'rfc.challenge', operation: operation.id, kind: 'none' };
  if (observation.kind === 'failure') return { ...unit, verdict: 'inconclusive', detail: observation.detail };
  const given = String(headers['www-authenticate'] ?? '');
  if (observation.status !== 401)
    return { ...unit, verdict: 'observed', detail: `status ${observation.status} needs no challenge` };
  return /^bearer\b|,\s*bearer\b/i.test(given)
    ? { ...unit, verdict: 'pass', detail: '401 with a Bearer challenge' }
    : {
        ...unit,
        verdict: 'warn',
        detail: `wanted WWW-Authenticate: Bearer on 401, got ${given === '' ? 'no such header' : 'another scheme'}`,
      };
}

/** RFC 9110 15.5.6: a 405 says which methods there are. */
async function allow(api: CheckApi, operation: Operation): Promise<CheckResult> {
  const { observation, headers } = await api.call({
    operation,
    authorization: null,
    method: 'DELETE',
    body: undefined,
  });
  const unit = { requirement: 'rfc.allow', operation: operation.id, kind: 'none' };
  if (observation.kind === 'failure') return { ...unit, verdict: 'inconclusive', detail: observation.detail };
  if (observation.status !== 405)
    return { ...unit, verdict: 'observed', detail: `DELETE answers ${observation.status}` };
  return headers['allow'] === undefined
    ? { ...unit, verdict: 'warn', detail: 'wanted Allow on 405, got no such header' }
    : { ...unit, verdict: 'pass', detail: '405 with Allow' };
}

/** RFC 6750 5.3 and 2.3: tokens are neither repeated, nor cached, nor taken from the address. */
async function disclosure(api: CheckApi, operation: Operation): Promise<CheckResult[]> {
  const kind = api.claims.kinds.find(
    (name) =>
      api.contract.matrix.kinds[name]?.neutral['act-as'] === 'absent' &&
      api.contract.matrix.kinds[name]?.neutral['auth-type'] === 'absent',
  );
  const credential = kind === undefined ? undefined : api.full(kind);
  if (kind === undefined || !credential) return [];
  const unit = { operation: operation.id, kind };
  const accepted = await api.call({ operation, credential });
  const refused = await api.call({ operation, credential, authorization: `Basic ${credential.token}` });
  const echoes = [accepted, refused].some(({ text, headers }) =>
    `${text}${JSON.stringify(headers)}`.includes(credential.token),
  );
  const cacheControl = String(accepted.headers['cache-control'] ?? '');
  const results: CheckResult[] = [
    {
      ...unit,
      requirement: 'rfc.secret-echo',
      verdict: echoes ? 'warn' : 'pass',
      detail: echoes ? 'an answer repeats the token that was sent' : 'no answer repeats the token',
    },
    /no-store|private/i.test(cacheControl)
      ? { ...unit, requirement: 'rfc.no-store', verdict: 'pass', detail: 'answers are not for shared caches' }
      : {
          ...unit,
          requirement: 'rfc.no-store',
          verdict: 'observed',
          detail: 'no Cache-Control; an answer to POST is not cached without one (RFC 9110 9.3.3)',
        },
  ];
  // A token in an address ends up in logs: only one that nobody will miss is sent that way (OUTCOMES 6).
  if (api.trusted) {
    const address = `?access_token=${encodeURIComponent(credential.token)}`;
    const { accepted: inAddress } = await api.call({ operation, credential, authorization: null, query: address });
    // Whoever serves requests without any token breaks another rule; this one is about taking the token from there.
    const { accepted: anyway } = await api.call({ operation, authorization: null });
    const taken = inAddress && !anyway;
    results.push({
      ...unit,
      requirement: 'rfc.query-token',
      verdict: taken ? 'warn' : 'pass',
      detail: taken ? 'a token in the query string is accepted' : 'a token in the query string is refused',
    });
  }
  return results;
}
