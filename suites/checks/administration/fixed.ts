import type { CheckAnswer } from '../../../harness/checks/check.ts';
import type { CheckOutcome } from '../../../harness/checks/outcome.ts';
import type { TokenTerms } from '../../../harness/commands/administration.ts';
import { type Decided, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { type CheckPart, confirmUse, notTestableBecause, resultFor } from './assertions.ts';
import { partWithToken } from './part-with-token.ts';
import { dateAfter, type MadeToken, type RecordRead, recordOf, type TokenMaker, type Use } from './token-maker.ts';

/** A change that a target must not make to a token. */
interface ForbiddenChange {
  readonly what: string;
  /** How the token differs from the ordinary one. */
  readonly token: TokenTerms;
  readonly changes: TokenTerms;
}

/** Every change of permission and scopes: more of them, fewer, others. */
function forbiddenChanges({ api, operation, other, ordinary }: TokenMaker): readonly ForbiddenChange[] {
  const one = [operation.scope];
  const both = other ? [operation.scope, other.scope] : one;
  const actsAs = api.claims.kinds.includes('GLOBAL') && api.variable('ACT_AS_EMAIL') !== undefined;
  const toGlobal = { permission: 'GLOBAL', userEmail: undefined };
  const toUser = { permission: 'USER', userEmail: ordinary.userEmail };
  return [
    { what: 'the scopes: one more', token: {}, changes: { scopes: both } },
    ...(other
      ? [
          { what: 'the scopes: one fewer', token: { scopes: both }, changes: { scopes: one } },
          { what: 'the scopes: another one', token: {}, changes: { scopes: [other.scope] } },
        ]
      : []),
    { what: 'the permission: USER to GLOBAL', token: {}, changes: toGlobal },
    ...(actsAs ? [{ what: 'the permission: GLOBAL to USER', token: toGlobal, changes: toUser }] : []),
  ];
}

/** Permission and scopes of a token cannot be changed (spec 2.1.1). */
export const fixed: CheckPart = {
  requirements: ['administration.fixed'],
  async decide(maker) {
    const results = [];
    for (const change of forbiddenChanges(maker)) {
      const own = maker.control ? maker.fork(maker.control) : maker;
      results.push(resultFor(own, 'administration.fixed', await mustNotChange(own, change)));
    }
    return results;
  },
};

async function mustNotChange(maker: TokenMaker, { what, token, changes }: ForbiddenChange): Promise<Decided> {
  const made = await maker.make('super-admin', token);
  if (made.kind === 'refused') return inconclusive(`no token could be made: ${made.why}`);
  if (made.kind !== 'made') return notTestableBecause(made);
  const before = await stateOf(maker, made);
  const answer = await maker.ask('change', 'super-admin', { ...made.terms, ...changes, id: made.token.id });
  if (answer.kind === 'failed') return notTestableBecause(answer);
  const after = await stateOf(maker, made);
  for (const [index, use] of after.uses.entries()) {
    const earlier = before.uses[index];
    if (earlier && earlier.outcome.kind !== 'lost' && use.outcome.kind !== 'lost')
      if (earlier.outcome.kind !== use.outcome.kind)
        return fail(
          use.answer,
          `${what}: a request with the token got ${earlier.outcome.status}, now ${use.outcome.status}`,
        );
  }
  const reads = [before.read, after.read];
  const [earlier, now] = reads.map((read) => (read.kind === 'record' ? read.record : undefined));
  for (const field of ['scopes', 'permission'] as const)
    if (earlier && now && String(earlier[field] ?? '') !== String(now[field] ?? ''))
      return fail(undefined, `${what}: the record of the token now has ${field} ${now[field] ?? 'none'}`);
  const lost = [...before.uses, ...after.uses].flatMap(({ outcome }) => (outcome.kind === 'lost' ? [outcome.why] : []));
  const unread = reads.flatMap((read) => (read.kind === 'lost' ? [read.why] : []));
  const [why] = [...lost, ...unread];
  if (why !== undefined) return inconclusive(why);
  return answer.kind === 'unsupported'
    ? observed(`${what}: this change cannot be requested: ${answer.why}`)
    : pass(maker.control, `${what}: the token stayed the same`);
}

/** What a token can do, and its record. */
interface State {
  readonly uses: readonly { readonly outcome: CheckOutcome; readonly answer: CheckAnswer }[];
  readonly read: RecordRead;
}

async function stateOf(maker: TokenMaker, made: MadeToken): Promise<State> {
  const { api, operation, other } = maker;
  const actAs = api.variable('ACT_AS_EMAIL') ?? '';
  const asked = { shows: 'the token can do the same before and after', wanted: 'either' } as const;
  const all: Use[] =
    made.terms.permission === 'GLOBAL'
      ? [{ ...asked, actAs }, asked]
      : [operation, ...(other ? [other] : [])].map((on) => ({ ...asked, on }));
  const uses = [];
  for (const use of all) uses.push(await confirmUse(maker, made, use));
  return { uses, read: await recordOf(maker, made) };
}

export const fixedTerms = partWithToken('reference.fixed-terms', async (maker, made) => {
  const before = await recordOf(maker, made);
  const changes = { description: 'changed', expires: dateAfter(Date.now(), 9) };
  const answer = await maker.ask('change', 'super-admin', { ...made.terms, ...changes, id: made.token.id });
  if (answer.kind === 'failed') return [notTestableBecause(answer)];
  const after = await recordOf(maker, made);
  if (before.kind !== 'record') return [inconclusive(before.why)];
  if (after.kind !== 'record') return [inconclusive(after.why)];
  const field = (['description', 'expires'] as const).find((name) => after.record[name] !== before.record[name]);
  if (field) return [fail(undefined, `${field} in the record of a token is different after a change`)];
  return [pass(maker.control, 'description and expiry of a token stayed the same')];
});
