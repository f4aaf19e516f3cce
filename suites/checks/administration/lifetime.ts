import { outcomeOf } from '../../../harness/checks/outcome.ts';
import { confirmed } from '../parts/ask-again.ts';
import { blamed, type Decided, fail, pass, unclear } from '../parts/decision.ts';
import { about } from './about.ts';
import { type CheckPart, prevented, say, tried } from './findings.ts';
import { fixed, fixedTerms } from './fixed.ts';
import { recordOf } from './token-maker.ts';

const secretOnce = about('administration.secret-once', async (maker, made) => {
  const found: Decided[] = [];
  // Twice, since a page that shows it once may not have been looked at when the token was made.
  for (const action of ['read', 'read', 'list'] as const) {
    const answer = await maker.ask(action, 'super-admin', { id: made.token.id });
    if (answer.kind !== 'done')
      found.push(answer.kind === 'refused' ? unclear(`${action} was refused: ${answer.why}`) : prevented(answer));
    else if (answer.shown.includes(made.secret)) found.push(fail(`${action} shows the secret of a token made before`));
    else if (!answer.shown.includes(made.terms.description ?? ''))
      found.push(unclear(`${action} does not show the token that was made`));
    else found.push(pass(`${action} shows the token without its secret`));
  }
  return found;
});

const revoked = about('administration.revoked', async (maker, made) => {
  const before = await tried(maker, made);
  if (before.kind === 'lost') return [unclear(before.why)];
  if (before.kind === 'refused') return [unclear(`before it was revoked the token was answered ${before.status}`)];
  const answer = await maker.ask('revoke', 'super-admin', { id: made.token.id });
  if (answer.kind === 'failed') return [prevented(answer)];
  if (answer.kind !== 'done') return [{ verdict: 'observed', detail: `no token can be revoked: ${answer.why}` }];
  const { kind, got: after } = await confirmed(
    async () => outcomeOf(await maker.use(made)),
    (outcome) => {
      if (outcome.kind === 'lost') return 'lost';
      if (outcome.kind === 'accepted') return 'wrong at once';
      return outcome.status === 401 ? 'right' : 'wrong';
    },
  );
  if (after.kind === 'lost') return [unclear(after.why)];
  const detail = `wanted 401 to a revoked token, got ${after.status}`;
  switch (kind) {
    case 'wrong':
    case 'fleeting':
      return [blamed(kind, detail, 'warn')];
    case 'right':
    case 'lost':
      return [pass('a revoked token: answered 401')];
  }
});

const kept = about('reference.kept', async (maker, made) => {
  await maker.ask('revoke', 'super-admin', { id: made.token.id });
  const { revoked: said } = await recordOf(maker, made);
  const list = await maker.ask('list', 'super-admin', {});
  const listed = list.kind === 'done' && list.tokens.some(({ id }) => id !== undefined && id === made.token.id);
  if (said !== true) return [fail('a revoked token can no longer be read as one')];
  return [listed ? pass('a revoked token is still listed') : fail('a revoked token is no longer listed')];
});

const MINUTE_MS = 60_000;

const lastUse = about('reference.last-use', async (maker, made) => {
  const began = Date.now();
  const unused = await recordOf(maker, made);
  const used = outcomeOf(await maker.use(made));
  if (used.kind === 'lost') return [unclear(used.why)];
  const { lastUsed, created } = await recordOf(maker, made);
  if (unused.lastUsed !== undefined) return [fail('a token was used before anybody used it')];
  const since = Date.parse(lastUsed ?? '') - Date.parse(created ?? '');
  const allowed = MINUTE_MS + Date.now() - began;
  return [
    since >= 0 && since <= allowed
      ? pass('the last use is known to the minute')
      : fail(`a token was used, and its last use is ${lastUsed ?? 'unknown'}`),
  ];
});

const audited: CheckPart = {
  requirements: ['reference.audited'],
  async decide(maker) {
    const { nobody } = maker.api.people;
    await maker.make('user', { userEmail: nobody });
    const trail = await maker.ask('audit', 'super-admin', {});
    const seen = trail.kind === 'done' && trail.shown.includes(nobody);
    const found = seen ? pass('a refused attempt stands in the audit trail') : fail('a refused attempt left no trace');
    return [say('reference.audited', found)];
  },
};

/** What becomes of a token once it is made (spec 2.1, 8.2, 8.3). */
export const lifetime: readonly CheckPart[] = [secretOnce, fixed, fixedTerms, revoked, kept, lastUse, audited];
