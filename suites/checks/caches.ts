import { type CheckOutcome, outcomeOf, readIn } from '../../harness/checks/acceptance.ts';
import { type CheckAnswer, type CheckApi, type CheckResult, showsMarker } from '../../harness/checks/check.ts';
import { ACT_AS, actsAs, headerOf } from '../../harness/contract/contract.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import type { Credential } from '../../harness/plan/credentials.ts';
import { type Decided, fail, hid, inconclusive, pass } from './shared/decision.ts';
import { belongsTo, markerOf, type Person, privatePeople } from './shared/private-documents.ts';
import { kindHeaders, type Refusal, refusalsOfKinds } from './shared/refusals.ts';

/**
 * An answer belongs to the person and the token that it was made for. A cache that leaves one of them out of its key shows it
 * to the next one who sends the same body. The searches find something, because a cache may keep only such answers.
 */
export async function caches(api: CheckApi): Promise<readonly CheckResult[]> {
  const operation = api.contract.operations.find(({ documentsBody }) => documentsBody);
  const people = privatePeople(api);
  // The check `isolation` reports the missing variable.
  if (!operation || people.kind === 'missing') return [];
  const { ACT_AS: actAs, USER: user } = people;
  const searchers = api.claims.kinds.flatMap((kind): Searcher[] => {
    const credential = api.full(kind);
    if (!credential) return [];
    const searcher = { operation, kind, credential, isActing: actsAs(api.contract, kind) };
    return searcher.isActing
      ? [actAs, user].map((person) => ({ ...searcher, person }))
      : [{ ...searcher, person: user }];
  });
  // Nothing is known of the documents of a third person.
  const owners = searchers.filter(({ isActing, kind }) => isActing || belongsTo(api, kind) === 'user');
  const results: CheckResult[] = [];
  const lines = { first: api.connect(), second: api.connect() };
  for (const [before, after] of pairsOf(owners)) results.push(await shared(lines, before, after));
  const kinds = [...new Set(searchers.map(({ kind }) => kind))];
  for (const denial of refusalsOfKinds(api, operation, kinds, 'first')) {
    const named = denial.acting === 'user' ? user.email : actAs.email;
    const isTwin = ({ kind, isActing, person }: Searcher) =>
      kind === denial.controlKind && (!isActing || person.email === named);
    for (const searcher of searchers.filter(isTwin)) results.push(await refused(lines, searcher, denial));
  }
  return results;
}

/** A token, and the person that it runs as. */
interface Searcher {
  readonly operation: Operation;
  readonly kind: string;
  readonly credential: Credential;
  readonly isActing: boolean;
  readonly person: Person;
}
/** Two connections of the check. */
interface Lines {
  readonly first: CheckApi;
  readonly second: CheckApi;
}

/** Every token after that of another person. One that can act as both is also sent after itself. */
function pairsOf(searchers: readonly Searcher[]): (readonly [before: Searcher, after: Searcher])[] {
  const acting = searchers.filter(({ isActing }) => isActing);
  return acting.flatMap((before) =>
    searchers.flatMap((after): (readonly [Searcher, Searcher])[] => {
      if (after.person === before.person) return [];
      return after.isActing
        ? [[before, after]]
        : [
            [before, after],
            [after, before],
          ];
    }),
  );
}

const who = (api: CheckApi, { kind, isActing, person }: Searcher): string =>
  `the ${kind} token${isActing ? ` and ${headerOf(api.contract, ACT_AS).name}: $${person.owner}_EMAIL` : ''}`;

function search(api: CheckApi, searcher: Searcher, sought: Person, shows: string): Promise<CheckAnswer> {
  const { operation, kind, credential, isActing, person } = searcher;
  return api.call({
    operation,
    credential,
    headers: kindHeaders(api, kind, isActing ? person.email : undefined),
    body: { ...operation.example, query: sought.query },
    shows: `a search with ${who(api, searcher)} ${shows}`,
    wanted: 'accepted',
    finds: sought === person ? person.owner : undefined,
  });
}

/**
 * `after` sends the search of `before` right after it: over another connection, and then as the next request of the same
 * connection. So both a cache of the server and one of the connection are asked first.
 */
async function shared({ first, second }: Lines, before: Searcher, after: Searcher): Promise<CheckResult> {
  const { person, operation } = before;
  const unit = {
    requirement: after.isActing ? 'act-as.effective' : 'user.isolation',
    operation: operation.id,
    kind: after.kind,
  };
  const own = await search(first, before, person, `shows ${markerOf(person)}`);
  const hides = `hides ${markerOf(person)} right after it was shown to its owner`;
  const steps = [own];
  for (const api of [second, first]) {
    const answer = await search(
      api,
      after,
      person,
      `${hides}, over ${api === first ? 'the same' : 'another'} connection`,
    );
    steps.push(answer);
    if (!showsMarker(answer, person.owner)) continue;
    const detail = `with ${who(api, after)}, ${markerOf(person)} was returned right after the same search with ${who(api, before)}`;
    return { ...unit, ...fail(answer, detail), steps };
  }
  const [lost] = steps.flatMap((answer) => lostBy(readIn(answer, operation)));
  if (lost !== undefined) return { ...unit, ...inconclusive(lost), steps };
  if (!showsMarker(own, person.owner)) {
    const unseen = `with ${who(first, before)}, no search found ${markerOf(person)}, so nothing was hidden`;
    return { ...unit, ...inconclusive(unseen), steps };
  }
  const detail = `with ${who(first, after)}, the same search hid ${markerOf(person)}`;
  return { ...unit, ...hid(person, await first.acceptance(own), detail), steps };
}

const lostBy = (outcome: CheckOutcome): string[] => (outcome.kind === 'lost' ? [outcome.why] : []);

/** A search that must be refused is refused right after the same search was accepted. */
async function refused({ first, second }: Lines, searcher: Searcher, denial: Refusal): Promise<CheckResult> {
  const { operation, kind, person } = searcher;
  const { what, requirement, credential, headers, authorization } = denial;
  const request = { credential, headers, authorization };
  const accepted = await search(first, searcher, person, 'is accepted');
  const shows = `a search with ${what} is refused right after the same search was accepted`;
  const body = { ...operation.example, query: person.query };
  const answers = [];
  for (const api of [second, first]) {
    const over = api === first ? 'the same' : 'another';
    const aim = { shows: `${shows}, over ${over} connection`, wanted: 'refused' } as const;
    answers.push(await api.call({ ...request, operation, body, ...aim }));
  }
  const decided = await decideRefused(first, accepted, answers);
  return { requirement, operation: operation.id, kind, ...decided, steps: [accepted, ...answers] };
}

async function decideRefused(api: CheckApi, accepted: CheckAnswer, answers: readonly CheckAnswer[]): Promise<Decided> {
  const taken = answers.find((answer) => outcomeOf(answer).kind === 'accepted');
  if (taken) return fail(taken, `accepted; must be refused: ${taken.step?.shows ?? ''}`);
  const [lost] = answers.flatMap((answer) => lostBy(outcomeOf(answer)));
  if (lost !== undefined) return inconclusive(lost);
  return pass(await api.acceptance(accepted), answers[0]?.step?.shows ?? '');
}
