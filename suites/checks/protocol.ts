import type { Check, CheckAnswer, CheckApi, CheckResult } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAnswer } from '../../harness/record/observation.ts';

/** What the RFCs advise on top of the specification. Advisory: a miss is a warning (OUTCOMES 1). */
export const protocol: Check = {
  id: 'protocol',
  title: 'The target follows the RFCs that bearer tokens build on',
  requirements: ['rfc.challenge', 'rfc.allow', 'rfc.no-store', 'rfc.secret-echo', 'rfc.query-token'],
  intrusive: false,
  async run(api) {
    const [operation] = api.contract.operations;
    const kind = api.claims.kinds.find((name) => needsNoHeader(api, name)) ?? api.claims.kinds[0];
    const credential = kind === undefined ? undefined : api.full(kind);
    if (!operation || kind === undefined || !credential) return [];
    const caller = { api, operation, kind, credential };
    const { sent, lost } = await samples(caller);
    const due = sent.filter((sample) => sample.due);
    const withToken = sent.filter(({ token }) => token !== undefined);
    return [
      unlessLost(challenge(operation, sent), due, lost),
      await allow(api, operation),
      unlessLost(secretEcho(operation, kind, sent), withToken, lost),
      unlessLost(noStore(operation, kind, sent), withToken, lost),
      ...(needsNoHeader(api, kind) ? await queryToken(caller, sent) : []),
    ];
  },
};

/** Who asks, with which token, and for what. */
interface Caller {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly kind: string;
  readonly credential: Credential;
}
/** A request in words, the token that it sent, and what the application answered. */
interface Sample {
  readonly what: string;
  readonly token: string | undefined;
  /** A refusal is due. */
  readonly due: boolean;
  readonly answer: CheckAnswer;
}
interface Samples {
  readonly sent: readonly Sample[];
  /** Why one of them was not answered. */
  readonly lost: string | undefined;
}

/** Of no answer at all nothing is read off. */
function unlessLost(found: CheckResult, readOff: readonly Sample[], lost: string | undefined): CheckResult {
  return lost === undefined || readOff.length > 0 ? found : { ...found, verdict: 'inconclusive', detail: lost };
}

/** One acceptance and each way for a token to be refused with 401; all further advice is read off these. */
async function samples({ api, operation, kind, credential }: Caller): Promise<Samples> {
  const { token } = credential;
  const accepted = api.planned(operation.id, kind, {});
  const unknown = api.planned(operation.id, 'unknown', { 'auth-type': 'OAUTH' });
  const expired = api.planned(operation.id, kind, { validity: 'expired' });
  const taken: Sample[] = [
    { what: 'no token', token: undefined, due: true, answer: await api.call({ operation, authorization: null }) },
    {
      what: 'a token under Basic',
      token,
      due: true,
      answer: await api.call({ operation, credential, authorization: `Basic ${token}` }),
    },
  ];
  const take = async (what: string, planned: PlannedCase | undefined, sent: string | undefined) => {
    const answer = planned && (await api.send(planned)).answer;
    if (answer) taken.push({ what, token: sent, due: planned !== accepted, answer });
    return answer?.accepted === true;
  };
  await take('an unknown token', unknown, api.unknownToken);
  // Where the kind is not accepted at all, its refusals are another requirement's business.
  if (await take('a valid token', accepted, token)) await take('an expired token', expired, expired?.credential?.token);
  const outcomes = taken.map(({ answer }) => outcomeOf(answer));
  const lost = outcomes.find((outcome) => outcome.kind === 'lost');
  return {
    sent: taken.filter((_, at) => outcomes[at]?.kind !== 'lost'),
    lost: lost?.kind === 'lost' ? lost.why : undefined,
  };
}

/** RFC 9110 11.6.1: a 401 names the scheme it wants. */
function challenge(operation: Operation, sent: readonly Sample[]): CheckResult {
  const unit = { requirement: 'rfc.challenge', operation: operation.id, kind: 'none' };
  const refused = sent.filter(
    ({ due, answer: { observation } }) => due && isAnswer(observation) && observation.status === 401,
  );
  if (refused.length === 0)
    return { ...unit, verdict: 'observed', detail: 'no answer was 401, so none needs a challenge' };
  const lacking = refused.find(({ answer }) => !/(^|,)\s*bearer\b/i.test(header(answer, 'www-authenticate')));
  if (!lacking) return { ...unit, verdict: 'pass', detail: '401 with a Bearer challenge' };
  const got = header(lacking.answer, 'www-authenticate') === '' ? 'no such header' : 'another scheme';
  return { ...unit, verdict: 'warn', detail: `wanted WWW-Authenticate: Bearer on 401 to ${lacking.what}, got ${got}` };
}

/** RFC 9110 15.5.6: a 405 says which methods there are. */
async function allow(api: CheckApi, operation: Operation): Promise<CheckResult> {
  const answer = await api.call({ operation, authorization: null, method: 'DELETE', body: undefined });
  const outcome = outcomeOf(answer);
  const unit = { requirement: 'rfc.allow', operation: operation.id, kind: 'none' };
  if (outcome.kind === 'lost') return { ...unit, verdict: 'inconclusive', detail: outcome.why };
  if (outcome.status !== 405) return { ...unit, verdict: 'observed', detail: `DELETE answers ${outcome.status}` };
  return answer.headers['allow'] === undefined
    ? { ...unit, verdict: 'warn', detail: 'wanted Allow on 405, got no such header' }
    : { ...unit, verdict: 'pass', detail: '405 with Allow' };
}

/** RFC 6750 5.3: whoever reads an answer learns no token from it. */
function secretEcho(operation: Operation, kind: string, sent: readonly Sample[]): CheckResult {
  const unit = { requirement: 'rfc.secret-echo', operation: operation.id, kind };
  const echo = sent.find(
    ({ token, answer: { text, headers } }) =>
      token !== undefined && `${text}\n${Object.values(headers).flat().join('\n')}`.includes(token),
  );
  return echo
    ? { ...unit, verdict: 'warn', detail: `the answer to ${echo.what} repeats the token` }
    : { ...unit, verdict: 'pass', detail: 'no answer repeats the token' };
}

/** RFC 6750 5.3 and RFC 9111 3.5: only an answer that says so is kept for others, whatever the method. */
function noStore(operation: Operation, kind: string, sent: readonly Sample[]): CheckResult {
  const unit = { requirement: 'rfc.no-store', operation: operation.id, kind };
  const directives = sent
    .filter(({ token }) => token !== undefined)
    .map(({ what, answer }) => ({ what, control: header(answer, 'cache-control') }));
  const shared = directives.find(
    ({ control }) => /\b(public|s-maxage)\b/i.test(control) && !/\b(no-store|private)\b/i.test(control),
  );
  if (shared)
    return { ...unit, verdict: 'warn', detail: `the answer to ${shared.what} says Cache-Control: ${shared.control}` };
  return directives.every(({ control }) => /\b(no-store|private)\b/i.test(control))
    ? { ...unit, verdict: 'pass', detail: 'answers are not for shared caches' }
    : {
        ...unit,
        verdict: 'observed',
        detail: 'no Cache-Control; an answer to POST is not cached without one (RFC 9110 9.3.3)',
      };
}

/** RFC 6750 2.3. A token in an address ends up in logs: only one that nobody will miss is sent that way (OUTCOMES 6). */
async function queryToken(
  { api, operation, kind, credential }: Caller,
  sent: readonly Sample[],
): Promise<CheckResult[]> {
  if (!api.trusted) return [];
  const found = (verdict: CheckResult['verdict'], detail: string): CheckResult[] => [
    { requirement: 'rfc.query-token', operation: operation.id, kind, verdict, detail },
  ];
  if (!sent.some(({ due, answer }) => !due && answer.accepted))
    return found('inconclusive', 'the token is not accepted in its header either');
  const query = `?access_token=${encodeURIComponent(credential.token)}`;
  const inAddress = outcomeOf(await api.call({ operation, credential, authorization: null, query }));
  if (inAddress.kind === 'lost') return found('inconclusive', inAddress.why);
  if (inAddress.kind === 'refused') return found('pass', 'a token in the query string is refused');
  // Whoever serves requests without any token breaks another rule; this one is about taking the token from there.
  const anyway = outcomeOf(await api.call({ operation, authorization: null }));
  switch (anyway.kind) {
    case 'accepted':
      return found('observed', 'a request without any token is accepted too');
    case 'refused':
      return found('warn', 'a token in the query string is accepted');
    case 'lost':
      return found('inconclusive', anyway.why);
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
