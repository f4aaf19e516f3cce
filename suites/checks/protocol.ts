import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAnswer } from '../../harness/record/observation.ts';

/** What RFCs ask for beyond the specification. Their requirements are advice: missing one is a warning (outcomes 1). */
export const protocol: Check = {
  id: 'protocol',
  title: 'The target follows the advice of the RFCs on HTTP and bearer tokens',
  requirements: ['rfc.challenge', 'rfc.allow', 'rfc.no-store', 'rfc.secret-echo', 'rfc.query-token'],
  intrusive: false,
  async run(api) {
    const [operation] = api.contract.operations;
    const kind = api.claims.kinds.find((name) => needsNoHeader(api, name)) ?? api.claims.kinds[0];
    const credential = kind === undefined ? undefined : api.full(kind);
    if (!operation || kind === undefined || !credential) return [];
    const caller = { api, operation, kind, credential };
    const { answered, lost } = await takeSamples(caller);
    const refusals = answered.filter(({ mustBeRefused }) => mustBeRefused);
    const withToken = answered.filter(({ token }) => token !== undefined);
    return [
      unlessLost(challenge(operation, answered), refusals, lost),
      await allow(api, operation),
      unlessLost(secretEcho(operation, kind, answered), withToken, lost),
      unlessLost(noStore(operation, kind, answered), withToken, lost),
      ...(needsNoHeader(api, kind) ? await queryToken(caller, answered) : []),
    ];
  },
};

interface Caller {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly kind: string;
  readonly credential: Credential;
}
/** A request in words, the token that it sent, and its answer. */
interface Sample {
  readonly what: string;
  readonly token: string | undefined;
  readonly mustBeRefused: boolean;
  readonly answer: CheckAnswer;
}
interface Samples {
  readonly answered: readonly Sample[];
  /** Why a request got no answer, if one did not. */
  readonly lost: string | undefined;
}

/** The result is inconclusive if a request got no answer and no other sample shows the same. */
function unlessLost(found: CheckResult, shownBy: readonly Sample[], lost: string | undefined): CheckResult {
  return lost === undefined || shownBy.length > 0 ? found : { ...found, verdict: 'inconclusive', detail: lost };
}

/** Sends one request that must be accepted, and one for each way in which a token is refused with 401. */
async function takeSamples({ api, operation, kind, credential }: Caller): Promise<Samples> {
  const { token } = credential;
  const accepted = api.planned(operation.id, kind, {});
  const unknown = api.planned(operation.id, 'unknown', { 'auth-type': 'OAUTH' });
  const expired = api.planned(operation.id, kind, { validity: 'expired' });
  const taken: Sample[] = [
    {
      what: 'a request without a token',
      token: undefined,
      mustBeRefused: true,
      answer: await api.call({ operation, authorization: null }),
    },
    {
      what: 'a token with the scheme Basic',
      token,
      mustBeRefused: true,
      answer: await api.call({ operation, credential, authorization: `Basic ${token}` }),
    },
  ];
  const take = async (what: string, planned: PlannedCase | undefined, sent: string | undefined) => {
    const answer = planned && (await api.send(planned)).answer;
    if (answer) taken.push({ what, token: sent, mustBeRefused: planned !== accepted, answer });
    return answer?.accepted === true;
  };
  await take('an unknown token', unknown, api.unknownToken);
  // If the valid token is refused, the refusal of the expired one says nothing.
  if (await take('a valid token', accepted, token)) await take('an expired token', expired, expired?.credential?.token);
  const outcomes = taken.map(({ answer }) => outcomeOf(answer));
  const lost = outcomes.find((outcome) => outcome.kind === 'lost');
  return {
    answered: taken.filter((_, at) => outcomes[at]?.kind !== 'lost'),
    lost: lost?.kind === 'lost' ? lost.why : undefined,
  };
}

/** RFC 9110 11.6.1: a 401 names the scheme that the server wants. */
function challenge(operation: Operation, samples: readonly Sample[]): CheckResult {
  const unit = { requirement: 'rfc.challenge', operation: operation.id, kind: 'none' };
  const refused = samples.filter(
    ({ mustBeRefused, answer: { observation } }) =>
      mustBeRefused && isAnswer(observation) && observation.status === 401,
  );
  if (refused.length === 0)
    return { ...unit, verdict: 'observed', detail: 'no answer was 401, so none needs a challenge' };
  const without = refused.find(({ answer }) => !/(^|,)\s*bearer\b/i.test(header(answer, 'www-authenticate')));
  if (!without) return { ...unit, verdict: 'pass', detail: '401 with a Bearer challenge' };
  const got = header(without.answer, 'www-authenticate') === '' ? 'no such header' : 'another scheme';
  return { ...unit, verdict: 'warn', detail: `wanted WWW-Authenticate: Bearer on 401 to ${without.what}, got ${got}` };
}

/** RFC 9110 15.5.6: a 405 lists the supported methods. */
async function allow(api: CheckApi, operation: Operation): Promise<CheckResult> {
  const answer = await api.call({ operation, authorization: null, method: 'DELETE', body: undefined });
  const outcome = outcomeOf(answer);
  const unit = { requirement: 'rfc.allow', operation: operation.id, kind: 'none' };
  if (outcome.kind === 'lost') return { ...unit, verdict: 'inconclusive', detail: outcome.why };
  if (outcome.status !== 405) return { ...unit, verdict: 'observed', detail: `DELETE gets ${outcome.status}` };
  return answer.headers['allow'] === undefined
    ? { ...unit, verdict: 'warn', detail: 'wanted Allow on 405, got no such header' }
    : { ...unit, verdict: 'pass', detail: '405 with Allow' };
}

/** RFC 6750 5.3: no answer discloses the token. */
function secretEcho(operation: Operation, kind: string, samples: readonly Sample[]): CheckResult {
  const unit = { requirement: 'rfc.secret-echo', operation: operation.id, kind };
  const echo = samples.find(
    ({ token, answer: { text, headers } }) =>
      token !== undefined && `${text}\n${Object.values(headers).flat().join('\n')}`.includes(token),
  );
  return echo
    ? { ...unit, verdict: 'warn', detail: `the answer to ${echo.what} repeats the token` }
    : { ...unit, verdict: 'pass', detail: 'no answer repeats the token' };
}

/** RFC 6750 5.3 and RFC 9111 3.5: a shared cache keeps an answer to a request with a token only if the answer allows it. */
function noStore(operation: Operation, kind: string, samples: readonly Sample[]): CheckResult {
  const unit = { requirement: 'rfc.no-store', operation: operation.id, kind };
  const directives = samples
    .filter(({ token }) => token !== undefined)
    .map(({ what, answer }) => ({ what, control: header(answer, 'cache-control') }));
  const shared = directives.find(
    ({ control }) => /\b(public|s-maxage)\b/i.test(control) && !/\b(no-store|private)\b/i.test(control),
  );
  if (shared)
    return { ...unit, verdict: 'warn', detail: `the answer to ${shared.what} says Cache-Control: ${shared.control}` };
  return directives.every(({ control }) => /\b(no-store|private)\b/i.test(control))
    ? { ...unit, verdict: 'pass', detail: 'Cache-Control keeps answers out of shared caches' }
    : {
        ...unit,
        verdict: 'observed',
        detail: 'no Cache-Control; without it, an answer to POST is not cached (RFC 9110 9.3.3)',
      };
}

/** RFC 6750 2.3. Query strings end up in logs, so only tokens that were made for this run are sent there (outcomes 6). */
async function queryToken(
  { api, operation, kind, credential }: Caller,
  samples: readonly Sample[],
): Promise<CheckResult[]> {
  if (!api.trusted) return [];
  const found = (verdict: CheckResult['verdict'], detail: string): CheckResult[] => [
    { requirement: 'rfc.query-token', operation: operation.id, kind, verdict, detail },
  ];
  if (!samples.some(({ mustBeRefused, answer }) => !mustBeRefused && answer.accepted))
    return found('inconclusive', 'the token is not accepted in the Authorization header either');
  const query = `?access_token=${encodeURIComponent(credential.token)}`;
  const inQuery = outcomeOf(await api.call({ operation, credential, authorization: null, query }));
  if (inQuery.kind === 'lost') return found('inconclusive', inQuery.why);
  if (inQuery.kind === 'refused') return found('pass', 'a token in the query string is refused');
  // A target that accepts requests without a token breaks another requirement, and shows nothing about this one.
  const without = outcomeOf(await api.call({ operation, authorization: null }));
  switch (without.kind) {
    case 'accepted':
      return found('observed', 'a request without any token is accepted too');
    case 'refused':
      return found('warn', 'a token in the query string is accepted');
    case 'lost':
      return found('inconclusive', without.why);
  }
}

/** Whether a token of the kind is accepted with Authorization alone. */
function needsNoHeader(api: CheckApi, kind: string): boolean {
  const { contract } = api;
  return !actsAs(contract, kind) && contract.matrix.kinds[kind]?.neutral['auth-type'] === 'absent';
}

function header({ headers }: CheckAnswer, name: string): string {
  return [headers[name] ?? ''].flat().join(', ');
}
