import type { CheckApi, CheckResult, CheckRun } from '../../harness/checks/check.ts';
import { given } from '../../harness/contract/collections.ts';
import { ACT_AS, headerOf, mayAct } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { personVariable } from '../../harness/contract/people.ts';
import { credentialLine } from '../../harness/plan/request.ts';
import { unlisted, type Variation, variationsOf } from '../variations/variation.ts';
import { kindsOfFamilies, kindThatReaches, oncePerFamily, operationsToTry, queryOperations } from './shared/breadth.ts';
import { callerOf } from './shared/caller.ts';
import { decideEach, decisionOn, inconclusive } from './shared/decision.ts';
import { textsOfLook, textsOfRoutes, variationsFor } from './shared/known-variations.ts';
import { isOfIssued, type Refusal, refusalsOf, refusalsWithoutToken } from './shared/refusals.ts';
import { oncePerRequirement, tryAlone, tryHidden, tryTogether } from './shared/rounds.ts';
import { sendVaried } from './shared/send-varied.ts';
import { partiesOf } from './shared/sightings.ts';
import { staysRefused } from './shared/vary.ts';

/** Nothing that the specification does not name lifts a refusal, or shows what must be hidden (outcomes 2). */
export const influences: CheckRun = async (api) => [
  ...(await decideEach(queryOperations(api.contract), (operation) => decide(api, operation))),
  ...(await answersAsTokens(api)),
];

async function decide(api: CheckApi, operation: Operation): Promise<readonly CheckResult[]> {
  const [parties] = partiesOf(api, kindThatReaches(api, operation));
  const queries = variationsFor(api, operation, ['query'], { texts: parties && textsOfLook(parties) });
  // What the specification names is in the first bundle: a slow operation gets no other elsewhere.
  const documented = variationsFor(api, operation, ['auth-type']);
  const all = [...documented, ...variationsFor(api, operation, KINDS).filter(isNoOtherToken)];
  const [bundled, alone] = [all.filter(({ isAlone }) => !isAlone), all.filter(({ isAlone }) => isAlone)];
  const { isSlow } = operation;
  const isWhole = api.breadth === 'whole';
  const issued = api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind).filter(isOfIssued));
  const refusals = oncePerFamily(api, issued, isSlow ? 'first' : 'last');
  // Without the whole breadth, the operations take turns with the two people.
  const two = isWhole ? [] : people(api).slice(0, 2);
  const needless = isSlow ? two.slice(-1) : two.slice(0, 1);
  const rest = variationsFor(api, operation, NAMED, { breadth: 'whole' }).filter(({ isTelling }) => !isTelling);
  const once = oncePerRequirement(api, operation);
  const withToken = once.filter(({ kind }) => kind !== 'none');
  const apart = (variations: readonly Variation[], wrong = once) =>
    tryAlone(api, { operation, variations, refusals: wrong });
  const rounds = [
    tryTogether(api, { operation, variations: bundled, refusals, needless }),
    ...(isWhole ? [apart([...alone, ...queries]), beingNamed(api, operation, refusals)] : []),
    // Another text to search for shows more, rather than that it stands in for a token.
    ...(isWhole || isSlow
      ? []
      : [apart(alone), apart(queries, withToken), tryHidden(api, { operation, variations: rest })]),
  ];
  return decideEach([byOtherRoutes(api, operation), ...rounds], (round) => round);
}

/** Another address may lead to another server, which may lack any of the rules. A target has few of these ways. */
async function byOtherRoutes(api: CheckApi, operation: Operation): Promise<readonly CheckResult[]> {
  if (operation.isSlow && api.breadth === 'telling') return [];
  const variations = variationsFor(api, operation, ['route'], { texts: textsOfRoutes(await api.routes()) });
  return tryAlone(api, { operation, variations, refusals: oncePerRequirement(api, operation, { breadth: 'whole' }) });
}

/** X-Service-ActAs beside a token that does not need it lifts no refusal, and does not make the token run as that person (spec 5.1). */
async function beingNamed(
  api: CheckApi,
  operation: Operation,
  refusals: readonly Refusal[],
): Promise<readonly CheckResult[]> {
  // A token that acts as somebody runs as the other person rightly, also where it is the control of requests without a token.
  const kinds = api.claims.kinds.filter((kind) => !mayAct(api.contract, kind));
  const needless = refusals.filter(({ kind, fault }) => kinds.includes(kind) && fault !== ACT_AS);
  return needless.length === 0
    ? []
    : tryTogether(api, { operation, variations: people(api), refusals: needless, kinds });
}

/** The people whom X-Service-ActAs can name. Those of a kind of token may reach what the kind that names them may not. */
function people({ contract, people: { actAs, user }, claims, variable }: CheckApi): readonly Variation[] {
  if (!contract.headers.includes(ACT_AS)) return [];
  const ofKinds = claims.kinds.map((kind) => variable(personVariable(contract, kind)));
  const values = [...new Set(given([actAs, user, ...ofKinds]))];
  const { name } = headerOf(contract, ACT_AS);
  return variationsOf({ kind: 'header', name, values, about: 'documented', source: 'spec', telling: 0 }, {});
}

const NAMED = ['header', 'cookie', 'parameter', 'field'] as const;
/** The checks `side-doors` and `other-paths` try other methods and paths. */
const KINDS = [...NAMED, 'content-type', 'transport', 'authorization'] as const;

/** Another Authorization line is another token, unless HTTP calls it equal. */
const isNoOtherToken = ({ kind, isEqual }: Variation): boolean => kind !== 'authorization' || isEqual;

/**
 * No text of an answer is a token: tokens come from an administrator or from a provider (spec 1), and what an answer names, such
 * as its trackingToken, ends up in logs.
 */
export const answersAsTokens = (api: CheckApi): Promise<readonly CheckResult[]> => {
  const kinds = kindsOfFamilies(api).slice(0, api.breadth === 'whole' ? undefined : 1);
  return decideEach(operationsToTry(api), (operation) =>
    decideEach(kinds, (kind) => askedWithTexts(api, operation, kind)),
  );
};

async function askedWithTexts(api: CheckApi, operation: Operation, kind: string): Promise<readonly CheckResult[]> {
  const caller = await callerOf(api, { operation, kind });
  const refusal = refusalsWithoutToken(api, operation, kind).find((one) => one.kind === 'unknown');
  if (!caller?.control || !refusal) return [];
  const shows = `the documented request with the ${kind} token is accepted, and may name what a target takes for a token`;
  const { base } = caller;
  const answer = await sendVaried(api, operation, { base, variations: [], shows, wanted: 'accepted' });
  const tokens = api.claims.kinds.map((one) => api.full(one)?.token);
  const texts = opaqueTexts(answer.text)
    .filter(({ text }) => !tokens.includes(text))
    .slice(0, MOST[api.breadth]);
  if (texts.length === 0) return [];
  const groups = texts.map(({ name, text }) => {
    const how = `${name} of an answer as the token`;
    api.given(text, how);
    const value = credentialLine(api.contract, text);
    const item = unlisted(how, { kind: 'authorization', name: how, isAlone: true, value });
    return { items: [item], evidence: caller.like };
  });
  const wrong = { ...refusal, headers: base.headers };
  const { varied: _noRow, ...result } = await staysRefused(caller, wrong, { groups, refused: [] });
  return [result];
}

const MOST = { telling: 1, whole: 6 };

/** The texts that are as long as a token and have no blanks, those first whose name says that they are something of the kind. */
function opaqueTexts(answer: string) {
  const members = answer.matchAll(/"([\w-]{1,40})"\s*:\s*"([\w.~+/=-]{12,4096})"/g);
  const found = [...members].map(([, name = '', text = '']) => ({ name, text }));
  // A target may renew the token of a request, or show a person their own, which is open. What has no digit may be a word.
  const opaque = found.filter(({ name, text }) => !RENEWED.test(name) && /\d/.test(text));
  const distinct = [...new Map(opaque.map((one) => [one.text, one])).values()];
  return distinct.sort((a, b) => Number(LIKELY.test(b.name)) - Number(LIKELY.test(a.name)));
}
const RENEWED = /(?:access|refresh|id|bearer|auth|new|renewed)[_-]?token|api[_-]?key|jwt/i;
const LIKELY = /token|secret|session|ticket|key/i;

/**
 * Some frameworks serve an operation on other spellings of its path, or with other methods, and some of their filters know only
 * the documented ones. The check `side-doors` tries all of them without a token.
 */
export const otherPaths: CheckRun = (api) =>
  decideEach(operationsToTry(api), (operation) => {
    const variations = variationsFor(api, operation, ['method', 'path']);
    // Few targets serve any of these, so each is tried with every requirement, and with the whole breadth for every kind.
    const once = oncePerRequirement(api, operation, { breadth: 'whole' }).filter(({ kind }) => kind !== 'none');
    const issued = api.breadth === 'whole' ? api.claims.kinds.flatMap((kind) => refusalsOf(api, operation, kind)) : [];
    const others = issued.filter((one) => isOfIssued(one) && !once.some(({ what }) => what === one.what));
    return tryAlone(api, { operation, variations, refusals: [...once, ...others] });
  });

/** Every request carries a token, whatever its method and however its path is written (spec 1 and 5.1, outcomes 2). */
export const sideDoors: CheckRun = async (api) =>
  (await Promise.all(queryOperations(api.contract).map((operation) => decideWithout(api, operation)))).flat();

async function decideWithout(api: CheckApi, operation: Operation): Promise<readonly CheckResult[]> {
  const unit = { requirement: 'authorization.required', operation: operation.id, kind: 'none' };
  const caller = await callerOf(api, { operation, kind: kindThatReaches(api, operation) });
  if (!caller) return [decisionOn(api, unit, inconclusive('the plan has no request with a token'))];
  // A contract of somebody's own may leave open what a request without a token gets.
  const refusal = refusalsWithoutToken(api, operation, caller.kind).find(({ kind }) => kind === 'none');
  if (!refusal) return [];
  // A server may refuse these with a token, and answer without one.
  const refused = variationsFor(api, operation, ['method', 'path']);
  return [await staysRefused(caller, { ...refusal, headers: [] }, { groups: [], refused })];
}
