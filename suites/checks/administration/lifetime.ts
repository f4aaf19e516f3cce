import { outcomeOf } from '../../../harness/checks/acceptance.ts';
import type { CheckApi } from '../../../harness/checks/check.ts';
import type { AdministrationAnswer, TokenTerms } from '../../../harness/commands/administration.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { formsOf } from '../../../harness/record/secret-forms.ts';
import { lettersOf } from '../../../harness/settings/letters.ts';
import { confirm, refusedWith } from '../shared/confirm.ts';
import { blame, type Decided, fail, inconclusive, observed, pass, warn } from '../shared/decision.ts';
import { GLOBAL, triesGlobal } from './terms.ts';
import {
  ask,
  confirmUse,
  dateAfter,
  type MadeToken,
  make,
  recordOf,
  type TokenMaker,
  type Used,
  use,
} from './token-maker.ts';
import { notDone, type Trial, type Trials, withToken } from './trials.ts';

interface ForbiddenChange {
  readonly what: string;
  /** How the token differs from the ordinary one. */
  readonly token?: TokenTerms;
  readonly changes: TokenTerms;
}

/** Every change of permission and scopes: more of them, fewer, others. */
function forbiddenChanges({ api, operation, other, ordinary }: TokenMaker): readonly ForbiddenChange[] {
  const one = { scopes: operation.scopes };
  const both = { scopes: [...operation.scopes, ...(other?.scopes ?? [])] };
  const toUser = { permission: 'USER', userEmail: ordinary.userEmail };
  return [
    { what: 'the scopes: one more', changes: both },
    ...(other
      ? [
          { what: 'the scopes: one fewer', token: both, changes: one },
          { what: 'the scopes: another one', changes: { scopes: other.scopes } },
        ]
      : []),
    { what: 'the permission: USER to GLOBAL', changes: GLOBAL },
    ...(triesGlobal(api) ? [{ what: 'the permission: GLOBAL to USER', token: GLOBAL, changes: toUser }] : []),
  ];
}

/** Permission and scopes of a token cannot be changed (spec 2.1.1). */
const mustNotChange = ({ what, token, changes }: ForbiddenChange): Trial =>
  withToken(async (maker, made) => {
    const before = await stateOf(maker, made);
    const answer = await ask(maker, 'change', { ...made.terms, ...changes, id: made.token.id });
    if (answer.kind === 'failed') return notDone(answer);
    const after = await stateOf(maker, made);
    for (const [index, { outcome, answer }] of after.uses.entries()) {
      const earlier = before.uses[index]?.outcome;
      if (earlier && earlier.kind !== 'lost' && outcome.kind !== 'lost' && earlier.kind !== outcome.kind)
        return fail(answer, `${what}: a request with the token got ${earlier.status}, now ${outcome.status}`);
    }
    const reads = [before.read, after.read];
    const [earlier, now] = reads.map((read) => (read.kind === 'record' ? read.record : undefined));
    for (const field of ['scopes', 'permission'] as const)
      if (earlier && now && String(earlier[field] ?? '') !== String(now[field] ?? ''))
        return fail(undefined, `${what}: the record of the token now has ${field} ${now[field] ?? 'none'}`);
    const outcomes = [...before.uses, ...after.uses].map(({ outcome }) => outcome);
    for (const one of [...outcomes, ...reads]) if (one.kind === 'lost') return inconclusive(one.why);
    // What a token that never works may do shows no change.
    if (!before.uses.some(({ outcome }) => outcome.kind === 'accepted'))
      return inconclusive(`${what}: the token is refused everywhere before the change`);
    return answer.kind === 'unsupported'
      ? observed(`${what}: this change cannot be requested: ${answer.why}`)
      : pass(maker.control, `${what}: the token stayed the same`);
  }, token);

async function stateOf(maker: TokenMaker, made: MadeToken) {
  const { operation, other } = maker;
  const isGlobal = made.terms.permission === 'GLOBAL';
  const ofUser = [{ on: operation }, ...(other ? [{ on: other }] : [])];
  const asked = isGlobal ? [{}, { namesNobody: true } as const] : ofUser;
  const uses = [];
  for (const one of asked) {
    const aim = { shows: 'the token can do the same before and after', wanted: 'either' } as const;
    uses.push(await confirmUse(maker, made, { ...aim, ...one }));
  }
  return { uses, read: await recordOf(maker, made) };
}

const fixedTerms = withToken(async (maker, made) => {
  const before = await recordOf(maker, made);
  const userEmail = maker.api.people.actAs;
  const changes = { description: 'changed', expires: dateAfter(Date.now(), 9), ...(userEmail && { userEmail }) };
  const answer = await ask(maker, 'change', { ...made.terms, ...changes, id: made.token.id });
  if (answer.kind === 'failed') return notDone(answer);
  const after = await recordOf(maker, made);
  if (before.kind !== 'record') return inconclusive(before.why);
  if (after.kind !== 'record') return inconclusive(after.why);
  const field = (['description', 'expires', 'userEmail'] as const).find(
    (name) => after.record[name] !== before.record[name],
  );
  if (field) return fail(undefined, `${field} in the record of a token is different after a change`);
  return pass(maker.control, 'description, expiry and user of a token stayed the same');
});

const secretOnce = withToken(async (maker, made) => {
  const { id } = made.token;
  const { description = '' } = made.terms;
  const found: Decided[] = [];
  // It is read twice: a page that shows the secret on the first visit may not have been visited at creation.
  for (const action of ['read', 'read', 'list'] as const) {
    const answer = await ask(maker, action, { id });
    if (answer.kind === 'refused') found.push(inconclusive(`${action} was refused: ${answer.why}`));
    else if (answer.kind !== 'done') found.push(notDone(answer));
    else if (isShown(answer, made)) found.push(fail(undefined, `${action} shows the secret after creation`));
    else if (!answer.shown.includes(description))
      found.push(inconclusive(`${action} does not show the token that was made`));
    else found.push(pass(maker.control, `${action} shows the token without its secret`));
  }
  // The answers to later actions must not show it either. They need not show the token.
  const trail = maker.api.trusted ? (['audit'] as const) : [];
  for (const action of ['change', 'revoke', 'read', ...trail] as const) {
    const changes = action === 'change' ? { ...made.terms, description: `${description}, changed` } : {};
    const answer = await ask(maker, action, { ...changes, id });
    if (isShown(answer, made)) found.push(fail(undefined, `the answer to ${action} shows the secret after creation`));
  }
  return found;
});

/** Whether more than half of the secret is shown, however it is written. The beginning and the end of one may tell it from others. */
function isShown(answer: AdministrationAnswer, { secret }: MadeToken): boolean {
  if (answer.kind !== 'done') return false;
  const texts = [answer.shown, answer.shown.toLowerCase(), lettersOf(answer.shown)];
  return formsOf(secret).some(({ text }) => {
    const most = Math.ceil(text.length / 2);
    const runs = Array.from({ length: text.length - most }, (_, at) => text.slice(at, at + most + 1));
    return runs.some((run) => texts.some((shown) => shown.includes(run)));
  });
}

/** What a token with the scopes of all of it reaches: the operations, and the remote MCP server. */
const reachedBy = ({ contract, claims }: CheckApi): readonly Operation[] => [
  ...contract.operations,
  ...(claims.capabilities.includes('mcp') ? contract.mcp.slice(0, 1) : []),
];

const revoked = async (maker: TokenMaker, made: MadeToken) => {
  const works = 'the token works before it is revoked';
  const before = await confirmUse(maker, made, { shows: works, wanted: 'accepted' });
  if (before.outcome.kind === 'lost') return inconclusive(before.outcome.why);
  if (before.outcome.kind === 'refused')
    return inconclusive(`a request with the token got ${before.outcome.status} before it was revoked`);
  const answer = await ask(maker, 'revoke', { id: made.token.id });
  if (answer.kind === 'failed') return notDone(answer);
  if (answer.kind !== 'done') return observed(`tokens cannot be revoked: ${answer.why}`);
  const first = await usedAfter(maker, made, 'a revoked token gets 401', before);
  // Each may have its own process, and its own memory of tokens.
  for (const on of reachedBy(maker.api)) {
    const shows = `a revoked token is refused for ${on.id}`;
    const after = on === maker.operation ? undefined : await use(maker, made, { on, shows, wanted: 'refused' });
    if (after && outcomeOf(after).kind === 'accepted') return warn(after, `a revoked token is accepted for ${on.id}`);
  }
  // Neither takes it back. A console need not have them.
  let last = first;
  for (const action of ['change', 'revoke'] as const) {
    if (last.verdict !== 'pass') return last;
    await ask(maker, action, { ...made.terms, id: made.token.id });
    last = await usedAfter(maker, made, `a revoked token gets 401 after another ${action} too`, before);
  }
  return last.verdict === 'pass' ? first : last;
};

async function usedAfter(maker: TokenMaker, made: MadeToken, shows: string, before: Used): Promise<Decided> {
  const { kind, got } = await confirm(() => use(maker, made, { shows, wanted: 'refused' }), refusedWith(401));
  const after = outcomeOf(got);
  if (after.kind === 'lost') return inconclusive(after.why);
  return kind === 'wrong' || kind === 'fleeting'
    ? blame(kind, warn(got, `${shows}: got ${after.status}`))
    : pass(await maker.api.acceptance(before.answer), shows);
}

const kept = withToken(async (maker, made) => {
  const { id } = made.token;
  await ask(maker, 'revoke', { id });
  const read = await recordOf(maker, made);
  const list = await ask(maker, 'list', {});
  if (read.kind !== 'record' || read.record.revoked !== true)
    return fail(undefined, 'the record of a revoked token is gone, or does not say that it is revoked');
  return list.kind === 'done' && list.tokens.some((one) => one.id !== undefined && one.id === id)
    ? pass(maker.control, 'a revoked token is still listed')
    : fail(undefined, 'a revoked token is no longer listed');
});

const MINUTE_MS = 60_000;

const lastUse = withToken(async (maker, made) => {
  const startedAt = Date.now();
  const before = await recordOf(maker, made);
  const answer = await use(maker, made, { shows: 'a first use of the token', wanted: 'accepted' });
  const used = outcomeOf(answer);
  if (used.kind === 'lost') return inconclusive(used.why);
  const after = await recordOf(maker, made);
  if (before.kind !== 'record') return inconclusive(before.why);
  if (after.kind !== 'record') return inconclusive(after.why);
  const { lastUsed, created } = after.record;
  if (before.record.lastUsed !== undefined) return fail(undefined, 'the record of an unused token has a last use');
  const since = Date.parse(lastUsed ?? '') - Date.parse(created ?? '');
  const allowed = MINUTE_MS + Date.now() - startedAt;
  return since >= 0 && since <= allowed
    ? pass(await maker.api.acceptance(answer), 'the last use is known to the minute')
    : fail(answer, `the record of a token that was just used says: last used ${lastUsed ?? 'unknown'}`);
});

const audited: Trial = async (maker) => {
  const { nobody } = maker.api.people;
  await make(maker, { userEmail: nobody }, 'user');
  const trail = await ask(maker, 'audit', {});
  return trail.kind === 'done' && trail.shown.includes(nobody)
    ? pass(maker.control, 'the audit trail shows a refused attempt to create a token')
    : fail(undefined, 'the audit trail does not show a refused attempt to create a token');
};

/** What happens to a token after its creation (spec 2.1, 8.2 and 8.3). */
export const lifetime: Trials = {
  'administration.secret-once': () => [secretOnce],
  'administration.fixed': (maker) => forbiddenChanges(maker).map(mustNotChange),
  'reference.fixed-terms': () => [fixedTerms],
  'administration.revoked': ({ api }) => {
    const scopes = [...new Set(reachedBy(api).flatMap((operation) => operation.scopes))];
    return [{}, ...(triesGlobal(api) ? [GLOBAL] : [])].map((terms) => withToken(revoked, { ...terms, scopes }));
  },
  'reference.kept': () => [kept],
  'reference.last-use': () => [lastUse],
  'reference.audited': () => [audited],
};
