import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { ACT_AS, headerOf } from '../../../harness/contract/contract.ts';
import { holdingsOf } from '../../../harness/contract/holdings.ts';
import type { VariationKind } from '../../../harness/contract/variations.ts';
import type { Breadth } from '../../../harness/record/exchange.ts';
import type { Variation } from '../../variations/variation.ts';
import { kindsOfFamilies } from '../shared/breadth.ts';
import { blame, type Decided, decideEach, decisionOf, fail, inconclusive } from '../shared/decision.ts';
import { cookieSetBy } from '../shared/given-sessions.ts';
import { textsOfLook, variationsFor } from '../shared/known-variations.ts';
import { brokenByNamingIn } from '../shared/named-person.ts';
import { markerOf, type Owner } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import {
  actingAs,
  brokenBy,
  hiddenBeside,
  leakIn,
  look,
  lookAgain,
  lookForBoth,
  requirementsOf,
  type Seen,
  senderOf,
  shows,
  type Viewer,
  viewersOf,
  type Way,
} from '../shared/sightings.ts';
import { CURSOR, namesIn, ONE_RESULT, saidBeside } from './named-texts.ts';

/** Whose data a request shows depends on its token and on X-Service-ActAs of a GLOBAL token, and on nothing else (spec 5.2). */
export async function circumstances(api: CheckApi): Promise<readonly CheckResult[]> {
  const neutral = await Promise.all(
    viewersOf(api)
      .filter(isTried)
      .map((viewer) => lookForBoth(viewer)),
  );
  const cookies = new Map(neutral.map((seen) => [seen.viewer.own.owner, cookieOf(seen)]));
  const searches = neutral.filter(({ viewer }) => viewer.operation.documentsBody);
  const ofOwners = new Map(searches.map((seen) => [seen.viewer.own.owner, seen]));
  const named = new Map(
    await Promise.all([...ofOwners].map(async ([owner, seen]) => [owner, await namedBy(seen)] as const)),
  );
  return decideEach(neutral, (one) =>
    decide(one, [...circumstancesOf(one.viewer, cookies), ...namedTo(one.viewer, named)]),
  );
}

/** Without the whole breadth, a token that can act as both people looks as one of them. */
const isTried = (viewer: Viewer): boolean => viewer.api.breadth === 'whole' || actingAs('ACT_AS')(viewer);

function cookieOf({ viewer: { api, own }, mine, foreign }: Seen): Variation | undefined {
  const how = `the cookies of $${own.owner}_EMAIL`;
  return cookieSetBy(api, mine.answer, how) ?? cookieSetBy(api, foreign.answer, how);
}

/** What a search names, such as its trackingToken, what leads to the page after a first result, and what its own document says of itself. */
async function namedBy({ viewer, mine }: Seen): Promise<readonly Named[]> {
  const paged = await look(viewer, viewer.own, { how: 'pageSize 1', fields: ONE_RESULT });
  const next = paged.outcome.kind === 'accepted' ? namesIn(paged, CURSOR) : {};
  const { api, own } = viewer;
  const said = saidBeside(mine, api.variable(`${own.owner}_PRIVATE_MARKER`) ?? '').slice(0, MOST_SAID[api.breadth]);
  const isOther = ([name]: readonly [string, unknown]) => !Object.hasOwn(viewer.operation.example ?? {}, name);
  return [
    Object.fromEntries(Object.entries(namesIn(mine)).filter(isOther)),
    Object.keys(next).length > 0 ? { ...ONE_RESULT, ...next } : {},
    ...said.map((query) => ({ query })),
  ];
}
const MOST_SAID = { telling: 2, whole: 6 };

type Named = Readonly<Record<string, string | number>>;

/** What a search names is of the person whom it was named to. */
function namedTo(
  { api, operation, kind, other }: Viewer,
  named: ReadonlyMap<Owner, readonly Named[]>,
): readonly Circumstance[] {
  if (operation.isSlow || !kindsOfFamilies(api).includes(kind)) return [];
  const how = `what a search of $${other.owner}_EMAIL named`;
  return (named.get(other.owner) ?? []).flatMap((fields) => {
    const values = Object.values(fields);
    // A shorter text, such as a number, is no secret.
    for (const text of values) if (typeof text === 'string' && text.length >= 12) api.given(text, how);
    return values.length === 0 ? [] : [{ how, fields }];
  });
}

/** Something about a request that its neutral form does not have. */
interface Circumstance extends Way {
  readonly how: string;
  /** The same query must still find the own document. */
  readonly findsOwn?: boolean;
}

/** Without the whole breadth, the telling ones. A chat gets the headers: each of the others costs an answer. */
function circumstancesOf(viewer: Viewer, cookies: ReadonlyMap<Owner, Variation | undefined>): readonly Circumstance[] {
  const { api, operation, kind, isActing, own, other } = viewer;
  const texts = textsOfLook(viewer);
  const rows = (of: VariationKind, breadth: Breadth = 'whole') =>
    variationsFor(api, operation, [of], { texts, breadth });
  const as = (one: Variation, findsOwn = false): Circumstance => ({ how: one.how, variations: [one], findsOwn });
  const { name, lines } = headerOf(api.contract, 'auth-type');
  const isTyped = kindHeaders(api, kind).some(([needed]) => needed === name);
  // The line that OAuth tokens need, with a token that does not need it (spec 5.1).
  const isWhole = api.breadth === 'whole';
  const isLine = (text: string) => lines['OAUTH']?.includes(isWhole ? text.toUpperCase() : text);
  const typed = isTyped ? [] : rows('auth-type').filter((one) => isLine(one.name));
  const cookie = cookies.get(other.owner);
  const headers = [...typed.map((one) => as(one, true)), ...(cookie ? [as(cookie)] : [])];
  // Spellings of an email that a target may accept. What it accepts runs as the person that it names (outcomes 2).
  const free = isActing ? variationsFor(api, operation, ['person'], { texts }).filter(({ isFree }) => isFree) : [];
  // Anything but another case may be read as the address of somebody else, who finds nothing.
  const isSame = ({ value }: Variation) => String(value).toLowerCase() === own.email.toLowerCase();
  const spelled = free.map((one) => as(one, isSame(one)));
  const ofChats = rows('field').filter((one) => OF_CHATS.includes(one.name));
  if (operation.isSlow)
    return isWhole ? [...headers, ...otherTokens(viewer), ...spelled, ...ofChats.map((one) => as(one))] : headers;
  const [pageSize] = rows('field').filter((one) => one.name === 'pageSize');
  const queries = rows('query', 'telling');
  return [
    ...headers,
    ...(pageSize ? [as(pageSize)] : []),
    ...otherTokens(viewer),
    ...queries.map((one) => as(one)),
    ...spelled,
  ];
}

/** The fields of a chat that may lead to what somebody else has asked. */
const OF_CHATS: readonly string[] = ['conversationId', 'stream'];

/** Whether the target accepts somebody who does not exist: it may then take an email in another case for such a person. */
async function admitsUnknown({ api, operation, kind }: Viewer): Promise<boolean> {
  const { accepted } = await api.call({
    operation,
    credential: api.full(kind),
    headers: [[headerOf(api.contract, ACT_AS).name, api.people.nobody]],
    shows: 'somebody who does not exist is refused at this moment',
    wanted: 'either',
  });
  return accepted;
}

/** Tokens of the same person that differ in their expiry or scopes. Each costs a request or two. */
function otherTokens({ api, kind, operation: { id, scopes, isSlow } }: Viewer): readonly Circumstance[] {
  const definition = api.contract.matrix.kinds[kind];
  const single = `only:${scopes}`;
  const holdings = api.breadth === 'whole' && definition && !isSlow ? holdingsOf(api.contract, definition) : [single];
  const expiring = api.planned(id, kind, { validity: 'future-expiry' })?.credential;
  const fewer = holdings.flatMap((holding): Circumstance[] => {
    const planned = holding === 'all' ? undefined : api.planned(id, kind, { holding });
    if (planned?.expectation.kind !== 'accept' || !planned.credential) return [];
    const how = holding === single ? `${scopes} only` : `the scopes ${holding}`;
    return [{ how, credential: planned.credential, findsOwn: true }];
  });
  return [...(expiring ? [{ how: 'an expiry in the future', credential: expiring, findsOwn: true }] : []), ...fewer];
}

async function decide(
  { viewer, mine, foreign }: Seen,
  tried: readonly Circumstance[],
): Promise<readonly CheckResult[]> {
  // The check `isolation` decides that.
  if (leakIn(viewer, [foreign]) || [foreign, mine].some(({ outcome }) => outcome.kind !== 'accepted')) return [];
  const right = await hiddenBeside(viewer, mine, 'nothing that was sent along changed whose documents were shown');
  const changes: Change[] = [];
  for (const circumstance of tried) {
    const change = await changeBy(viewer, circumstance, shows(mine, viewer.own));
    if (change) changes.push(change);
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (change?.breaks === 'nothing') break;
  }
  const varied = { law: 'sighting', with: tried.flatMap(({ variations = [] }) => variations) } as const;
  return requirementsOf(viewer).map((requirement) => {
    const own = changes.filter(({ breaks }) => breaks === requirement);
    // What came once and not again does not hide what is wrong for sure.
    const change =
      own.find(({ decided }) => decided.verdict === 'fail') ??
      own[0] ??
      changes.find(({ breaks }) => breaks === 'nothing');
    return decisionOf(viewer, requirement, change?.decided ?? right, varied);
  });
}

/** What a circumstance changed, and the requirement that this breaks: none if no answer came. */
interface Change {
  readonly breaks: string;
  readonly decided: Decided;
}

async function changeBy(viewer: Viewer, way: Circumstance, isFound: boolean): Promise<Change | undefined> {
  const { api, operation, isActing, own, other } = viewer;
  // A token that names nobody by itself must not run as the person that X-Service-ActAs names.
  const named = isActing ? undefined : await look(viewer, other, { ...way, named: other });
  const isEnough = named?.outcome.kind === 'accepted' && !shows(named, other);
  const plain = isEnough ? named : await look(viewer, other, way);
  const leak = leakIn(viewer, [plain]);
  if (leak) return { breaks: brokenBy(viewer), decided: leak };
  const escalated = named && leakIn(viewer, [named]);
  if (escalated) return { breaks: await brokenByNamingIn(viewer, { ...way, named: other }, way), decided: escalated };
  if (plain.outcome.kind === 'lost') return lost(plain.outcome.why);
  // What is refused is refused whatever is looked for. Each further chat is an answer of its own.
  const isSpared = operation.isSlow && api.breadth !== 'whole';
  if (plain.outcome.kind === 'refused' || !way.findsOwn || !isFound || isSpared) return undefined;
  const showsBeside = async () => shows(await look(viewer, own), own);
  const again = await lookAgain(viewer, () => look(viewer, own, way), showsBeside);
  if (again.kind === 'open' && again.last.outcome.kind === 'lost') return lost(again.last.outcome.why);
  // A chat may leave out what it showed before.
  if (!again.missed || (again.kind !== 'missed' && !operation.documentsBody)) return undefined;
  const isSpelled = way.variations?.some((one) => one.kind === 'person');
  if (isSpelled && (await admitsUnknown(viewer))) return undefined;
  const detail = `${senderOf(viewer, way)}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}; without, it did`;
  const decided = blame(again.kind === 'missed' ? 'wrong' : 'fleeting', fail(again.missed, detail));
  return { breaks: brokenBy(viewer), decided };
}

const lost = (why: string): Change => ({ breaks: 'nothing', decided: inconclusive(why) });
