import type { Answered } from '../../harness/checks/acceptance.ts';
import { byOthers, type Call, type CheckApi, type CheckResult, type CheckRun } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Acting } from '../../harness/plan/credentials.ts';
import type { PlannedCase } from '../../harness/plan/plan.ts';
import { kindsOfFamilies, kindsToAsk, onePerFamily, peopleActedAs, queryOperations } from './shared/breadth.ts';
import { decideEach } from './shared/decision.ts';
import { baseOf, isInHeader, isOfIssued, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { stays } from './shared/stays.ts';

interface Turn {
  readonly planned: PlannedCase;
  readonly acting: Acting;
}

/** A turn, or a request that no rule is about. A connection may remember either. */
type Sent = Turn | (Call & { readonly id: string; readonly planned?: undefined });

/**
 * Each case gets its answer whatever came before it on its connection. The first that does not ends the sequence: what is left
 * behind breaks many requests, and after one without an answer, the others would wait as long. What passes is decided once.
 * @param mostBefore the requests that come again before one with a wrong answer, by default all before it.
 */
async function inSequence(
  parent: CheckApi,
  sequence: readonly Sent[],
  mostBefore = sequence.length,
): Promise<readonly CheckResult[]> {
  const connection = parent.connect();
  const passed = new Map<string, CheckResult>();
  let lastAccepted: Answered | undefined;
  const send = async (api: CheckApi, one: Sent, shows = 'the requests before come again') =>
    one.planned ? api.send(one.planned, shows, one.acting) : { answer: await api.call(one), judgement: undefined };
  for (const [at, one] of sequence.entries()) {
    const api = connection.fork();
    if (!one.planned) {
      await send(api, one);
      continue;
    }
    const earlier = sequence.slice(Math.max(0, at - mostBefore), at);
    const before = earlier.at(-1);
    const last = before ? (before.planned ?? before).id : 'nothing';
    const ask = async (over = api) => {
      const judged = await send(over, one, `${one.planned.id} after ${last}`);
      if (judged.answer.accepted) lastAccepted = judged.answer;
      return judged;
    };
    const again = async () => {
      const another = api.connect();
      for (const each of earlier) await send(another, each);
      return ask(another);
    };
    const plainly = () => send(api.connect(), one, `${one.planned.id} gets the same answer on a new connection`);
    const how = `sent after ${last} on the same connection`;
    const results = await stays({ api, planned: one.planned, how, ask, again, plainly, beside: () => lastAccepted });
    if (results.some(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive'))
      return [...passed.values(), ...results.map(byOthers)];
    for (const result of results) passed.set(`${result.requirement} ${result.operation} ${result.kind}`, result);
  }
  return [...passed.values()];
}

/**
 * A documented request is accepted whatever documented request came before it: another token, another person or another
 * operation, on the same connection. What one request leaves behind may break the next, and a request that is sent once more
 * comes after itself, so that no case of the matrix shows it.
 */
export const turns: CheckRun = (api) => inSequence(api, inTurn(api), MOST_BEFORE);

/** The requests that come again before one that was refused after them. */
const MOST_BEFORE = 3;

/** Each request to a fast operation before and after each other one, and a slow one between two of them. */
function inTurn(api: CheckApi): readonly Turn[] {
  // The person may change while the token stays the same.
  const kinds = kindsToAsk(api);
  const requestsOf = (isSlow: boolean, of = kinds): readonly Turn[] =>
    queryOperations(api.contract).flatMap((operation) =>
      (operation.isSlow === isSlow ? of : []).flatMap((kind) =>
        peopleActedAs({ ...api, breadth: 'whole' }, kind).flatMap((acting) => {
          const planned = api.planned(operation.id, kind, {});
          return planned ? [{ planned, acting }] : [];
        }),
      ),
    );
  const all = requestsOf(false);
  const pairs = all.flatMap((one, at) => all.slice(at + 1).flatMap((other) => [one, other, one]));
  const round = api.breadth === 'whole' ? pairs : [...all, ...[...all].reverse()];
  const between = requestsOf(true, api.breadth === 'whole' ? kinds : kinds.slice(0, 1)).flatMap((one) => {
    const beside = all.filter(({ planned }) => planned.values.kind === one.planned.values.kind).slice(0, 1);
    return [...beside, one, ...beside];
  });
  return [...round, ...between].filter((one, at, turns) => one !== turns[at - 1]);
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
