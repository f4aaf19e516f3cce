import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import { type Answer, isAnswer } from '../../../harness/record/observation.ts';
import { queryOperations } from '../shared/breadth.ts';
import { type Confirmation, confirm } from '../shared/confirm.ts';
import {
  blame,
  type Decided,
  decideEach,
  decisionOf,
  fail,
  hid,
  inconclusive,
  pass,
  unseen,
} from '../shared/decision.ts';
import { brokenByNamingIn } from '../shared/named-person.ts';
import { markerOf, type Person } from '../shared/private-documents.ts';
import {
  blindness,
  brokenBy,
  leakIn,
  look,
  lookAgain,
  lookForBoth,
  notFound,
  requirementsOf,
  type Seen,
  type Sighting,
  senderOf,
  shows,
  type Viewer,
  viewersOf,
  whyNoViewer,
} from '../shared/sightings.ts';

/** Only the owner of a private document sees it, with any token and any X-Service-ActAs. */
export async function isolation(api: CheckApi): Promise<readonly CheckResult[]> {
  const sought = await Promise.all(viewersOf(api).map(confirmed));
  const all = sought.map(({ got }) => got);
  // Chats are few on another machine. One after the other, some of those that show nothing are decided before they run out.
  let chats: Promise<readonly CheckResult[]> = Promise.resolve([]);
  const inTurn = (one: Confirmation<Seen>) => {
    chats = chats.then(() => decide(one, all));
    return chats;
  };
  const isSpent = ({ viewer, mine }: Seen) => !viewer.operation.documentsBody && !shows(mine, viewer.own);
  const decided = await decideEach(sought, (one) => (isSpent(one.got) ? inTurn(one) : decide(one, all)));
  return [...api.claims.kinds.flatMap((kind) => withoutViewer(api, kind)), ...decided];
}

function withoutViewer(api: CheckApi, kind: string): CheckResult[] {
  const why = whyNoViewer(api, kind);
  const requirements = why ? requirementsOf({ isActing: actsAs(api.contract, kind) }) : [];
  return queryOperations(api.contract).flatMap(({ id: operation }) =>
    requirements.flatMap((requirement) => (why ? [{ requirement, operation, kind, ...why, steps: [] }] : [])),
  );
}

/** Looks again if something is wrong. Only what comes again counts, except that another's marker counts at once. */
function confirmed(viewer: Viewer): Promise<Confirmation<Seen>> {
  return confirm(
    () => lookForBoth(viewer, { isAnew: true }),
    ({ foreign, mine }) => {
      const outcomes = [foreign.outcome.kind, mine.outcome.kind];
      if (leakIn(viewer, [foreign, mine])) return 'wrong at once';
      if (outcomes.includes('lost')) return 'lost';
      return outcomes.includes('refused') || misfitIn(mine, viewer) !== undefined ? 'wrong' : 'right';
    },
  );
}

/** How the body differs from the schema. A list that is left out may be empty, but not where something was found. */
function misfitIn(mine: Sighting, { own }: Viewer): string | undefined {
  const { observation } = mine.answer;
  const { schemaErrors = [], leftOut = [] }: Partial<Answer> = isAnswer(observation) ? observation : {};
  return [...schemaErrors, ...(shows(mine, own) ? leftOut.map((name) => `${name} is left out`) : [])][0];
}

async function decide(one: Confirmation<Seen>, all: readonly Seen[]): Promise<CheckResult[]> {
  const { kind, got } = one;
  const { viewer } = got;
  const refused = refusedPerson(one, all);
  const found = [
    refused
      ? decisionOf(viewer, 'global.accepted', refused)
      : decisionOf(viewer, brokenBy(viewer), await isolationOf(got, all)),
  ];
  if (!viewer.isActing) {
    const named = await look(viewer, viewer.other, { named: viewer.other, isAnew: true });
    // What is also seen without the header is no escalation by the header.
    const leak = leakIn(viewer, [got.foreign, got.mine]) ? undefined : leakIn(viewer, [named]);
    const broken = leak && (await brokenByNamingIn(viewer, named.way));
    if (leak && broken === brokenBy(viewer)) found.push(decisionOf(viewer, broken, leak));
    else found.push(decisionOf(viewer, brokenBy(viewer, true), leak ?? (await escalationOf(got, named, all))));
  }
  // The searches of the matrix may find nothing. These find something, and the body must still fit the schema.
  const misfit = kind === 'lost' ? undefined : misfitIn(got.mine, viewer);
  if (misfit === undefined) return found;
  const decided = blame(kind, fail(got.mine.answer, `in a search with results, ${misfit}`));
  return [...found, decisionOf(viewer, `${viewer.operation.id}.response`, decided)];
}

/** A GLOBAL token is accepted for every person alike. */
function refusedPerson({ kind, got }: Confirmation<Seen>, all: readonly Seen[]): Decided | undefined {
  const { viewer, foreign, mine } = got;
  const refused = [mine, foreign].find(({ outcome }) => outcome.kind === 'refused');
  if (!viewer.isActing || kind !== 'wrong' || !refused || leakIn(viewer, [foreign, mine])) return undefined;
  const accepted = all.find(
    ({ viewer: one, mine }) =>
      one.kind === viewer.kind && one.operation === viewer.operation && outcomeOf(mine.answer).kind === 'accepted',
  )?.viewer;
  const detail = accepted && `${senderOf(viewer)} the request is refused, ${senderOf(accepted)} it is accepted`;
  return detail === undefined ? undefined : fail(refused.answer, detail);
}

/** The verdict on whether a token shows the document of its own person and not that of the other. */
async function isolationOf({ viewer, foreign, mine }: Seen, all: readonly Seen[]): Promise<Decided> {
  const { api, own, other, isThird } = viewer;
  const leak = leakIn(viewer, [foreign, mine]);
  if (leak && isThird) return leak;
  if (leak)
    return { ...leak, detail: `${leak.detail} ${shows(mine, own) ? 'as well as' : 'instead of'} ${markerOf(own)}` };
  const blind = blindness(viewer, [mine, foreign]);
  if (blind) return blind;
  if (isThird) return ofThird(viewer, mine, all);
  if (shows(mine, own)) return hid(other, await api.acceptance(mine.answer), onlyOwn(viewer));
  return ofUnseen(viewer, all);
}

const onlyOwn = (viewer: Viewer): string => `${senderOf(viewer)}, only ${markerOf(viewer.own)} was returned`;

/** A third person sees neither of the known documents. If their owners do not find them, that proves nothing. */
async function ofThird(viewer: Viewer, { answer }: Sighting, all: readonly Seen[]): Promise<Decided> {
  const { api, own, other } = viewer;
  return [own, other].some((person) => finderOf(viewer, person, all))
    ? pass(await api.acceptance(answer), `${senderOf(viewer)}, no private marker was returned`)
    : notFound(viewer, () => inconclusive(`no token found ${markerOf(own)} or ${markerOf(other)}`));
}

/**
 * The verdict on a person who did not find their own document. Results may list anything. So its absence is a miss only beside
 * searches by the same operation that show a document to its owner, and only if somebody found this one, so that the marker is
 * known to be right (outcomes 2).
 */
async function ofUnseen(viewer: Viewer, all: readonly Seen[]): Promise<Decided> {
  const { api, operation, own, other } = viewer;
  const silent = notFound(viewer, unseen);
  const detail = `${senderOf(viewer)}, $${own.owner}_PRIVATE_QUERY did not find ${markerOf(own)}`;
  const finder = finderOf(viewer, own, all) ?? finderOf(viewer, other, all);
  if (!finder) return silent;
  const found = await lookAgain(
    viewer,
    () => look(viewer, own, { isAnew: true }),
    async () => shows(await look(finder, finder.own, { isAnew: true }), finder.own),
  );
  switch (found.kind) {
    case 'open':
      return silent;
    case 'found':
      return operation.documentsBody
        ? blame('fleeting', fail(found.last.answer, detail))
        : hid(other, await api.acceptance(found.last.answer), onlyOwn(viewer));
    case 'missed':
      break;
  }
  const beside = `${senderOf(finder)} it showed ${markerOf(finder.own)}`;
  const isRight = api.trusted || all.some(({ viewer: one, mine }) => one.own.owner === own.owner && shows(mine, own));
  return isRight
    ? fail(found.missed, `${detail}; ${beside}`)
    : unseen(`${detail}, and nobody did: check the variables of that person; ${beside}`);
}

/** Another credential that finds the document of this person with the same operation. */
function finderOf(viewer: Viewer, person: Person, all: readonly Seen[]): Viewer | undefined {
  return all.find(
    ({ viewer: one, mine }) =>
      one !== viewer &&
      one.operation === viewer.operation &&
      one.own.owner === person.owner &&
      !one.isThird &&
      shows(mine, person),
  )?.viewer;
}

/** A token other than GLOBAL does not see what the person that X-Service-ActAs names may see. */
async function escalationOf({ viewer, foreign, mine }: Seen, named: Sighting, all: readonly Seen[]): Promise<Decided> {
  const { api, operation, own, other, isThird } = viewer;
  const control = await api.acceptance(mine.answer);
  if (leakIn(viewer, [named])) return pass(control, 'the same was returned without the header');
  // Refusing the header is as good as ignoring it, if the request is accepted without it.
  const isRefused = named.outcome.kind === 'refused';
  const blind = blindness(viewer, isRefused ? [mine, foreign] : [mine, foreign, named]);
  if (blind) return blind;
  if (isThird) return ofThird(viewer, isRefused ? mine : named, all);
  const isHiding = shows(mine, own) || (!operation.documentsBody && finderOf(viewer, other, all));
  if (!isHiding) return notFound(viewer, unseen);
  return isRefused
    ? pass(control, 'the header is refused')
    : hid(other, control, 'the header shows nothing of another person');
}
