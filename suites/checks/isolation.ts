import type { Check, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { type Confirmation, confirm } from './shared/confirm.ts';
import { blame, type Decided, fail, inconclusive, notTestable } from './shared/decision.ts';
import { confirmMarkers, type MarkerSearch, type MarkersSeen, searchForMarkers } from './shared/markers-seen.ts';
import { belongsToThirdPerson, privatePeople } from './shared/private-documents.ts';

/** Only the owner of a private document sees it, with any token and any X-Service-ActAs. */
export const isolation: Check = {
  id: 'isolation',
  title: 'Each person sees their own private document and no other',
  requirements: ['user.isolation', 'act-as.effective', 'act-as.no-escalation', 'global.accepted', 'search.response'],
  intrusive: false,
  async run(api) {
    const people = privatePeople(api);
    const results: CheckResult[] = [];
    // These come last, because the others show whether the documents can be found at all.
    const ofThirdPersons: MarkerSearch[] = [];
    for (const kind of api.claims.kinds)
      for (const operation of api.contract.operations.slice(0, 2)) {
        const credential = api.full(kind);
        if (people.kind === 'missing' || !credential) {
          const variable = people.kind === 'missing' ? people.variable : `${kind}_TOKEN`;
          results.push(...undecided(kind, operation, variable));
          continue;
        }
        const { ACT_AS: actAs, USER: user } = people;
        const search = { api, kind, operation, credential };
        if (kind === 'GLOBAL')
          results.push(
            ...(await actingAs([
              { ...search, own: actAs, other: user },
              { ...search, own: user, other: actAs },
            ])),
          );
        else if (belongsToThirdPerson(api, kind)) ofThirdPersons.push({ ...search, own: user, other: actAs });
        else results.push(...(await ofOneself({ ...search, own: user, other: actAs })));
      }
    for (const search of ofThirdPersons) {
      const isSeen = ({ operation, kind, verdict }: CheckResult) =>
        operation === search.operation.id && kind !== search.kind && verdict === 'pass';
      results.push(...(await ofThirdPerson(search, results.some(isSeen))));
    }
    return results;
  },
};

function undecided(kind: string, { id }: Operation, variable: string): CheckResult[] {
  const requirements = kind === 'GLOBAL' ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];
  return requirements.map((requirement) => ({ requirement, operation: id, kind, ...notTestable(variable) }));
}

/** A GLOBAL token sees what the person that it names may see, for each of two people. */
async function actingAs(searches: readonly MarkerSearch[]): Promise<CheckResult[]> {
  const done = [];
  for (const search of searches) done.push({ search, confirmation: await confirmMarkers(search, search.own) });
  const anyAccepted = done.some(({ confirmation: { got } }) => !got.refused && got.lost === undefined);
  return done.flatMap(({ search, confirmation }) => {
    const { operation, kind, own, other } = search;
    const { got } = confirmation;
    const unit = { operation: operation.id, kind };
    const naming = (owner: string) => `${actAsName(search)}: $${owner}_EMAIL`;
    const isRefusedAlone = confirmation.kind === 'wrong' && !got.other && got.refused && anyAccepted;
    const found: CheckResult = isRefusedAlone
      ? {
          ...unit,
          requirement: 'global.accepted',
          ...fail(`with ${naming(own.owner)} the request is refused, with ${naming(other.owner)} it is accepted`),
        }
      : { ...unit, requirement: 'act-as.effective', ...isolationOf(search, confirmation, `with ${naming(own.owner)}`) };
    return [found, ...misfits(search, confirmation)];
  });
}

/** The searches of the matrix may find nothing. These find something, and the body must still fit the schema. */
function misfits(
  { operation, kind }: MarkerSearch,
  { kind: confirmed, got: { misfit } }: Confirmation<MarkersSeen>,
): CheckResult[] {
  if (misfit === undefined) return [];
  const unit = { requirement: `${operation.id}.response`, operation: operation.id, kind };
  const detail = `in a search with results, ${misfit}`;
  return [{ ...unit, ...blame(confirmed === 'wrong' ? 'wrong' : 'fleeting', detail) }];
}

/** A USER or OAuth token sees what its person may see, and X-Service-ActAs does not change that. */
async function ofOneself(search: MarkerSearch): Promise<CheckResult[]> {
  const { kind, operation, other } = search;
  const unit = { operation: operation.id, kind };
  const plain = await confirmMarkers(search, undefined);
  const named = await confirm(
    () => searchForMarkers(search, other),
    (seen) => {
      if (seen.other) return 'wrong at once';
      if (seen.lost !== undefined) return 'lost';
      return hidesOwn(search, plain.got, seen) ? 'wrong' : 'right';
    },
  );
  return [
    { ...unit, requirement: 'user.isolation', ...isolationOf(search, plain, `with the ${kind} token`) },
    { ...unit, requirement: 'act-as.no-escalation', ...escalationOf(search, plain.got, named) },
    ...misfits(search, plain),
  ];
}

/**
 * The token of a third person, whose own private document is not known, sees neither of the two known ones.
 *
 * @param isFindable whether the owners find the two documents. If they do not, an unseen document proves nothing.
 */
async function ofThirdPerson(search: MarkerSearch, isFindable: boolean): Promise<CheckResult[]> {
  const { kind, operation, own, other } = search;
  const unit = { operation: operation.id, kind };
  const seesAny = (seen: MarkersSeen) => seen.own || seen.other;
  const plain = await searchForMarkers(search, undefined);
  const named = await searchForMarkers(search, other);
  const unseen = (seen: MarkersSeen): Decided => {
    if (seen.lost !== undefined) return inconclusive(seen.lost);
    if (seen.refused) return inconclusive(refusedDetail(kind));
    if (isFindable) return { verdict: 'pass', detail: `with the ${kind} token, no private marker was returned` };
    return operation.documentsBody
      ? inconclusive(`no token found ${markerOf(own.owner)} or ${markerOf(other.owner)}`)
      : { verdict: 'observed', detail: NO_MARKER };
  };
  const escalated = (): Decided => {
    if (!seesAny(named)) return unseen(named.refused ? plain : named);
    if (seesAny(plain)) return { verdict: 'pass', detail: SAME };
    return fail(escalationDetail(search));
  };
  const { owner } = plain.own ? own : other;
  const isolated = seesAny(plain)
    ? fail(`with the ${kind} token of $${kind}_EMAIL, ${markerOf(owner)} was returned`)
    : unseen(plain);
  return [
    { ...unit, requirement: 'user.isolation', ...isolated },
    { ...unit, requirement: 'act-as.no-escalation', ...escalated() },
  ];
}

const SAME = 'the same was returned without the header';
const NO_MARKER = 'no answer showed a private marker';
const markerOf = (owner: string) => `$${owner}_PRIVATE_MARKER`;
const actAsName = ({ api }: MarkerSearch) => api.contract.matrix.headers['act-as'].name;
const refusedDetail = (kind: string) => `the ${kind} token was refused, so nothing was seen`;

function escalationDetail(search: MarkerSearch): string {
  const { owner } = search.other;
  return `with the ${search.kind} token and ${actAsName(search)}: $${owner}_EMAIL, ${markerOf(owner)} was returned`;
}

/** Whether the header hides the own document. On chat, a missing marker proves nothing (outcomes 2). */
function hidesOwn({ operation }: MarkerSearch, plain: MarkersSeen, named: MarkersSeen): boolean {
  return operation.documentsBody && plain.own && !named.own && !named.refused;
}

function escalationOf(
  search: MarkerSearch,
  plain: MarkersSeen,
  { kind: confirmed, got: named }: Confirmation<MarkersSeen>,
): Decided {
  const { kind } = search;
  // What is also seen without the header is no escalation by the header.
  if (plain.other && named.other) return { verdict: 'pass', detail: SAME };
  if (plain.lost !== undefined) return inconclusive(plain.lost);
  switch (confirmed) {
    case 'wrong':
    case 'fleeting': {
      const hidden = `with the ${kind} token and ${actAsName(search)}, ${markerOf(search.own.owner)} was no longer returned`;
      return blame(confirmed, named.other ? escalationDetail(search) : hidden);
    }
    case 'lost':
      return inconclusive(named.lost ?? 'no answer came');
    case 'right':
      break;
  }
  // Refusing the header is as good as ignoring it, if the request is accepted without it.
  if (plain.refused) return inconclusive(refusedDetail(kind));
  if (!plain.own) return notFound(search, `with the ${kind} token`);
  return { verdict: 'pass', detail: named.refused ? 'the header is refused' : 'the header is ignored' };
}

/** The verdict on whether a token shows the document of its own person and not that of the other. */
function isolationOf(search: MarkerSearch, { kind: confirmed, got }: Confirmation<MarkersSeen>, who: string): Decided {
  const { own, other } = search;
  if (got.other) {
    const andOwn = got.own ? 'as well as' : 'instead of';
    return fail(`${who}, ${markerOf(other.owner)} was returned ${andOwn} ${markerOf(own.owner)}`);
  }
  if (got.lost !== undefined) return inconclusive(got.lost);
  if (got.refused) return inconclusive(`${who}, the request was refused, so nothing was seen`);
  if (got.own) return { verdict: 'pass', detail: `${who}, only ${markerOf(own.owner)} was returned` };
  const found = notFound(search, who);
  return found.verdict === 'inconclusive' && confirmed === 'wrong' ? fail(found.detail) : found;
}

/** On chat, a missing marker proves nothing: the success body is free (outcomes 2). */
function notFound({ operation, own: { owner } }: MarkerSearch, who: string): Decided {
  if (!operation.documentsBody) return { verdict: 'observed', detail: NO_MARKER };
  return inconclusive(`${who}, $${owner}_PRIVATE_QUERY did not find ${markerOf(owner)}`);
}
