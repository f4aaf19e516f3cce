import type { Check, CheckResult } from '../../harness/checks/check.ts';
import type { Operation } from '../../harness/contract/openapi.ts';
import { type Confirmed, confirmed } from './parts/ask-again.ts';
import { blamed, type Decided, fail, lacking, unclear } from './parts/decision.ts';
import { type Looking, look, lookTwice, type Sight } from './parts/markers-seen.ts';
import { isSomebodyElses, privatePeople } from './parts/private-documents.ts';

/** Only the owner of a private document sees its marker, whatever the token and whoever X-Service-ActAs names. */
export const isolation: Check = {
  id: 'isolation',
  title: "Everyone sees their own private marker and nobody else's",
  requirements: ['user.isolation', 'act-as.effective', 'act-as.no-escalation', 'global.accepted', 'search.response'],
  intrusive: false,
  async run(api) {
    const people = privatePeople(api);
    const results: CheckResult[] = [];
    // Last, since others show whether the documents can be seen at all.
    const strangers: Looking[] = [];
    for (const kind of api.claims.kinds)
      for (const operation of api.contract.operations.slice(0, 2)) {
        const credential = api.full(kind);
        if (people.kind === 'missing' || !credential) {
          const variable = people.kind === 'missing' ? people.variable : `${kind}_TOKEN`;
          results.push(...undecided(kind, operation, variable));
          continue;
        }
        const { ACT_AS: acted, USER: user } = people;
        const looking = { api, kind, operation, credential };
        if (kind === 'GLOBAL')
          results.push(
            ...(await actingAs([
              { ...looking, own: acted, other: user },
              { ...looking, own: user, other: acted },
            ])),
          );
        else if (isSomebodyElses(api, kind)) strangers.push({ ...looking, own: user, other: acted });
        else results.push(...(await ofOneself({ ...looking, own: user, other: acted })));
      }
    for (const looking of strangers) {
      const isSeen = ({ operation, kind, verdict }: CheckResult) =>
        operation === looking.operation.id && kind !== looking.kind && verdict === 'pass';
      results.push(...(await ofSomebodyElse(looking, results.some(isSeen))));
    }
    return results;
  },
};

function undecided(kind: string, { id }: Operation, variable: string): CheckResult[] {
  const requirements = kind === 'GLOBAL' ? ['act-as.effective'] : ['user.isolation', 'act-as.no-escalation'];
  return requirements.map((requirement) => ({ requirement, operation: id, kind, ...lacking(variable) }));
}

/** A GLOBAL token sees what each person may see whom it names: not another's data, and not the first one's for all. */
async function actingAs(lookings: readonly Looking[]): Promise<CheckResult[]> {
  const looks = [];
  for (const looking of lookings) looks.push({ looking, seen: await lookTwice(looking, looking.own) });
  const anyAccepted = looks.some(({ seen }) => !seen.got.refused && seen.got.lost === undefined);
  return looks.flatMap(({ looking, seen }) => {
    const { operation, kind, own, other } = looking;
    const unit = { operation: operation.id, kind };
    const who = `acting as ${own.owner}_EMAIL`;
    const isLeft = seen.kind === 'wrong' && !seen.got.other && seen.got.refused && anyAccepted;
    const found: CheckResult = isLeft
      ? { ...unit, requirement: 'global.accepted', ...fail(`${who} is refused, acting as ${other.owner}_EMAIL is not`) }
      : { ...unit, requirement: 'act-as.effective', ...findingOf(looking, seen, who) };
    return [found, ...misfits(looking, seen)];
  });
}

/** The matrix searches for what nobody has; here something is found, and its form counts as well. */
function misfits({ operation, kind }: Looking, { kind: seen, got: { misfit } }: Confirmed<Sight>): CheckResult[] {
  if (misfit === undefined) return [];
  const unit = { requirement: `${operation.id}.response`, operation: operation.id, kind };
  return [{ ...unit, ...blamed(seen === 'wrong' ? 'wrong' : 'fleeting', `with something found, ${misfit}`) }];
}

/** A USER or OAuth token sees what its person may see, and X-Service-ActAs beside it adds nothing. */
async function ofOneself(looking: Looking): Promise<CheckResult[]> {
  const { kind, operation, other } = looking;
  const unit = { operation: operation.id, kind };
  const plain = await lookTwice(looking, undefined);
  const named = await confirmed(
    () => look(looking, other),
    (sight) => {
      if (sight.other) return 'wrong at once';
      if (sight.lost !== undefined) return 'lost';
      return isAnother(looking, plain.got, sight) ? 'wrong' : 'right';
    },
  );
  return [
    { ...unit, requirement: 'user.isolation', ...findingOf(looking, plain, kind) },
    { ...unit, requirement: 'act-as.no-escalation', ...escalationOf(looking, plain.got, named) },
    ...misfits(looking, plain),
  ];
}

/**
 * The token of a person whose own private document nobody told of sees neither of the two that are known.
 *
 * @param isSeen whether their owners see them: that somebody else does not says nothing otherwise
 */
async function ofSomebodyElse(looking: Looking, isSeen: boolean): Promise<CheckResult[]> {
  const { api, kind, operation, own, other } = looking;
  const unit = { operation: operation.id, kind };
  const sees = ({ own: ofOne, other: ofTwo }: Sight) => ofOne || ofTwo;
  const plain = await look(looking, undefined);
  const named = await look(looking, other);
  const unseen = (sight: Sight): Decided => {
    if (sight.lost !== undefined) return unclear(sight.lost);
    if (sight.refused) return unclear(`${kind} was refused, so nothing was seen`);
    if (isSeen)
      return { verdict: 'pass', detail: `${kind} saw the private marker of neither ${own.owner} nor ${other.owner}` };
    return operation.documentsBody
      ? unclear(`nobody was seen to find the private marker of ${own.owner} or ${other.owner}`)
      : { verdict: 'observed', detail: 'no marker in any answer' };
  };
  const escalated = (): Decided => {
    if (!sees(named)) return unseen(named.refused ? plain : named);
    if (sees(plain)) return { verdict: 'pass', detail: AS_MUCH };
    return fail(`${kind} with ${api.contract.matrix.headers['act-as'].name} saw what ${other.owner}_EMAIL may see`);
  };
  const { owner } = plain.own ? own : other;
  const isolated = sees(plain) ? fail(`${kind} saw the private marker of ${owner}, whose it is not`) : unseen(plain);
  return [
    { ...unit, requirement: 'user.isolation', ...isolated },
    { ...unit, requirement: 'act-as.no-escalation', ...escalated() },
  ];
}

const AS_MUCH = 'saw as much without the header';

/** Whether what was the own person's is not any more; on chat that it is absent proves nothing (OUTCOMES 2). */
function isAnother({ operation }: Looking, plain: Sight, named: Sight): boolean {
  return operation.documentsBody && plain.own && !named.own && !named.refused;
}

function escalationOf(looking: Looking, plain: Sight, { kind: seen, got: named }: Confirmed<Sight>): Decided {
  const { api, kind, other } = looking;
  // What is seen without the header too is no escalation by the header.
  if (plain.other && named.other) return { verdict: 'pass', detail: AS_MUCH };
  if (plain.lost !== undefined) return unclear(plain.lost);
  const what = `${kind} with ${api.contract.matrix.headers['act-as'].name} saw what ${other.owner}_EMAIL may see`;
  switch (seen) {
    case 'wrong':
    case 'fleeting':
      return blamed(seen, what);
    case 'lost':
      return unclear(named.lost ?? 'no answer came');
    case 'right':
      break;
  }
  // A refusal is as good as ignoring the header, where it is the header that is refused.
  if (plain.refused) return unclear(`${kind} was refused, so nothing was seen`);
  if (!plain.own) return blind(looking, kind);
  return { verdict: 'pass', detail: named.refused ? 'refused' : 'ran as its own person' };
}

/** What the answers that a token gets say of its own person's document and of the other's. */
function findingOf(looking: Looking, { kind: seen, got }: Confirmed<Sight>, who: string): Decided {
  const { own, other } = looking;
  if (got.other) {
    const beside = got.own ? 'as well' : "and not that person's own";
    return fail(`${who} saw the private marker of ${other.owner} ${beside}`);
  }
  if (got.lost !== undefined) return unclear(got.lost);
  if (got.refused) return unclear(`${who} was refused, so nothing was seen`);
  if (got.own) return { verdict: 'pass', detail: `${who} saw the marker of ${own.owner} and no other` };
  const found = blind(looking, who);
  return found.verdict === 'inconclusive' && seen === 'wrong' ? fail(found.detail) : found;
}

/** On chat a marker that is absent proves nothing: its success body is free (OUTCOMES 2). */
function blind({ operation, own: { owner } }: Looking, who: string): Decided {
  if (!operation.documentsBody) return { verdict: 'observed', detail: 'no marker in any answer' };
  return unclear(`${who} did not find the private marker of that person with ${owner}_PRIVATE_QUERY`);
}
