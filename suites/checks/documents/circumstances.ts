import { type CheckOutcome, readIn } from '../../../harness/checks/acceptance.ts';
import {
  type Call,
  type CheckAnswer,
  type CheckApi,
  type CheckResult,
  showsMarker,
} from '../../../harness/checks/check.ts';
import { ACT_AS, actsAs, headerOf } from '../../../harness/contract/contract.ts';
import { queryOperations } from '../shared/breadth.ts';
import { blame, type Decided, decideEach, decisionOn, fail, hid, inconclusive, observed } from '../shared/decision.ts';
import {
  belongsTo,
  MISSES_OF_CHATS,
  markerOf,
  type Owner,
  type Person,
  privatePeople,
} from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { cookiesSetBy } from '../shared/rounds.ts';
import { type Caller, type Circumstance, circumstancesOf, cookiesOf } from './circumstance-list.ts';

/** Whose data a request shows depends on its token and on X-Service-ActAs of a GLOBAL token, and on nothing else (spec 5.2). */
export async function circumstances(api: CheckApi): Promise<readonly CheckResult[]> {
  const people = privatePeople(api);
  // The check `isolation` reports the missing variable.
  if (people.kind === 'missing') return [];
  const callers = api.claims.kinds.flatMap((kind) =>
    queryOperations(api.contract).flatMap((operation): Caller[] => {
      const credential = api.full(kind);
      const isActing = actsAs(api.contract, kind);
      if (!credential || (!isActing && belongsTo(api, kind) === 'nobody')) return [];
      const [own, other] = isActing ? [people.ACT_AS, people.USER] : [people.USER, people.ACT_AS];
      return [{ api: api.spread(), kind, operation, credential, isActing, own, other }];
    }),
  );
  const controlled = await Promise.all(callers.map(control));
  const cookies = new Map(controlled.flatMap(({ caller, cookie }) => (cookie ? [[caller.own.owner, cookie]] : [])));
  return decideEach(controlled, (one) => decide(one, cookies));
}

const NEUTRAL: Circumstance = { how: 'nothing else' };

/** The searches of a token in its neutral form. */
interface Controlled {
  readonly caller: Caller;
  /** What is decided if no circumstance changes anything. */
  readonly right: Decided;
  /** Whether the neutral request is accepted and hides the document of the other person. The check `isolation` decides that. */
  readonly hides: boolean;
  readonly findsOwn: boolean;
  readonly cookie: string | undefined;
}

async function control(caller: Caller): Promise<Controlled> {
  const { api, kind, operation, own, other } = caller;
  const foreign = await search(caller, NEUTRAL, { sought: other, wanted: 'accepted' });
  const mine = await search(caller, NEUTRAL, { sought: own, wanted: 'accepted' });
  const hides = [foreign, mine].every(({ outcome }) => outcome.kind === 'accepted') && !shows(foreign, other);
  const right = async (): Promise<Decided> => {
    if (mine.outcome.kind === 'lost') return inconclusive(mine.outcome.why);
    if (!caller.isActing && belongsTo(api, kind) === 'third person')
      return observed(`no private document of $${kind}_EMAIL is known`);
    if (shows(mine, own))
      return hid(
        other,
        await api.acceptance(mine.answer),
        'nothing that was sent along changed whose documents were shown',
      );
    return operation.documentsBody
      ? inconclusive(`the ${kind} token did not find ${markerOf(own)}`)
      : observed('no answer showed a private marker');
  };
  const cookie = cookiesSetBy(api, mine.answer, cookiesOf(own)) ?? cookiesSetBy(api, foreign.answer, cookiesOf(own));
  return { caller, right: await right(), hides, findsOwn: shows(mine, own), cookie };
}

/** What a circumstance changed: the requirement that it broke, and the answer that showed it. */
interface Changed {
  readonly requirement: string;
  readonly decided: Decided;
}

async function decide(
  { caller, right, hides, findsOwn }: Controlled,
  cookies: ReadonlyMap<Owner, string>,
): Promise<CheckResult[]> {
  const { api, kind, operation, isActing } = caller;
  if (!hides) return [];
  const changed: Changed[] = [];
  let lost: string | undefined;
  const tried = circumstancesOf(caller, cookies);
  for (const circumstance of tried) {
    const found = await tryCircumstance(caller, circumstance, findsOwn);
    changed.push(...found.changed);
    lost ??= found.lost;
    // If one request gets no answer after its retries, the others are not sent: each would take as long.
    if (lost !== undefined) break;
  }
  const requirements = isActing ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];
  return requirements.map((requirement) => {
    const found = changed.flatMap((one) => (one.requirement === requirement ? [one.decided] : []));
    // What came once and not again does not hide what is wrong for sure.
    const broken = found.find(({ verdict }) => verdict === 'fail') ?? found[0];
    const unit = { requirement, operation: operation.id, kind };
    const varied = { law: 'sighting', with: tried.flatMap(({ variation }) => variation ?? []) } as const;
    return { ...decisionOn(api, unit, broken ?? (lost === undefined ? right : inconclusive(lost))), varied };
  });
}

async function tryCircumstance(
  caller: Caller,
  circumstance: Circumstance,
  findsOwn: boolean,
): Promise<{ readonly changed: readonly Changed[]; readonly lost: string | undefined }> {
  const { kind, operation, own, other, isActing } = caller;
  const requirement = isActing ? 'act-as.effective' : 'user.isolation';
  const who = `with the ${kind} token and ${circumstance.how}`;
  const leak = ({ answer }: Sighting, broken: string, also = '') => ({
    changed: [{ requirement: broken, decided: fail(answer, `${who}${also}, ${markerOf(other)} was returned`) }],
    lost: undefined,
  });
  // A token that names nobody by itself must not run as the person that X-Service-ActAs names.
  const named = isActing ? undefined : await search(caller, circumstance, { sought: other, named: other });
  const isEnough = named?.outcome.kind === 'accepted' && !shows(named, other);
  const seen = isEnough ? named : await search(caller, circumstance, { sought: other });
  if (shows(seen, other)) return leak(seen, requirement);
  const { name } = headerOf(caller.api.contract, ACT_AS);
  if (named && shows(named, other)) return leak(named, 'act-as.no-escalation', ` and ${name}: $${other.owner}_EMAIL`);
  if (seen.outcome.kind === 'lost') return { changed: [], lost: seen.outcome.why };
  // What is refused is refused whatever is looked for. Each further chat is an answer of its own.
  if (
    seen.outcome.kind === 'refused' ||
    !circumstance.findsOwn ||
    !findsOwn ||
    (operation.isSlow && caller.api.breadth !== 'whole')
  )
    return { changed: [], lost: undefined };
  const missed = await missesOwn(caller, circumstance);
  if (missed.kind !== 'missed') return { changed: [], lost: missed.kind === 'lost' ? missed.why : undefined };
  const missing = fail(
    missed.answer,
    `${who}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}; without, it did`,
  );
  return {
    changed: [{ requirement, decided: blame(missed.again ? 'wrong' : 'fleeting', missing) }],
    lost: undefined,
  };
}

type Missed =
  | { readonly kind: 'found' }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'missed'; readonly answer: CheckAnswer; readonly again: boolean };

/** An own document is missed if it is absent twice; in a chat more often, each beside a neutral one that shows it (outcomes 2). */
async function missesOwn(caller: Caller, circumstance: Circumstance): Promise<Missed> {
  const { own, operation } = caller;
  let missed: CheckAnswer | undefined;
  for (let left = operation.documentsBody ? 2 : MISSES_OF_CHATS; left > 0; left -= 1) {
    const sighting = await search(caller, circumstance, { sought: own });
    if (sighting.outcome.kind === 'lost') return { kind: 'lost', why: sighting.outcome.why };
    if (sighting.outcome.kind === 'refused' || shows(sighting, own))
      return missed && operation.documentsBody ? { kind: 'missed', answer: missed, again: false } : { kind: 'found' };
    missed = sighting.answer;
    if (!operation.documentsBody && !shows(await search(caller, NEUTRAL, { sought: own }), own))
      return { kind: 'found' };
  }
  return missed ? { kind: 'missed', answer: missed, again: true } : { kind: 'found' };
}

interface Sighting {
  readonly answer: CheckAnswer;
  readonly outcome: CheckOutcome;
}
const shows = ({ answer }: Sighting, { owner }: Person): boolean => showsMarker(answer, owner);

/** Searches for the document of one person under a circumstance. @param named the person in an X-Service-ActAs that is not needed. */
async function search(
  { api, kind, operation, credential, isActing, own, other }: Caller,
  { how, headers = [], fields, actAs, credential: replaced = credential }: Circumstance,
  {
    sought,
    named,
    wanted = 'either',
  }: { readonly sought: Person; readonly named?: Person; readonly wanted?: Call['wanted'] },
): Promise<Sighting> {
  const expected = sought === other ? 'hides' : 'shows';
  const isOwner = isActing || belongsTo(api, kind) === 'user';
  const { name } = headerOf(api.contract, ACT_AS);
  const call: Call = {
    operation,
    credential: replaced,
    headers: [...kindHeaders(api, kind, actAs ?? named?.email), ...headers],
    body: { ...operation.example, query: sought.query, ...fields },
    shows: `${operation.id} with the ${kind} token${named ? `, ${name}: $${named.owner}_EMAIL` : ''} and ${how} ${expected} ${markerOf(sought)}`,
    wanted,
    finds: wanted === 'accepted' && sought === own && isOwner ? own.owner : undefined,
  };
  // The checks `isolation` and `escalation` send some of these requests too.
  const answer = await api.callOnce(call, 'same body');
  return { answer, outcome: readIn(answer, operation) };
}
