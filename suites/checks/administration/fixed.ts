import { outcomeOf } from '../../../harness/checks/outcome.ts';
import type { TokenTerms } from '../../../harness/commands/administration.ts';
import { type Decided, fail, inconclusive, pass } from '../shared/decision.ts';
import { confirmUse, notTestableBecause } from './assertions.ts';
import { partWithToken } from './part-with-token.ts';
import { dateAfter, type MadeToken, recordOf, type TokenMaker } from './token-maker.ts';

/** How a token differs from before, or why that is not known. Undefined if it is the same. */
type Difference = { readonly how: string } | { readonly lost: string } | undefined;

/** A change that a target must not make to a token. */
interface ForbiddenChange {
  readonly what: string;
  readonly changes: TokenTerms;
  readonly difference: () => Promise<Difference>;
}

/** Requests a change of a token, and finds out whether the token changed. */
async function mustNotChange(
  maker: TokenMaker,
  made: MadeToken,
  { what, changes, difference }: ForbiddenChange,
): Promise<Decided> {
  const answer = await maker.ask('change', 'super-admin', { ...made.terms, ...changes, id: made.token.id });
  if (answer.kind === 'failed') return notTestableBecause(answer);
  const found = await difference();
  if (found) return 'how' in found ? fail(`${what} of a token were changed: ${found.how}`) : inconclusive(found.lost);
  if (answer.kind === 'unsupported')
    return { verdict: 'observed', detail: `a change of ${what} cannot be requested: ${answer.why}` };
  return pass(`${what} of a token stayed the same`);
}

export const fixed = partWithToken('administration.fixed', async (maker, made) => {
  const { operation, other } = maker;
  const reaches = async () => other && outcomeOf(await maker.use(made, { on: other }));
  const before = await reaches();
  const record = await recordOf(maker, made);
  const more = [...new Set([operation, other ?? operation])].map(({ scope }) => scope);
  const scopes = await mustNotChange(maker, made, {
    what: 'the scopes',
    changes: { scopes: more },
    async difference() {
      const after = await reaches();
      if (after?.kind === 'accepted' && before?.kind === 'refused') return { how: `${other?.id} accepts it now` };
      const now = (await recordOf(maker, made)).scopes;
      if (now?.join() !== record.scopes?.join()) return { how: `its record now has ${now?.join(' ') || 'none'}` };
      const lost = [before, after].find((outcome) => outcome?.kind === 'lost');
      return lost?.kind === 'lost' ? { lost: lost.why } : undefined;
    },
  });
  const permission = await mustNotChange(maker, made, {
    what: 'the permissions',
    changes: { permission: 'GLOBAL', userEmail: undefined },
    async difference() {
      const after = await confirmUse(maker, made);
      if (after.kind === 'refused') return { how: `a request without an acting user now gets ${after.status}` };
      const now = (await recordOf(maker, made)).permission;
      if (now !== record.permission) return { how: `its record now has ${now}` };
      return after.kind === 'lost' ? { lost: after.why } : undefined;
    },
  });
  return [scopes, permission];
});

export const fixedTerms = partWithToken('reference.fixed-terms', async (maker, made) => {
  const before = await recordOf(maker, made);
  const changes = { description: 'changed', expires: dateAfter(Date.now(), 9) };
  const difference = async () => {
    const after = await recordOf(maker, made);
    const field = (['description', 'expires'] as const).find((name) => after[name] !== before[name]);
    return field && { how: `${field} in its record is different now` };
  };
  return [await mustNotChange(maker, made, { what: 'description and expiry', changes, difference })];
});
