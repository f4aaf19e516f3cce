import { type CheckOutcome, outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import type { AdministrationAnswer, TokenTerms } from '../../../harness/commands/administration.ts';
import { confirm } from '../shared/confirm.ts';
import { blame, type Decided, fail, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { type CheckPart, confirmUse, notTestableBecause, resultFor } from './assertions.ts';
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
const fixed: CheckPart = {
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

const fixedTerms = partWithToken('reference.fixed-terms', async (maker, made) => {
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

/** A part of the check that makes a token of its own and decides one requirement with it. */
function partWithToken(
  requirement: string,
  decide: (maker: TokenMaker, made: MadeToken) => Promise<readonly Decided[]>,
  changes: TokenTerms = {},
): CheckPart {
  return {
    requirements: [requirement],
    async decide(maker) {
      const made = await maker.make('super-admin', changes);
      switch (made.kind) {
        case 'made':
          return (await decide(maker, made)).map((decided) => resultFor(maker, requirement, decided));
        case 'refused':
          return [resultFor(maker, requirement, inconclusive(`no token could be made: ${made.why}`))];
        case 'unsupported':
        case 'failed':
          return [resultFor(maker, requirement, notTestableBecause(made))];
      }
    },
  };
}

const secretOnce = partWithToken('administration.secret-once', async (maker, made) => {
  const found: Decided[] = [];
  // It is read twice: a page that shows the secret on the first visit may not have been visited at creation.
  for (const action of ['read', 'read', 'list'] as const) {
    const answer = await maker.ask(action, 'super-admin', { id: made.token.id });
    if (answer.kind === 'refused') found.push(inconclusive(`${action} was refused: ${answer.why}`));
    else if (answer.kind !== 'done') found.push(notTestableBecause(answer));
    else if (isShown(answer, made)) found.push(fail(undefined, `${action} shows the secret after creation`));
    else if (!answer.shown.includes(made.terms.description ?? ''))
      found.push(inconclusive(`${action} does not show the token that was made`));
    else found.push(pass(maker.control, `${action} shows the token without its secret`));
  }
  // The answers to later actions must not show it either. They need not show the token.
  for (const action of ['change', 'revoke', 'read'] as const) {
    const changes = action === 'change' ? { ...made.terms, description: `${made.terms.description}, changed` } : {};
    const answer = await maker.ask(action, 'super-admin', { ...changes, id: made.token.id });
    if (isShown(answer, made)) found.push(fail(undefined, `the answer to ${action} shows the secret after creation`));
  }
  return found;
});

function isShown(answer: AdministrationAnswer, { secret }: MadeToken): boolean {
  return answer.kind === 'done' && (answer.shown.includes(secret) || answer.secret === secret);
}

const revoked = partWithToken('administration.revoked', async (maker, made) => {
  const before = await confirmUse(maker, made, { shows: 'the token works before it is revoked', wanted: 'accepted' });
  if (before.outcome.kind === 'lost') return [inconclusive(before.outcome.why)];
  if (before.outcome.kind === 'refused')
    return [inconclusive(`a request with the token got ${before.outcome.status} before it was revoked`)];
  const answer = await maker.ask('revoke', 'super-admin', { id: made.token.id });
  if (answer.kind === 'failed') return [notTestableBecause(answer)];
  if (answer.kind !== 'done') return [observed(`tokens cannot be revoked: ${answer.why}`)];
  const { kind, got } = await confirm(
    () => maker.use(made, { shows: 'a revoked token gets 401', wanted: 'refused' }),
    (one) => {
      const outcome = outcomeOf(one);
      if (outcome.kind === 'lost') return 'lost';
      if (outcome.kind === 'accepted') return 'wrong at once';
      return outcome.status === 401 ? 'right' : 'wrong';
    },
  );
  const after = outcomeOf(got);
  if (after.kind === 'lost') return [inconclusive(after.why)];
  switch (kind) {
    case 'wrong':
    case 'fleeting':
      return [blame(kind, warn(got, `wanted 401 to a revoked token, got ${after.status}`))];
    case 'right':
    case 'lost':
      return [pass(await maker.api.acceptance(before.answer), 'a revoked token gets 401')];
  }
});

const kept = partWithToken('reference.kept', async (maker, made) => {
  await maker.ask('revoke', 'super-admin', { id: made.token.id });
  const read = await recordOf(maker, made);
  const list = await maker.ask('list', 'super-admin', {});
  const listed = list.kind === 'done' && list.tokens.some(({ id }) => id !== undefined && id === made.token.id);
  if (read.kind !== 'record' || read.record.revoked !== true)
    return [fail(undefined, 'the record of a revoked token is gone, or does not say that it is revoked')];
  return [
    listed
      ? pass(maker.control, 'a revoked token is still listed')
      : fail(undefined, 'a revoked token is no longer listed'),
  ];
});

const MINUTE_MS = 60_000;

const lastUse = partWithToken('reference.last-use', async (maker, made) => {
  const startedAt = Date.now();
  const before = await recordOf(maker, made);
  const answer = await maker.use(made, { shows: 'a first use of the token', wanted: 'accepted' });
  const used = outcomeOf(answer);
  if (used.kind === 'lost') return [inconclusive(used.why)];
  const after = await recordOf(maker, made);
  if (before.kind !== 'record') return [inconclusive(before.why)];
  if (after.kind !== 'record') return [inconclusive(after.why)];
  const { lastUsed, created } = after.record;
  if (before.record.lastUsed !== undefined) return [fail(undefined, 'the record of an unused token has a last use')];
  const since = Date.parse(lastUsed ?? '') - Date.parse(created ?? '');
  const allowed = MINUTE_MS + Date.now() - startedAt;
  return [
    since >= 0 && since <= allowed
      ? pass(await maker.api.acceptance(answer), 'the last use is known to the minute')
      : fail(answer, `the record of a token that was just used says: last used ${lastUsed ?? 'unknown'}`),
  ];
});

const audited: CheckPart = {
  requirements: ['reference.audited'],
  async decide(maker) {
    const { nobody } = maker.api.people;
    await maker.make('user', { userEmail: nobody });
    const trail = await maker.ask('audit', 'super-admin', {});
    const isListed = trail.kind === 'done' && trail.shown.includes(nobody);
    const decided = isListed
      ? pass(maker.control, 'the audit trail shows a refused attempt to create a token')
      : fail(undefined, 'the audit trail does not show a refused attempt to create a token');
    return [resultFor(maker, 'reference.audited', decided)];
  },
};

/** What happens to a token after its creation (spec 2.1, 8.2 and 8.3). */
export const lifetime: readonly CheckPart[] = [secretOnce, fixed, fixedTerms, revoked, kept, lastUse, audited];
