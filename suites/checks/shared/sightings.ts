import { type CheckOutcome, readIn } from '../../../harness/checks/acceptance.ts';
import { type Call, type CheckAnswer, type CheckApi, showsMarker } from '../../../harness/checks/check.ts';
import { ACT_AS, actsAs, headerOf } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import type { Variation } from '../../variations/variation.ts';
import { queryOperations } from './breadth.ts';
import { type Decided, fail, hid, inconclusive, type KindAt, notTestable, observed, untried } from './decision.ts';
import { belongsTo, markerOf, type Owner, type Person, privatePeople } from './private-documents.ts';
import { kindHeaders } from './refusals.ts';
import { sendVaried } from './send-varied.ts';

// The second law: a private document stays hidden, however somebody asks, and its owner finds it (spec 5.2). Here is who looks,
// how a look is sent, and what looks show. Which tokens look, and in which ways, each check says for itself.

/** Who looks, and who must stay hidden from them. */
export interface Parties {
  /** Whether X-Service-ActAs says who it is. */
  readonly isActing: boolean;
  /** The documents of a third person are not known. */
  readonly isThird: boolean;
  /** A third person has the place of USER_EMAIL. */
  readonly own: Person;
  readonly other: Person;
}

/** A token that looks for private documents with one operation. */
export interface Viewer extends Parties, KindAt {
  readonly credential: Credential;
}

/** Who the tokens of a kind can look as: ACT_AS_EMAIL and USER_EMAIL in turn, or one person, or nobody. */
export function partiesOf(api: CheckApi, kind: string): readonly Parties[] {
  const people = privatePeople(api);
  const isActing = actsAs(api.contract, kind);
  // The check `isolation` reports what is missing, and whose tokens are nobody's.
  if (people.kind === 'missing' || (!isActing && belongsTo(api, kind) === 'nobody')) return [];
  const { ACT_AS, USER } = people;
  const isThird = !isActing && belongsTo(api, kind) === 'third person';
  const asUser = { isActing, isThird, own: USER, other: ACT_AS };
  return isActing ? [{ ...asUser, own: ACT_AS, other: USER }, asUser] : [asUser];
}

/** The valid tokens that somebody has, on these operations. One that can act as both people is there for each of them. */
export function viewersOf(
  api: CheckApi,
  operations: readonly Operation[] = queryOperations(api.contract),
): readonly Viewer[] {
  return api.claims.kinds.flatMap((kind) => {
    const credential = api.full(kind);
    const looking = operations.flatMap((operation) =>
      partiesOf(api, kind).map((parties) => ({ operation, ...parties })),
    );
    return credential ? looking.map((one) => ({ ...one, kind, credential, api: api.spread() })) : [];
  });
}

/** Those of the viewers that act as this person, if they act as anybody. */
export const actingAs =
  (owner: Owner) =>
  ({ isActing, own }: Viewer): boolean =>
    !isActing || own.owner === owner;

export function whyNoViewer(api: CheckApi, kind: string): Decided | undefined {
  const people = privatePeople(api);
  if (people.kind === 'missing') return notTestable(people.variable);
  if (!api.full(kind)) return notTestable(`${kind}_TOKEN`);
  return partiesOf(api, kind).length > 0 ? undefined : observed(`$${kind}_EMAIL says that the token is nobody's`);
}

/** Whose document the requests of a kind of token must not show. Undefined if that is not known. */
export function strangerTo(api: CheckApi, kind: string): Person | undefined {
  const [parties] = partiesOf(api, kind);
  return parties?.isThird ? undefined : parties?.other;
}

/** How somebody looks. What is left out is as in the documented request. */
export interface Way {
  /** In words. A look without them must be accepted. */
  readonly how?: string;
  readonly variations?: readonly Variation[];
  readonly fields?: object;
  readonly credential?: Credential;
  /** The person in an X-Service-ActAs that the token does not need. */
  readonly named?: Person;
  /** When it is sent, if that matters. */
  readonly when?: string;
  /** It is sent though the same request was: another answer may come. By default, chats are sent once where they are few. */
  readonly isAnew?: true;
}

export interface Sighting {
  readonly way: Way;
  readonly answer: CheckAnswer;
  readonly outcome: CheckOutcome;
}

export async function look(viewer: Viewer, sought: Person, way: Way = {}): Promise<Sighting> {
  const { api, operation } = viewer;
  const { body, headers = [], credential, ...call } = callOf(viewer, sought, way);
  const answer = await sendVaried(api, operation, {
    ...call,
    ...{ base: { credential, headers }, variations: way.variations ?? [], fields: body, isAnew: way.isAnew === true },
  });
  return { way, answer, outcome: readIn(answer, operation) };
}

/** What a token sees of both documents. */
export interface Seen {
  readonly viewer: Viewer;
  readonly foreign: Sighting;
  readonly mine: Sighting;
}

export async function lookForBoth(viewer: Viewer, way?: Way): Promise<Seen> {
  const foreign = await look(viewer, viewer.other, way);
  return { viewer, foreign, mine: await look(viewer, viewer.own, way) };
}

export function callOf(viewer: Viewer, sought: Person, way: Way = {}) {
  const { api, operation, kind, isActing, isThird, own } = viewer;
  const isOwn = sought.owner === own.owner;
  const isPlain = way.how === undefined && !way.named;
  const shows = `${operation.id} ${senderOf(viewer, way)} ${isOwn ? 'shows' : 'does not show'} ${markerOf(sought)}`;
  return {
    operation,
    credential: way.credential ?? viewer.credential,
    headers: kindHeaders(api, kind, (way.named ?? (isActing ? own : undefined))?.email),
    body: { ...operation.example, query: sought.query, ...way.fields },
    shows: way.when === undefined ? shows : `${shows} ${way.when}`,
    wanted: isPlain ? 'accepted' : 'either',
    finds: isPlain && isOwn && !isThird ? own.owner : undefined,
  } satisfies Call;
}

/** `with the GLOBAL token and X-Service-ActAs: $USER_EMAIL` */
export function senderOf({ api, kind, isActing, own }: Viewer, { how, named }: Way = {}): string {
  const acting = named ?? (isActing && how === undefined ? own : undefined);
  const header = acting && `${headerOf(api.contract, ACT_AS).name}: $${acting.owner}_EMAIL`;
  return ['with', [`the ${kind} token`, ...(header ? [header] : []), ...(how ? [how] : [])].join(' and ')].join(' ');
}

/** Whether a look shows the document of a person. A refusal must not show it either. */
export const shows = ({ answer }: Pick<Sighting, 'answer'>, { owner }: Person): boolean => showsMarker(answer, owner);

/** What makes the difference where a token names somebody as whom it may not act. */
export const namingIn = ({ api }: Pick<Viewer, 'api'>): string => `header ${headerOf(api.contract, ACT_AS).name}`;

/** The first of these looks that shows what this viewer must not see: a failure. */
export function leakIn(viewer: Viewer, sightings: readonly Sighting[]): Decided | undefined {
  const { own, other, isThird } = viewer;
  const hidden = isThird ? [other, own] : [other];
  for (const sighting of sightings)
    for (const person of hidden)
      if (shows(sighting, person))
        return fail(
          sighting.answer,
          `${senderOf(viewer, sighting.way)}, ${markerOf(person)} was returned`,
          // Whether the name or something else shows it, it is one fault of the same request.
          sighting.way.named && namingIn(viewer),
        );
  return undefined;
}

export function blindness(viewer: Viewer, sightings: readonly Sighting[]): Decided | undefined {
  for (const { outcome } of sightings) if (outcome.kind === 'lost') return inconclusive(outcome.why);
  const refused = sightings.find(({ outcome }) => outcome.kind === 'refused');
  return refused && inconclusive(`${senderOf(viewer, refused.way)}, the request was refused, so nothing was seen`);
}

/**
 * The verdict if no look showed what must stay hidden: it counts beside a look that shows the own document. Nobody knows a
 * document of a third person, so that the acceptance must do.
 */
export async function hiddenBeside(viewer: Viewer, mine: Sighting, detail: string): Promise<Decided> {
  const { api, own, other, isThird } = viewer;
  const blind = blindness(viewer, [mine]);
  if (blind) return blind;
  if (isThird || shows(mine, own)) return hid(other, await api.acceptance(mine.answer), detail);
  return notFound(viewer);
}

/** The verdict if nobody found what the viewer would find. A free success body need not show what was found (outcomes 2). */
export function notFound(viewer: Viewer, verdict: (detail: string) => Decided = inconclusive): Decided {
  const { operation, own } = viewer;
  if (!operation.documentsBody) return untried('no answer showed a private marker');
  return verdict(`${senderOf(viewer)}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}`);
}

/** The requirements that say what a token must not see: that of its person, and that of the people who are named needlessly. */
export const requirementsOf = ({ isActing }: Pick<Viewer, 'isActing'>): readonly [string, ...string[]] =>
  isActing ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];

/** The one that a leak breaks. @param namesOther whether the request names the person whose document it shows. */
export function brokenBy(viewer: Pick<Viewer, 'isActing'>, namesOther = false): string {
  const [own, named = own] = requirementsOf(viewer);
  return namesOther ? named : own;
}

/**
 * So many looks in a row must lack the own document, each beside one that shows a document to its owner, before its absence
 * counts: results may list anything, and a chat may quote a document now and then. Whatever the rate, six come by chance once
 * in 4^6 times at most (outcomes 2).
 */
const MISSES = 6;

/** What comes of looking for the own document again, after it was absent. */
export interface Again {
  /** `missed`: it is absent as often as counts. `open`: a look was not accepted, or no other one showed a document. */
  readonly kind: 'missed' | 'found' | 'open';
  readonly last: Sighting;
  /** The last answer without the document. */
  readonly missed: CheckAnswer | undefined;
}

/** Some servers take turns, and one may lag behind: with one request beside a look, and then two, no look meets the same each time. */
export async function lookAgain(
  { own }: Pick<Viewer, 'own'>,
  ask: () => Promise<Sighting>,
  showsBeside: () => Promise<boolean>,
): Promise<Again> {
  let missed: CheckAnswer | undefined;
  for (let time = 1; ; time += 1) {
    const last = await ask();
    if (last.outcome.kind !== 'accepted') return { kind: 'open', last, missed };
    if (shows(last, own)) return { kind: 'found', last, missed };
    missed = last.answer;
    for (let beside = time % 2; beside < 2; beside += 1)
      if (!(await showsBeside())) return { kind: 'open', last, missed };
    if (time === MISSES) return { kind: 'missed', last, missed };
  }
}
