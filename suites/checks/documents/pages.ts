import { readIn } from '../../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckApi, type CheckResult, showsMarker } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { objectIn } from '../shared/curl-line.ts';
import { type Decided, decisionOn, fail, hid, inconclusive, observedRefusal } from '../shared/decision.ts';
import { belongsTo, markerOf, OWNERS, type Person, privatePeople } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';

/** The specification names no bounds, so a target may refuse any of these (spec 8.4). */
const SIZES = [1, 100, 1000, 1_000_000, 0, -1] as const;

/** A person sees no document of another on any page (spec 5.2). The check `paging` decides whether pageSize is accepted. */
export async function pages(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ id }) => id === 'search');
  const people = privatePeople(api);
  // The check `isolation` reports the missing variable.
  if (!operation || people.kind === 'missing') return [];
  const paged: Paged[] = [];
  for (const kind of api.claims.kinds) {
    const credential = api.full(kind);
    const isActing = actsAs(api.contract, kind);
    if (!credential || (!isActing && belongsTo(api, kind) === 'nobody')) continue;
    const [own, other] = isActing ? [people.ACT_AS, people.USER] : [people.USER, people.ACT_AS];
    paged.push(await turnPages({ api: api.fork(), operation, kind, credential, own, other }));
  }
  const results: CheckResult[] = [];
  for (const one of paged) {
    const { kind, api: own } = one.searcher;
    const requirement = actsAs(api.contract, kind) ? 'act-as.effective' : 'user.isolation';
    results.push(decisionOn(own, { requirement, operation: operation.id, kind }, await decide(one)));
  }
  return results;
}

/** A token that searches as `own` for the documents of `own` and `other`. */
interface Searcher {
  readonly api: CheckApi;
  readonly operation: Operation;
  readonly kind: string;
  readonly credential: Credential;
  readonly own: Person;
  readonly other: Person;
}

function isThirdPerson({ api, kind }: Searcher): boolean {
  return !actsAs(api.contract, kind) && belongsTo(api, kind) === 'third person';
}

/** What the searches of one token showed. */
interface Paged {
  readonly searcher: Searcher;
  /** The search without pageSize. */
  readonly plain: CheckAnswer;
  readonly answers: readonly CheckAnswer[];
}

async function turnPages(searcher: Searcher): Promise<Paged> {
  const { own, other } = searcher;
  const plain = await search(searcher, own, {}, `without pageSize shows ${markerOf(own)}`);
  const answers = [plain];
  for (const pageSize of SIZES) {
    const hides = `with pageSize ${pageSize} hides ${markerOf(other)} from another person`;
    answers.push(await search(searcher, other, { pageSize }, hides));
  }
  const [, one] = answers;
  const next = { pageSize: 1, ...beyondFirst(one) };
  answers.push(
    await search(searcher, other, next, `beyond the first page hides ${markerOf(other)} from another person`),
  );
  return { searcher, plain, answers };
}

function search(
  searcher: Searcher,
  sought: Person,
  fields: Readonly<Record<string, unknown>>,
  expected: string,
): Promise<CheckAnswer> {
  const { api, operation, kind, credential, own } = searcher;
  return api.call({
    operation,
    credential,
    headers: kindHeaders(api, kind),
    body: { ...operation.example, query: sought.query, ...fields },
    shows: `a search with the ${kind} token ${expected}`,
    wanted: 'pageSize' in fields ? 'either' : 'accepted',
    finds: sought === own && !isThirdPerson(searcher) ? own.owner : undefined,
  });
}

/**
 * The specification shows no way to the next page, so this asks in the usual ways: by number, by offset, and with whatever
 * short text the answer calls a cursor or a page.
 */
function beyondFirst(first: CheckAnswer | undefined): Readonly<Record<string, unknown>> {
  const named = Object.entries(objectIn(first?.text ?? '') ?? {}).filter(
    ([name, value]) => /cursor|page/i.test(name) && typeof value === 'string' && value.length < 4096,
  );
  const cursor = named[0]?.[1];
  const given = cursor === undefined ? {} : { cursor, pageToken: cursor };
  return { page: 2, offset: 1, ...given, ...Object.fromEntries(named) };
}

async function decide({ searcher, plain, answers }: Paged): Promise<Decided> {
  const { api, operation, kind, own, other } = searcher;
  const hidden = isThirdPerson(searcher) ? OWNERS : [other.owner];
  for (const answer of answers)
    for (const owner of hidden)
      if (showsMarker(answer, owner))
        return fail(answer, `${answer.step?.shows ?? ''}: it showed $${owner}_PRIVATE_MARKER`);
  const [without, ...paged] = answers.map((answer) => readIn(answer, operation));
  if (without?.kind === 'lost') return inconclusive(without.why);
  if (without?.kind === 'refused') return inconclusive(`the ${kind} token was refused, so nothing was seen`);
  const shown = paged.filter((outcome) => outcome.kind === 'accepted');
  const [lost] = paged.flatMap((outcome) => (outcome.kind === 'lost' ? [outcome.why] : []));
  if (!isThirdPerson(searcher) && !showsMarker(plain, own.owner))
    return inconclusive(`with the ${kind} token, no search found ${markerOf(own)}, so nothing was hidden`);
  const accepted = await api.acceptance(plain);
  // A page may be too large to be read. What the others show decides.
  if (shown.length > 0) return hid(other, accepted, `${shown.length} searches with a pageSize hid ${markerOf(other)}`);
  return lost === undefined ? observedRefusal(accepted, 'each of these pageSizes is refused') : inconclusive(lost);
}
