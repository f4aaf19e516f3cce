import { outcomeOf } from '../../harness/checks/acceptance.ts';
import { byOthers, type CheckAnswer, type CheckApi, type CheckResult } from '../../harness/checks/check.ts';
import { actsAs } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { unlisted } from '../variations/variation.ts';
import { onePerFamily, queryOperations } from './shared/breadth.ts';
import { type Decided, decisionOf, fail, hid, inconclusive, pass, type Unit } from './shared/decision.ts';
import { markerOf, type Person, privatePeople } from './shared/private-documents.ts';
import { baseOf, type Refusal, refusalsOfKinds } from './shared/refusals.ts';
import {
  blindness,
  brokenBy,
  leakIn,
  look,
  lookAgain,
  notFound,
  type Sighting,
  senderOf,
  shows,
  type Viewer,
  viewersOf,
} from './shared/sightings.ts';

/**
 * An answer belongs to the person and the token that it was made for. A cache that leaves one of them out of its key shows it
 * to the next one who sends the same body. The searches find something, because a cache may keep only such answers.
 */
export async function caches(api: CheckApi): Promise<readonly CheckResult[]> {
  const operations = queryOperations(api.contract);
  const operation = operations.find(({ documentsBody }) => documentsBody);
  const people = privatePeople(api);
  // The check `isolation` reports the missing variable.
  if (!operation || people.kind === 'missing') return [];
  const first = api.connect();
  const lines: Lines = { first, after: Object.entries({ another: api.connect(), 'the same': first }) };
  // Nothing is known of the documents of a third person.
  const owners = viewersOf(api, operations).filter(({ isThird }) => !isThird);
  const results: CheckResult[] = [];
  const pairs = pairsOf(api, owners);
  for (const pair of pairs) {
    // A server reads a key in the same way whichever kind of token comes with it.
    const alike = pairs.filter(([, after]) => after.isActing === pair[1].isActing);
    results.push(await shared(lines, pair, api.breadth === 'whole' || pair === alike[0]));
  }
  const kinds = api.claims.kinds.filter((kind) => api.full(kind));
  for (const denial of refusalsOfKinds(api, operation, { kinds, which: 'first' })) {
    const isActing = denial.acting !== 'user' && actsAs(api.contract, denial.controlKind);
    results.push(await refused(lines, operation, people[isActing ? 'ACT_AS' : 'USER'], denial));
  }
  return results;
}

/** The connection of the first request, and those of the next ones, in words. */
interface Lines {
  readonly first: CheckApi;
  readonly after: readonly (readonly [line: string, api: CheckApi])[];
}

/**
 * Every token after that of another person. One that can act as both is also sent after itself. A slow operation is asked with
 * a kind of each family, after itself and after a fast one, whose results a chat may quote; without the whole breadth, once.
 */
function pairsOf(api: CheckApi, viewers: readonly Viewer[]): readonly Pair[] {
  const families = onePerFamily(api);
  const isOfFamilies = ({ kind, isActing }: Viewer) => isActing || families.includes(kind);
  const pairs = viewers
    .flatMap((before) => viewers.map((after) => [before, after] as const))
    .filter(([before, after]) => before.own.owner !== after.own.owner && (before.isActing || after.isActing));
  const alike = pairs.filter(([before, after]) => before.operation === after.operation);
  const quoted = pairs.filter(([before, after]) => !before.operation.isSlow && after.operation.isSlow);
  const slow = [...alike, ...quoted].filter((pair) => pair[1].operation.isSlow && pair.every(isOfFamilies));
  return [
    ...alike.filter(([{ operation }]) => !operation.isSlow),
    ...(api.breadth === 'whole' ? slow : slow.slice(0, 1)),
  ];
}

type Pair = readonly [before: Viewer, after: Viewer];

/**
 * `after` sends the request of `before` right after it: over another connection, and then as the next request of the same
 * connection. So both a cache of the server and one of the connection are asked first.
 * @param isKeyed whether both also send one key.
 */
async function shared({ first, after: lines }: Lines, [before, after]: Pair, isKeyed: boolean): Promise<CheckResult> {
  const { own } = before;
  const unit = { requirement: brokenBy(after), operation: after.operation.id, kind: after.kind };
  const isFew = after.operation.isSlow && first.breadth !== 'whole';
  const mine = await look({ ...before, api: first }, own, { isAnew: true });
  const again = [];
  for (const [line, api] of isFew ? lines.slice(0, 1) : lines) {
    const when = `right after it was shown to its owner, over ${line} connection`;
    again.push(await look({ ...after, api }, own, { when, isAnew: true }));
  }
  const withKey = isKeyed ? await keyed(first, before, after) : [];
  const cut = isKeyed ? await broken(first, before, after) : [];
  const steps = [mine, ...again, ...withKey, ...cut].map(({ answer }) => answer);
  const leak = leakIn(after, [...again, ...withKey, ...cut]);
  if (leak) {
    const detail = `${leak.detail} right after the same ${after.operation.id} ${senderOf(before)}`;
    const result = { ...unit, ...leak, detail, steps };
    // What is never hidden shows each time.
    return isHiddenAlone(first, unit) || !leakIn(after, again) ? byOthers(result) : result;
  }
  const missed = shows(mine, own) ? undefined : await missedAfter(first, before, after);
  if (missed) return missed;
  const detail = `${senderOf(after)}, the same ${after.operation.id} hid ${markerOf(own)}`;
  // A target may refuse a key, and nothing else of these.
  const unseen = [...again, ...withKey.filter(({ outcome }) => outcome.kind === 'lost')];
  const found = shows(mine, own)
    ? hid(own, await first.acceptance(mine.answer), detail)
    : notFound({ ...before, operation: after.operation });
  return { ...unit, ...(blindness(after, unseen) ?? blindness(before, [mine]) ?? found), steps };
}

/** Whether each person saw their own documents only, before anybody asked for those of another right after them. */
function isHiddenAlone(api: CheckApi, { operation, kind }: Unit): boolean {
  const isOf = (one: Decision) => one.check === 'isolation' && one.operation === operation && one.kind === kind;
  return api
    .decided()
    .filter(isOf)
    .every(({ verdict }) => verdict !== 'fail');
}

/** A target may answer two requests with one key alike, if both are of one person. A slow operation is not asked for that. */
async function keyed(api: CheckApi, before: Viewer, after: Viewer): Promise<readonly Sighting[]> {
  if (after.operation.isSlow || before.operation.isSlow) return [];
  const value = `conformance-${(api.seed >>> 0).toString(36)}-${before.kind}-${after.kind}-${before.own.owner}`;
  // A cache may keep compressed answers alone.
  const lines = {
    ...Object.fromEntries(KEYS.map((name) => [name, value])),
    'Accept-Encoding': 'gzip',
  };
  const variations = Object.entries(lines).map(([name, value]) => unlisted(name, { name, value }));
  // A cache may keep pages alone. No other check asks for this one.
  const fields = api.contract.has.includes('page-size') ? { pageSize: 20 } : {};
  const way = { how: `the same ${[...Object.keys(lines), ...Object.keys(fields)].join(' and ')}`, variations, fields };
  await look({ ...before, api }, before.own, way);
  return [await look({ ...after, api }, before.own, way)];
}

/** Who cannot read a body may answer with what it answered last. */
async function broken(api: CheckApi, before: Viewer, after: Viewer): Promise<readonly Sighting[]> {
  if (api.breadth !== 'whole' || before.operation !== after.operation) return [];
  const how = 'a body that is no JSON';
  const cut = unlisted(how, { kind: 'transport', name: 'body-cut-short', value: '', isRaw: true });
  await look({ ...before, api }, before.own, { isAnew: true });
  return [await look({ ...after, api }, before.own, { how, variations: [cut] })];
}

/** Headers by which servers know a request that comes again. */
const KEYS = ['Idempotency-Key', 'X-Idempotency-Key', 'Repeatability-Request-ID', 'X-Request-Id'];

/** An own document that is absent right after the request of another person every time, and there right after the own request. */
async function missedAfter(parent: CheckApi, before: Viewer, after: Viewer): Promise<CheckResult | undefined> {
  const viewer = { ...before, api: parent.fork() };
  const { own, operation } = viewer;
  if (!operation.documentsBody) return undefined;
  const found = await lookAgain(
    viewer,
    async () => {
      await look({ ...after, api: viewer.api }, own);
      return look(viewer, own, { when: 'right after the request of another person' });
    },
    async () => shows(await look(viewer, own, { when: 'right after the own request' }), own),
  );
  if (found.kind !== 'missed') return undefined;
  const detail = `${senderOf(before)}, ${markerOf(own)} is not found right after the request ${senderOf(after)}; after the own one, it is`;
  return byOthers(decisionOf(viewer, brokenBy(viewer), fail(found.missed, detail)));
}

/** A search that must be refused is refused right after the same search was accepted. */
async function refused(
  { first, after }: Lines,
  operation: Operation,
  { email, query }: Person,
  { what, requirement, controlKind: kind, credential, headers, authorization }: Refusal,
): Promise<CheckResult> {
  const body = { ...operation.example, query };
  const [named] = actsAs(first.contract, kind) ? [email] : [];
  const accepted = await first.call({
    ...{ operation, ...baseOf(first, kind, named), body },
    ...{ shows: `a search with the ${kind} token is accepted`, wanted: 'accepted' },
  });
  const answers: CheckAnswer[] = [];
  for (const [line, api] of after) {
    const shows = `a search with ${what} is refused right after the same search was accepted, over ${line} connection`;
    answers.push(await api.call({ operation, credential, headers, authorization, body, shows, wanted: 'refused' }));
  }
  const decided = await decideRefused(first, accepted, answers);
  const result = { requirement, operation: operation.id, kind, ...decided, steps: [accepted, ...answers] };
  if (decided.verdict !== 'fail') return result;
  const alone = await first.call({
    ...{ operation, credential, headers, authorization, body: { ...body, query: `${query} ${NOT_ASKED}` } },
    ...{ shows: `a search with ${what} for what nobody has asked is refused`, wanted: 'refused' },
  });
  return outcomeOf(alone).kind === 'refused' ? byOthers(result) : result;
}
/** No cache has an answer to a query with these words. */
const NOT_ASKED = 'of the seventh attempt';

async function decideRefused(api: CheckApi, accepted: CheckAnswer, answers: readonly CheckAnswer[]): Promise<Decided> {
  const taken = answers.find((answer) => outcomeOf(answer).kind === 'accepted');
  if (taken) return fail(taken, `accepted; must be refused: ${taken.step?.shows ?? ''}`);
  for (const outcome of answers.map(outcomeOf)) if (outcome.kind === 'lost') return inconclusive(outcome.why);
  return pass(await api.acceptance(accepted), answers[0]?.step?.shows ?? '');
}
