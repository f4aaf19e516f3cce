import { outcomeOf } from '../../../harness/checks/outcome.ts';
import type { AdministrationAnswer } from '../../../harness/commands/administration.ts';
import { confirm } from '../shared/confirm.ts';
import { blame, type Decided, fail, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { type CheckPart, confirmUse, notTestableBecause, resultFor } from './assertions.ts';
import { fixed, fixedTerms } from './fixed.ts';
import { partWithToken } from './part-with-token.ts';
import { type MadeToken, recordOf } from './token-maker.ts';

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
