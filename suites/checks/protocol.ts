import { type Acceptance, outcomeOf } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult, Recorded } from '../../harness/checks/check.ts';
import { groupedBy } from '../../harness/contract/collections.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { type Answer, isAnswer } from '../../harness/record/observation.ts';
import { isLeftOut } from '../../harness/record/redact.ts';
import { kindThatReaches } from './shared/breadth.ts';
import { PATIENCE_MS } from './shared/confirm.ts';
import { type Decided, decisionOf, inconclusive, observed, pass, warn } from './shared/decision.ts';

/**
 * What RFCs ask for beyond the specification. Their requirements are advice: missing one is a warning (outcomes 1). The check
 * sends a few requests and reads everything that the run got until now, for each operation and kind of token.
 */
export async function protocol(api: CheckApi): Promise<readonly CheckResult[]> {
  const [operation] = api.contract.operations;
  const kind = kindThatReaches(api, operation);
  const lost = await takeSamples(api, operation, kind);
  // What is about bearer tokens is for those alone.
  const advice = ADVICE.filter(([requirement]) => api.contract.requirements.some(({ id }) => id === requirement));
  const results: CheckResult[] = [];
  for (const unit of await unitsOf(api))
    for (const [requirement, decide] of advice) {
      const decided = decide(unit);
      if (!decided) continue;
      const broke = decided.verdict === 'warn' ? decided.broke : undefined;
      const steps = [broke ?? unit.answers[0]].flatMap((one) => one ?? []);
      results.push({ requirement, ...unit, ...decided, steps });
    }
  const decided = (requirement: string, of: string, one: Decided) =>
    decisionOf({ api, operation, kind: of }, requirement, one);
  for (const [requirement] of advice)
    if (lost !== undefined && !results.some((one) => one.requirement === requirement))
      results.push(decided(requirement, kind, inconclusive(lost)));
  return [...results, decided('rfc.allow', 'none', await allow(api, operation))];
}

/** Sends what a run of this check alone reads. @returns why a request got no answer, if one did not. */
async function takeSamples(api: CheckApi, { id }: Operation, kind: string): Promise<string | undefined> {
  const planned = [
    api.planned(id, 'none', {}),
    api.planned(id, 'unknown', { 'auth-type': 'OAUTH' }),
    api.planned(id, kind, {}),
    api.planned(id, kind, { validity: 'expired' }),
  ];
  let lost: string | undefined;
  for (const one of planned) {
    if (!one || api.seen(one)) continue;
    const outcome = outcomeOf((await api.send(one, 'the answer follows the RFCs')).answer);
    if (outcome.kind === 'lost') lost = outcome.why;
  }
  return lost;
}

interface Sample extends Recorded {
  readonly observation: Answer;
  /** A request as the specification shows it, with or without a fault. Something else may answer any other one. */
  readonly isDocumented: boolean;
  /** It must be refused, and for one reason. */
  readonly isPlainRefusal: boolean;
}
/** The answers to an operation with tokens of a kind, and an acceptance by the operation. */
interface Unit {
  readonly operation: string;
  readonly kind: string;
  readonly answers: readonly Sample[];
  readonly control: Acceptance | undefined;
}

async function unitsOf(api: CheckApi): Promise<readonly Unit[]> {
  const own = new Set(api.steps.map(({ seq }) => seq));
  const units: Unit[] = [];
  const recorded = api.recorded();
  for (const { id } of api.contract.operations) {
    const samples = recorded.flatMap((one): Sample[] => {
      const { observation } = one;
      if (one.operation?.id !== id || !isAnswer(observation) || outcomeOf(one).kind === 'lost') return [];
      const planned = api.plan.cases.get(one.case);
      const isDocumented = planned !== undefined || own.has(one.seq);
      // Beside something that is left open, the target may have refused that.
      const isPlainRefusal = planned ? planned.expectation.kind === 'refuse' && planned.deviations <= 1 : isDocumented;
      return [{ ...one, observation, isDocumented, isPlainRefusal }];
    });
    const accepted = recorded.find((one) => one.operation?.id === id && one.accepted);
    const control = accepted && (await api.acceptance(accepted));
    for (const [kind, answers] of groupedBy(samples, (one) => kindOf(api, one)))
      if (kind !== undefined) units.push({ operation: id, kind, answers, control });
  }
  return units;
}

/** The kind of the token of a request, `none` without one. Undefined if only the text of the request is known. */
export function kindOf({ plan, claims }: CheckApi, { case: id, credential }: Recorded): string | undefined {
  const planned = plan.cases.get(id)?.values.kind;
  if (planned !== undefined) return planned;
  if (credential === 'no token') return 'none';
  return claims.kinds.find((kind) => credential.startsWith(`$${kind}_TOKEN`));
}

/** What is decided of a unit. Undefined if no answer of it is about the advice. */
const ADVICE: readonly (readonly [requirement: string, decide: (unit: Unit) => Decided | undefined])[] = [
  ['rfc.challenge', challenge],
  ['rfc.secret-echo', secretEcho],
  ['rfc.no-store', noStore],
];

/** RFC 9110 11.6.1: a 401 names the scheme that the server wants. */
function challenge({ answers, control }: Unit): Decided | undefined {
  const refused = answers.filter(
    ({ isPlainRefusal, observation }) =>
      isPlainRefusal && observation.status === 401 && !isLeftOut(observation.challenge),
  );
  if (refused.length === 0) return undefined;
  const without = refused.find(({ observation }) => !/(^|,)\s*bearer\b/i.test(observation.challenge ?? ''));
  if (!without) return pass(control, '401 with a Bearer challenge');
  const got = without.observation.challenge === undefined ? 'no WWW-Authenticate' : 'another scheme than Bearer';
  // A 401 to everything may come from a gateway.
  return control
    ? warn(without, `${got} on a 401`, 'WWW-Authenticate: Bearer on a 401')
    : inconclusive(`${got} on a 401; no token is accepted`);
}

/** RFC 6750 5.3: no answer discloses the token. */
function secretEcho({ kind, answers, control }: Unit): Decided | undefined {
  if (kind === 'none') return undefined;
  const echo = answers.find(({ observation }) => observation.repeatsToken);
  return echo
    ? warn(echo, 'an answer repeats the token of its request', 'no answer repeats the token')
    : pass(control, 'no answer repeats the token');
}

/** RFC 6750 5.3 and RFC 9111 3.5: a shared cache keeps an answer to a request with a token only if the answer allows it. */
function noStore({ kind, answers, control }: Unit): Decided | undefined {
  const withToken = kind === 'none' ? [] : answers.filter((one) => one.isDocumented || one.accepted);
  if (withToken.length === 0) return undefined;
  const directiveOf = ({ observation }: Sample) => observation.headers?.['Cache-Control'] ?? '';
  const isKept = (one: Sample) => /\b(no-store|private)\b/i.test(directiveOf(one));
  const shared = withToken.find((one) => /\b(public|s-maxage)\b/i.test(directiveOf(one)) && !isKept(one));
  if (shared) {
    const detail = `an answer to a request with a token says Cache-Control: ${directiveOf(shared)}`;
    return warn(shared, detail, 'no answer to a request with a token may be kept in a shared cache');
  }
  return withToken.every(isKept)
    ? pass(control, 'Cache-Control keeps answers out of shared caches')
    : observed('no Cache-Control; without it, an answer to POST is not cached (RFC 9110 9.3.3)');
}

/** RFC 9110 15.5.6: a 405 lists the supported methods. */
async function allow(api: CheckApi, operation: Operation): Promise<Decided> {
  const other = operation.method === 'DELETE' ? 'PUT' : 'DELETE';
  const method = operation.isHarmless ? other : 'OPTIONS';
  const shows = `${method} without a token is not accepted`;
  const call = { operation, method, body: undefined, shows, wanted: 'refused' } as const;
  const sent = await api.call({ ...call, patienceMs: PATIENCE_MS });
  // Other checks try other methods, on every operation.
  const refused = [sent, ...api.recorded()].filter(
    ({ observation }) => isAnswer(observation) && observation.status === 405,
  );
  const without = refused.find(({ observation }) => isAnswer(observation) && observation.headers?.Allow === undefined);
  const accepted = api.recorded().find((one) => one.operation?.id === operation.id && one.accepted);
  const control = accepted && (await api.acceptance(accepted));
  if (without)
    return control
      ? warn(without, 'no Allow on a 405', 'Allow on a 405')
      : inconclusive('no Allow on a 405; no token is accepted');
  if (refused.length > 0) return pass(control, '405 with Allow');
  const outcome = outcomeOf(sent);
  return outcome.kind === 'lost' ? inconclusive(outcome.why) : observed(`${method} gets ${outcome.got}`);
}
