import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { queryOperations } from '../shared/breadth.ts';
import type { Confirmation } from '../shared/confirm.ts';
import {
  blame,
  type Decided,
  decideEach,
  decisionOn,
  fail,
  hid,
  inconclusive,
  notTestable,
  observed,
  observedRefusal,
  pass,
  unseen,
} from '../shared/decision.ts';
import { belongsTo, MISSES_OF_CHATS, markerOf, type Person, privatePeople } from '../shared/private-documents.ts';
import { confirmMarkers, describeSender, type MarkerSearch, type MarkersSeen, searchFor } from './markers-seen.ts';

/** Only the owner of a private document sees it, with any token and any X-Service-ActAs. */
export async function isolation(api: CheckApi): Promise<readonly CheckResult[]> {
  const people = privatePeople(api);
  const results: CheckResult[] = [];
  const searches: MarkerSearch[] = [];
  for (const kind of api.claims.kinds)
    for (const operation of queryOperations(api.contract)) {
      const credential = api.full(kind);
      if (people.kind === 'missing' || !credential) {
        const variable = people.kind === 'missing' ? people.variable : `${kind}_TOKEN`;
        results.push(...forAll(kind, operation, notTestable(variable)));
      } else if (belongsTo(api, kind) === 'nobody') {
        results.push(...forAll(kind, operation, observed(`$${kind}_EMAIL says that the token is nobody's`)));
      } else {
        const { ACT_AS: actAs, USER: user } = people;
        const search = (own: Person, other: Person, named?: Person): MarkerSearch => ({
          ...{ api: api.spread(), kind, operation, credential, own, other, named },
        });
        if (actsAs(api.contract, kind)) searches.push(search(actAs, user, actAs), search(user, actAs, user));
        else searches.push(search(user, actAs));
      }
    }
  const sought = await Promise.all(searches.map(async (search) => ({ search, ...(await confirmMarkers(search)) })));
  // Chats are few on another machine. One after the other, some of those that show nothing are decided before they run out.
  let chats: Promise<readonly CheckResult[]> = Promise.resolve([]);
  const inTurn = (one: Sought) => {
    chats = chats.then(() => decide(one, sought));
    return chats;
  };
  const isSpent = ({ search, got }: Sought) => !search.operation.documentsBody && !got.own;
  return [...results, ...(await decideEach(sought, (one) => (isSpent(one) ? inTurn(one) : decide(one, sought))))];
}

/** A search for the documents of two people, and what it showed. */
interface Sought extends Confirmation<MarkersSeen> {
  readonly search: MarkerSearch;
}

function forAll(kind: string, { id }: Operation, decided: Decided): CheckResult[] {
  const requirements = kind === 'GLOBAL' ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];
  return requirements.map((requirement) => ({ requirement, operation: id, kind, ...decided, steps: [] }));
}

async function decide(one: Sought, all: readonly Sought[]): Promise<CheckResult[]> {
  const { api, kind, operation } = one.search;
  const found: [requirement: string, decided: Decided][] = [];
  if (one.search.named) found.push(await ofNamed(one, all));
  else if (belongsTo(api, kind) === 'third person') found.push(...(await ofThirdPerson(one, all)));
  else
    found.push(['user.isolation', await isolationOf(one, all)], ['act-as.no-escalation', await escalationOf(one, all)]);
  // The searches of the matrix may find nothing. These find something, and the body must still fit the schema.
  const { misfit, mine } = one.got;
  if (misfit !== undefined && one.kind !== 'lost') {
    const detail = `in a search with results, ${misfit}`;
    found.push([`${operation.id}.response`, blame(one.kind === 'wrong' ? 'wrong' : 'fleeting', fail(mine, detail))]);
  }
  return found.map(([requirement, decided]) =>
    decisionOn(api, { requirement, operation: operation.id, kind }, decided),
  );
}

/** A GLOBAL token sees what the person that it names may see. It is accepted for every person alike. */
async function ofNamed(one: Sought, all: readonly Sought[]): Promise<[string, Decided]> {
  const { search, kind, got } = one;
  const accepted = all.find(
    ({ search: other, got: seen }) =>
      other.kind === search.kind && other.operation === search.operation && outcomeOf(seen.mine).kind === 'accepted',
  );
  if (kind !== 'wrong' || got.other || !got.refused || !accepted)
    return ['act-as.effective', await isolationOf(one, all)];
  const detail = `${describeSender(search)} the request is refused, ${describeSender(accepted.search)} it is accepted`;
  return ['global.accepted', fail(outcomeOf(got.mine).kind === 'refused' ? got.mine : got.foreign, detail)];
}

/** The verdict on whether a token shows the document of its own person and not that of the other. */
async function isolationOf({ search, got }: Sought, all: readonly Sought[]): Promise<Decided> {
  const { api, own, other } = search;
  const who = describeSender(search);
  if (got.other) {
    const andOwn = got.own ? 'as well as' : 'instead of';
    return fail(
      showsMarker(got.foreign, other.owner) ? got.foreign : got.mine,
      `${who}, ${markerOf(other)} was returned ${andOwn} ${markerOf(own)}`,
    );
  }
  if (got.lost !== undefined) return inconclusive(got.lost);
  if (got.refused) return inconclusive(`${who}, the request was refused, so nothing was seen`);
  if (got.own) return hid(other, await api.acceptance(got.mine), `${who}, only ${markerOf(own)} was returned`);
  return ofUnseen(search, all);
}

/** So many sends in a row must lack the own document, each beside one that shows another. */
const SENDS = 3;
const NO_MARKER = 'no answer showed a private marker';

/**
 * The verdict on a person who did not find their own document. Results may list anything. So its absence is a miss only beside
 * searches by the same operation that show a document to its owner, and only if somebody found this one, so that the marker is
 * known to be right (outcomes 2).
 */
async function ofUnseen(search: MarkerSearch, all: readonly Sought[]): Promise<Decided> {
  const { api, operation, own, other } = search;
  const detail = `${describeSender(search)}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}`;
  const silent = operation.documentsBody ? unseen(detail) : observed(NO_MARKER);
  const finder = (finderOf(search, own, all) ?? finderOf(search, other, all))?.search;
  if (!finder) return silent;
  let missed: CheckAnswer | undefined;
  const sends = operation.documentsBody ? SENDS : MISSES_OF_CHATS;
  for (let sent = 1; sent < sends; sent += 1) {
    missed = await searchFor(search, own, `shows ${markerOf(own)}`);
    if (outcomeOf(missed).kind !== 'accepted') return silent;
    if (showsMarker(missed, own.owner))
      return operation.documentsBody
        ? blame('fleeting', fail(missed, detail))
        : hid(other, await api.acceptance(missed), `${describeSender(search)}, only ${markerOf(own)} was returned`);
    const beside = await searchFor(finder, finder.own, `shows ${markerOf(finder.own)}`);
    if (!showsMarker(beside, finder.own.owner)) return silent;
  }
  const found = `${describeSender(finder)} it showed ${markerOf(finder.own)}`;
  const isRight = api.trusted || all.some(({ search: one, got }) => one.own.owner === own.owner && got.own);
  return isRight
    ? fail(missed, `${detail}; ${found}`)
    : unseen(`${detail}, and nobody did: check the variables of that person; ${found}`);
}

/** Another credential that finds the document of this person with the same operation. */
function finderOf(
  { operation, kind, named }: MarkerSearch,
  person: Person,
  all: readonly Sought[],
): Sought | undefined {
  return all.find(
    ({ search, got }) =>
      search.operation === operation &&
      search.own.owner === person.owner &&
      belongsTo(search.api, search.kind) === 'user' &&
      (search.kind !== kind || search.named !== named) &&
      got.own,
  );
}

/** A token other than GLOBAL does not see what the person that X-Service-ActAs names may see. */
async function escalationOf({ search, got: plain }: Sought, all: readonly Sought[]): Promise<Decided> {
  const { api, kind, operation, own, other } = search;
  const withHeader = { ...search, named: other };
  const named = await searchFor(withHeader, other, `does not show ${markerOf(other)}`);
  const control = await api.acceptance(plain.mine);
  const shown = showsMarker(named, other.owner);
  // What is also seen without the header is no escalation by the header.
  if (plain.other && shown) return pass(control, SAME);
  if (shown) return fail(named, `${describeSender(withHeader)}, ${markerOf(other)} was returned`);
  if (plain.lost !== undefined) return inconclusive(plain.lost);
  if (plain.refused) return inconclusive(`the ${kind} token was refused, so nothing was seen`);
  const outcome = outcomeOf(named);
  switch (outcome.kind) {
    case 'lost':
      return inconclusive(outcome.why);
    case 'refused':
      // Refusing the header is as good as ignoring it, if the request is accepted without it.
      return plain.own ? pass(control, 'the header is refused') : observedRefusal(control, 'the header is refused');
    case 'accepted':
      break;
  }
  if (plain.own || (!operation.documentsBody && finderOf(search, other, all)))
    return hid(other, control, 'the header shows nothing of another person');
  return operation.documentsBody
    ? unseen(`${describeSender(search)}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}`)
    : observed(NO_MARKER);
}
const SAME = 'the same was returned without the header';

/** The token of a third person, whose own private document is not known, sees neither of the two known ones. */
async function ofThirdPerson(one: Sought, all: readonly Sought[]): Promise<[string, Decided][]> {
  const { search, got: plain } = one;
  const { api, kind, operation, own, other } = search;
  const named = await searchFor({ ...search, named: other }, other, `does not show ${markerOf(other)}`);
  // If the owners do not find the documents, an unseen document proves nothing.
  const isFindable = [own, other].some((person) => finderOf(search, person, all));
  const unseen = async (answer: CheckAnswer): Promise<Decided> => {
    const outcome = outcomeOf(answer);
    if (outcome.kind === 'lost') return inconclusive(outcome.why);
    if (outcome.kind === 'refused') return inconclusive(`the ${kind} token was refused, so nothing was seen`);
    const acceptance = await api.acceptance(answer);
    if (isFindable) return pass(acceptance, `with the ${kind} token, no private marker was returned`);
    return operation.documentsBody
      ? inconclusive(`no token found ${markerOf(own)} or ${markerOf(other)}`)
      : observed(NO_MARKER);
  };
  const seesAny = plain.own || plain.other;
  const [owner, answer] = plain.own ? [own, plain.mine] : [other, plain.foreign];
  const isolated = seesAny
    ? fail(answer, `with the ${kind} token of $${kind}_EMAIL, ${markerOf(owner)} was returned`)
    : await unseen(plain.mine);
  const escalated = async (): Promise<Decided> => {
    if (!showsMarker(named, other.owner)) return unseen(outcomeOf(named).kind === 'refused' ? plain.mine : named);
    if (seesAny) return pass(await api.acceptance(plain.mine), SAME);
    return fail(named, `${describeSender({ ...search, named: other })}, ${markerOf(other)} was returned`);
  };
  return [
    ['user.isolation', isolated],
    ['act-as.no-escalation', await escalated()],
  ];
}
