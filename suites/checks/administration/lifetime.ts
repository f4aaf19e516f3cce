import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { confirm } from '../shared/confirm.ts';
import { blame, type Decided, fail, inconclusive, pass } from '../shared/decision.ts';
import { type CheckPart, confirmUse, notTestableBecause, resultFor } from './assertions.ts';
import { fixed, fixedTerms } from './fixed.ts';
import { partWithToken } from './part-with-token.ts';
import { recordOf } from './token-maker.ts';

const secretOnce = partWithToken('administration.secret-once', async (maker, made) => {
  const found: Decided[] = [];
  // It is read twice: a page that shows the secret on the first visit may not have been visited at creation.
  for (const action of ['read', 'read', 'list'] as const) {
    const answer = await maker.ask(action, 'super-admin', { id: made.token.id });
    if (answer.kind === 'refused') found.push(inconclusive(`${action} was refused: ${answer.why}`));
    else if (answer.kind !== 'done') found.push(notTestableBecause(answer));
    else if (answer.shown.includes(made.secret)) found.push(fail(`${action} shows the secret after creation`));
    else if (!answer.shown.includes(made.terms.description ?? ''))
      found.push(inconclusive(`${action} does not show the token that was made`));
    else found.push(pass(`${action} shows the token without its secret`));
  }
  return found;
});

const revoked = partWithToken('administration.revoked', async (maker, made) => {
  const before = await confirmUse(maker, made);
  if (before.kind === 'lost') return [inconclusive(before.why)];
  if (before.kind === 'refused')
    return [inconclusive(`a request with the token got ${before.status} before it was revoked`)];
  const answer = await maker.ask('revoke', 'super-admin', { id: made.token.id });
  if (answer.kind === 'failed') return [notTestableBecause(answer)];
  if (answer.kind !== 'done') return [{ verdict: 'observed', detail: `tokens cannot be revoked: ${answer.why}` }];
  const { kind, got: after } = await confirm(
    async () => outcomeOf(await maker.use(made)),
    (outcome) => {
      if (outcome.kind === 'lost') return 'lost';
      if (outcome.kind === 'accepted') return 'wrong at once';
      return outcome.status === 401 ? 'right' : 'wrong';
    },
  );
  if (after.kind === 'lost') return [inconclusive(after.why)];
  const detail = `wanted 401 to a revoked token, got ${after.status}`;
  switch (kind) {
    case 'wrong':
    case 'fleeting':
      return [blame(kind, detail, 'warn')];
    case 'right':
    case 'lost':
      return [pass('a revoked token gets 401')];
  }
});

const kept = partWithToken('reference.kept', async (maker, made) => {
  await maker.ask('revoke', 'super-admin', { id: made.token.id });
  const record = await recordOf(maker, made);
  const list = await maker.ask('list', 'super-admin', {});
  const listed = list.kind === 'done' && list.tokens.some(({ id }) => id !== undefined && id === made.token.id);
  if (record.revoked !== true)
    return [fail('the record of a revoked token is gone, or does not say that it is revoked')];
  return [listed ? pass('a revoked token is still listed') : fail('a revoked token is no longer listed')];
});

const MINUTE_MS = 60_000;

const lastUse = partWithToken('reference.last-use', async (maker, made) => {
  const startedAt = Date.now();
  const unused = await recordOf(maker, made);
  const used = outcomeOf(await maker.use(made));
  if (used.kind === 'lost') return [inconclusive(used.why)];
  const { lastUsed, created } = await recordOf(maker, made);
  if (unused.lastUsed !== undefined) return [fail('the record of an unused token has a last use')];
  const since = Date.parse(lastUsed ?? '') - Date.parse(created ?? '');
  const allowed = MINUTE_MS + Date.now() - startedAt;
  return [
    since >= 0 && since <= allowed
      ? pass('the last use is known to the minute')
      : fail(`the record of a token that was just used says: last used ${lastUsed ?? 'unknown'}`),
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
      ? pass('the audit trail shows a refused attempt to create a token')
      : fail('the audit trail does not show a refused attempt to create a token');
    return [resultFor('reference.audited', decided)];
  },
};

/** What happens to a token after its creation (spec 2.1, 8.2 and 8.3). */
export const lifetime: readonly CheckPart[] = [secretOnce, fixed, fixedTerms, revoked, kept, lastUse, audited];
