import type { Answered } from '../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import { given, groupedBy } from '../../harness/contract/collections.ts';
import { ACT_AS, actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { personVariable } from '../../harness/contract/people.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { kindsOfFamilies, kindsToAsk, onePerFamily, peopleActedAs, queryOperations } from './shared/breadth.ts';
import { decideEach } from './shared/decision.ts';
import { inSequence, type Sent, type Turn } from './shared/in-sequence.ts';
import { baseOf, isInHeader, isOfIssued, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { stays } from './shared/stays.ts';

const CONNECTIONS = 6;

/** A request gets the same outcome first or later, in any order, alone or beside others. */
export async function repetition(api: CheckApi): Promise<readonly CheckResult[]> {
  const samples: { readonly planned: PlannedCase; readonly alone: Answered }[] = [];
  for (const planned of sampleOf(api)) {
    const { answer, judgement } = await api.send(planned, `${planned.id} gets its answer alone`);
    // The matrix blames a case that is answered wrongly when sent alone.
    if (judgement && judgement.kind !== 'miss') samples.push({ planned, alone: answer });
  }
  const again = (connection: CheckApi, planned: PlannedCase, how: string) => {
    const own = connection.fork();
    const beside = samples.find(({ alone, planned: other }) => alone.accepted && isControlOf(other, planned));
    const ask = () => own.send(planned, `${planned.id} gets the same when ${how}`);
    return stays({ api: own, planned, how: `${how} (seed ${api.seed})`, ask, beside: () => beside?.alone });
  };
  const connections = Array.from({ length: CONNECTIONS }, () => api.connect());
  const results: CheckResult[] = [];
  for (const { planned } of [...samples].reverse())
    results.push(...(await again(connections[0] ?? api, planned, 'sent again in another order')));
  const together = await decideEach(samples, ({ planned }, at) =>
    again(connections[at % CONNECTIONS] ?? api, planned, `sent beside ${samples.length - 1} others`),
  );
  return [...results, ...together];
}

/** For every kind its well-made request, one request with a single fault, which the seed chooses, and what controls that. */
function sampleOf(api: CheckApi): readonly PlannedCase[] {
  const { contract, plan, seed, claims } = api;
  const single = [...plan.cases.values()].filter(
    ({ values, expectation }) =>
      expectation.kind === 'refuse' &&
      expectation.suspects.length <= 1 &&
      values.body === 'valid' &&
      // Where a header is left open too, a refusal may be about that header and passes nothing.
      expectation.silent.length === 0,
  );
  const denials = groupedBy(single, ({ values }) => values.kind);
  const chosen = [...denials.values()].flatMap((cases, index) => cases[Math.abs(seed + index) % cases.length] ?? []);
  const wellMade = claims.kinds.flatMap((kind) => api.planned(contract.operations[0].id, kind, {}) ?? []);
  // A request without an issued token has no kind of its own to be accepted with, and one of a kind that never reaches the
  // operation has none that is accepted there.
  const controls = chosen.flatMap(({ values }) => {
    const kinds = claims.kinds.includes(values.kind) ? [values.kind, ...claims.kinds] : claims.kinds;
    return kinds.flatMap((kind) => api.planned(values.operation, kind, {}) ?? []).slice(0, 1);
  });
  return [...new Set([...wellMade, ...controls, ...chosen])];
}

/** Whether an accepted request gives a refusal its meaning: the same operation, and the same kind if it has a token, or its control. */
function isControlOf(accepted: PlannedCase, { values, control }: PlannedCase): boolean {
  const hasToken = values.family !== 'none' && values.family !== 'unknown';
  return (
    accepted.values.operation === values.operation &&
    (!hasToken || accepted.values.kind === values.kind || accepted.id === control)
  );
}

/**
 * Two acceptances and two refusals in turn over one connection, so that a refusal follows an acceptance and another refusal. With
 * the last round, each comes ten times, and the twentieth request is a refusal.
 */
const ROUNDS = 4;

/** A refusal holds every time, also after acceptances, other refusals and strays on its connection. */
export async function everyTime(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ isSlow }) => !isSlow);
  return decideEach(operation ? kindsToAsk(api) : [], (kind) =>
    decideEach(peopleActedAs(api, kind), (acting) =>
      inSequence(api, operation ? inRounds(api, operation, { kind, acting }) : []),
    ),
  );
}

/**
 * The first refusal in rounds, and then every refusal and what a connection may remember, each before an acceptance. A kind that
 * acts as somebody and is not tried for its family has only what is wrong in its headers.
 */
function inRounds(api: CheckApi, operation: Operation, person: KindAs): readonly Sent[] {
  const { accepted, refused } = singleFaults(api, operation, person);
  const [first, ...others] = refused.filter(isOfIssued);
  const { unknownPath, longBody } = straysOf(api, person.kind);
  if (!accepted || !first) return [];
  if (!kindsOfFamilies(api).includes(person.kind))
    return [accepted, ...refused.filter((one) => isInHeader(api, one)).flatMap((one) => [one, accepted])];
  return [
    ...Array.from({ length: ROUNDS }, () => [accepted, accepted, first, first]).flat(),
    ...[accepted, accepted, unknownPath, first, first, accepted, longBody, accepted],
    ...others.flatMap((other) => [other, accepted]),
  ];
}

/** No request, accepted or not, changes the answers to later requests on its connection. */
export const sequences: CheckRun = (api) =>
  decideEach(api.claims.kinds, (kind, at) =>
    decideEach(api.contract.operations, (operation, of) =>
      decideEach(peopleActedAs(api, kind), (acting) =>
        inSequence(api, sequenceOf(api, operation, { kind, acting }, at + of)),
      ),
    ),
  );

/** Nothing serves them, they lack their query, or they are long: what comes next may be read as a part of that. */
function straysOf(api: CheckApi, kind: string) {
  const { operations } = api.contract;
  const operation = operations.find(({ isSlow }) => !isSlow) ?? operations[0];
  const { path, example } = operation;
  const of = { operation, ...baseOf(api, kind), body: example, shows: 'it is answered', wanted: 'either' } as const;
  return {
    unknownPath: { ...of, id: 'a request to an unknown path', operation: { ...operation, path: `${path}/unknown` } },
    get: { ...of, id: 'a request with GET', method: 'GET', body: undefined },
    ...(api.breadth === 'whole' && {
      options: { ...of, id: 'a request with OPTIONS', method: 'OPTIONS', body: undefined },
    }),
    emptyBody: { ...of, id: 'a request with an empty body', body: {} },
    longBody: { ...of, id: 'a request with a long body', body: { ...example, query: 'a'.repeat(LONG) } },
    longHeader: {
      ...of,
      id: 'a request with a long header',
      headers: [...of.headers, ['X-Request-Id', 'a'.repeat(LONG)] as const],
    },
  } satisfies Readonly<Record<string, Sent>>;
}
const LONG = 4_000;

/**
 * An acceptance before and after each refusal, then the refusals one after the other, and then a stray before each of them and
 * before an acceptance. The units begin with another stray each. What reads the tokens of a family gets each stray before each
 * refusal.
 */
function sequenceOf(api: CheckApi, operation: Operation, person: KindAs, unit: number): readonly Sent[] {
  const { accepted, refused } = singleFaults(api, operation, person);
  if (!accepted || refused.length === 0) return [];
  const strays = Object.values(straysOf(api, person.kind));
  const after = (at: number, one: Sent) => [strays[(unit + at) % strays.length] ?? accepted, one];
  const isWhole = api.breadth === 'whole' && !operation.isSlow && onePerFamily(api).includes(person.kind);
  return [
    ...[accepted, ...refused.flatMap((one) => [one, accepted]), ...refused.slice(1)],
    ...refused.flatMap((one, at) => [...after(at, one), ...after(at + 2, accepted)]),
    ...(isWhole ? refused.flatMap((one) => strays.flatMap((stray) => [stray, one])) : []),
  ];
}

interface KindAs {
  readonly kind: string;
  readonly acting: Acting;
}

/** The documented request, and those that have one fault. */
function singleFaults(api: CheckApi, operation: Operation, { kind, acting }: KindAs) {
  const planned = api.planned(operation.id, kind, {});
  const withoutToken = api.breadth === 'whole' ? refusalsWithoutToken(api, operation, kind) : [];
  const refusals = [...refusalsOf(api, operation, kind), ...withoutToken.filter((one) => one.kind === 'none')];
  const accepted: Turn | undefined = planned && { planned, acting };
  const once = refusals.filter(({ planned }, at) => at === refusals.findIndex((one) => one.planned === planned));
  return { accepted, refused: once.map(({ planned, fault }) => ({ planned, fault, acting })) };
}

/**
 * What must be refused to a GLOBAL token is refused for either person (outcomes 2), and who no longer exists is nobody
 * (outcomes 5). The matrix acts as ACT_AS_EMAIL and UNKNOWN_EMAIL.
 */
export const eitherPerson: CheckRun = async (api) => {
  const { contract, claims, people } = api;
  const kinds = claims.kinds.filter((kind) => actsAs(contract, kind));
  const others = (['user', 'former'] as const).filter((person) => people[person] !== undefined);
  const units = kinds.flatMap((kind) =>
    queryOperations(contract).flatMap((operation) => others.map((acting) => ({ kind, operation, acting }))),
  );
  return decideEach(units, (unit) => stayRefused(api.spread(), unit));
};

interface Unit extends KindAs {
  readonly operation: Operation;
}

async function stayRefused(api: CheckApi, { kind, operation, acting }: Unit): Promise<readonly CheckResult[]> {
  const { contract, people } = api;
  const isUser = acting === 'user';
  const base = baseOf(api, kind, isUser ? people.user : people.actAs);
  if (!base.credential) return [];
  const refusals = isUser ? refusalsAsUser(api, operation, kind) : given([api.planned(operation.id, kind, NOBODY)]);
  const variable = (owner: string) => `$${personVariable(contract, owner)}`;
  const shows = `${operation.id} with the ${kind} token that acts as ${variable(isUser ? 'USER' : 'ACT_AS')} is accepted`;
  const accepted = await api.callOnce({ operation, ...base, shows, wanted: 'accepted' }, 'any body');
  const how = `acting as ${variable(isUser ? 'USER' : 'FORMER')}`;
  const results: CheckResult[] = [];
  for (const planned of refusals) {
    const own = api.fork();
    const ask = () => own.send(planned, `${planned.id}, ${how}, is refused`, acting);
    const plainly = () => own.send(planned, `${planned.id} is refused`);
    results.push(...(await stays({ api: own, planned, how, ask, plainly, beside: () => accepted })));
  }
  return results;
}

const NOBODY = { [ACT_AS]: 'unknown' };

/**
 * What reads a token that nobody issued knows neither its kind nor, as a rule, the operation. So without the whole breadth, it
 * is tried once, and no tampered token, which is one that nobody issued.
 */
function refusalsAsUser(api: CheckApi, operation: Operation, kind: string): readonly PlannedCase[] {
  const ofUser = refusalsOf(api, operation, kind).filter(({ acting }) => acting === 'user');
  const withoutToken = refusalsWithoutToken(api, operation, kind);
  const isWhole = api.breadth === 'whole';
  return [
    ...ofUser.filter((one) => isWhole || isOfIssued(one)),
    ...withoutToken.filter((one) => isWhole || (one.kind === 'unknown' && !operation.isSlow)),
  ].map(({ planned }) => planned);
}
