import type { Acceptance } from '../../harness/checks/acceptance.ts';
import type { Check, CheckAnswer, CheckApi } from '../../harness/checks/check.ts';
import { outcomeOf } from '../../harness/checks/outcome.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { isAnswer } from '../../harness/record/observation.ts';
import { type Decided, decisionOn, inconclusive, observed, pass, warn } from './shared/decision.ts';
import { PATIENCE_MS } from './shared/patience.ts';

/** What RFCs ask for beyond the specification. Their requirements are advice: missing one is a warning (outcomes 1). */
export const protocol: Check = {
  id: 'protocol',
  title: 'The target follows the advice of the RFCs on HTTP and bearer tokens',
  requirements: ['rfc.challenge', 'rfc.allow', 'rfc.no-store', 'rfc.secret-echo', 'rfc.query-token'],
  onlyTrusted: ['rfc.query-token'],
  intrusive: false,
  async run(api) {
    const [operation] = api.contract.operations;
    const kind = api.claims.kinds.find((name) => needsNoHeader(api, name)) ?? api.claims.kinds[0];
    const credential = kind === undefined ? undefined : api.full(kind);
    if (!operation || kind === undefined || !credential) return [];
    const caller = { api, operation, kind, credential };
    const { answered, lost } = await takeSamples(caller);
    const valid = answered.find(({ mustBeRefused }) => !mustBeRefused);
    const control = valid && (await api.acceptance(valid.answer));
    const refusals = answered.filter(({ mustBeRefused }) => mustBeRefused);
    const withToken = answered.filter(({ token }) => token !== undefined);
    const found: [id: string, kind: string, decided: Decided][] = [
      ['rfc.challenge', 'none', unlessLost(challenge(answered, control), refusals, lost)],
      ['rfc.allow', 'none', await allow(api, operation, control)],
      ['rfc.secret-echo', kind, unlessLost(secretEcho(answered, control), withToken, lost)],
      ['rfc.no-store', kind, unlessLost(noStore(answered, control), withToken, lost)],
    ];
    // Query strings end up in logs, so only tokens that were made for this run are sent there (outcomes 6).
    if (needsNoHeader(api, kind) && api.trusted)
      found.push(['rfc.query-token', kind, await queryToken(caller, control)]);
    return found.map(([requirement, of, decided]) =>
      decisionOn(api, { requirement, operation: operation.id, kind: of }, decided),
    );
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
function unlessLost(found: Decided, shownBy: readonly Sample[], lost: string | undefined): Decided {
  return lost === undefined || shownBy.length > 0 ? found : inconclusive(lost);
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
      answer: await api.call({ operation, authorization: null, shows: 'no token is refused', wanted: 'refused' }),
    },
    {
      what: 'a token with the scheme Basic',
      token,
      mustBeRefused: true,
      answer: await api.call({
        operation,
        credential,
        authorization: `Basic ${token}`,
        shows: 'a token with the scheme Basic is refused',
        wanted: 'refused',
      }),
    },
  ];
  const take = async (what: string, planned: PlannedCase | undefined, sent: string | undefined) => {
    const answer = planned && (await api.send(planned, `the answer to ${what} follows the RFCs`)).answer;
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
function challenge(samples: readonly Sample[], control: Acceptance | undefined): Decided {
  const refused = samples.filter(
    ({ mustBeRefused, answer: { observation } }) =>
      mustBeRefused && isAnswer(observation) && observation.status === 401,
  );
  if (refused.length === 0) return observed('no answer was 401, so none needs a challenge');
  const without = refused.find(({ answer }) => !/(^|,)\s*bearer\b/i.test(header(answer, 'www-authenticate')));
  if (!without) return pass(control, '401 with a Bearer challenge');
  const got = header(without.answer, 'www-authenticate') === '' ? 'no WWW-Authenticate' : 'another scheme than Bearer';
  const detail = `${got} on the 401 to ${without.what}`;
  // A 401 to everything may come from a gateway.
  return control
    ? warn(without.answer, detail, 'WWW-Authenticate: Bearer on a 401')
    : inconclusive(`${detail}; no token is accepted`);
}

/** RFC 9110 15.5.6: a 405 lists the supported methods. */
async function allow(api: CheckApi, operation: Operation, control: Acceptance | undefined): Promise<Decided> {
  const shows = 'DELETE without a token is not accepted';
  const call = { operation, authorization: null, method: 'DELETE', body: undefined, shows, wanted: 'refused' } as const;
  const answer = await api.call({ ...call, patienceMs: PATIENCE_MS });
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  if (outcome.status !== 405) return observed(`DELETE gets ${outcome.got}`);
  if (answer.headers['allow'] !== undefined) return pass(control, '405 with Allow');
  const detail = 'no Allow on the 405 to DELETE';
  return control ? warn(answer, detail, 'Allow on a 405') : inconclusive(`${detail}; no token is accepted`);
}

/** RFC 6750 5.3: no answer discloses the token. */
function secretEcho(samples: readonly Sample[], control: Acceptance | undefined): Decided {
  const echo = samples.find(
    ({ token, answer: { text, headers } }) =>
      token !== undefined && `${text}\n${Object.values(headers).flat().join('\n')}`.includes(token),
  );
  return echo
    ? warn(echo.answer, `the answer to ${echo.what} repeats the token`, 'no answer repeats the token')
    : pass(control, 'no answer repeats the token');
}

/** RFC 6750 5.3 and RFC 9111 3.5: a shared cache keeps an answer to a request with a token only if the answer allows it. */
function noStore(samples: readonly Sample[], control: Acceptance | undefined): Decided {
  const directives = samples
    .filter(({ token }) => token !== undefined)
    .map(({ what, answer }) => ({ what, answer, directive: header(answer, 'cache-control') }));
  const shared = directives.find(
    ({ directive }) => /\b(public|s-maxage)\b/i.test(directive) && !/\b(no-store|private)\b/i.test(directive),
  );
  if (shared) {
    const detail = `the answer to ${shared.what} says Cache-Control: ${shared.directive}`;
    return warn(shared.answer, detail, 'no answer to a request with a token may be kept in a shared cache');
  }
  return directives.every(({ directive }) => /\b(no-store|private)\b/i.test(directive))
    ? pass(control, 'Cache-Control keeps answers out of shared caches')
    : observed('no Cache-Control; without it, an answer to POST is not cached (RFC 9110 9.3.3)');
}

/** RFC 6750 2.3. */
async function queryToken({ api, operation, credential }: Caller, control: Acceptance | undefined): Promise<Decided> {
  if (!control) return inconclusive('the token is not accepted in the Authorization header either');
  const query = `?access_token=${encodeURIComponent(credential.token)}`;
  const none = { operation, authorization: null, wanted: 'refused' } as const;
  const answer = await api.call({ ...none, credential, query, shows: 'a token in the query string is refused' });
  const inQuery = outcomeOf(answer);
  if (inQuery.kind === 'lost') return inconclusive(inQuery.why);
  if (inQuery.kind === 'refused') return pass(control, 'a token in the query string is refused');
  // A target that accepts requests without a token breaks another requirement, and shows nothing about this one.
  const without = outcomeOf(await api.call({ ...none, shows: 'a request without any token is refused' }));
  switch (without.kind) {
    case 'accepted':
      return observed('a request without any token is accepted too');
    case 'refused':
      return warn(answer, 'a token in the query string is accepted');
    case 'lost':
      return inconclusive(without.why);
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
