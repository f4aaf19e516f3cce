import { outcomeOf } from '../../../harness/checks/outcome.ts';
import type { TokenTerms } from '../../../harness/commands/administration.ts';
import { type Decided, fail, pass, unclear } from '../parts/decision.ts';
import { about } from './about.ts';
import { prevented, tried } from './findings.ts';
import { dateAfter, type Made, recordOf, type TokenMaker } from './token-maker.ts';

/** How a token is another than before; undefined where it is not, lost where nobody can tell. */
type Changed = { readonly how: string } | { readonly lost: string } | undefined;

/** Something of a token that must stay as it is. */
interface Change {
  readonly what: string;
  readonly changes: TokenTerms;
  readonly changed: () => Promise<Changed>;
}

/** Tries to change a token, and finds whether it did. */
async function change(maker: TokenMaker, made: Made, { what, changes, changed }: Change): Promise<Decided> {
  const answer = await maker.ask('change', 'super-admin', { ...made.terms, ...changes, id: made.token.id });
  if (answer.kind === 'failed') return prevented(answer);
  const found = await changed();
  if (found) return 'how' in found ? fail(`${what} of a token were changed: ${found.how}`) : unclear(found.lost);
  if (answer.kind === 'unsupported')
    return { verdict: 'observed', detail: `${what} cannot be asked to change: ${answer.why}` };
  return pass(`${what} stayed as they were`);
}

export const fixed = about('administration.fixed', async (maker, made) => {
  const { operation, other } = maker;
  const reaches = async () => other && outcomeOf(await maker.use(made, { on: other }));
  const before = await reaches();
  const record = await recordOf(maker, made);
  const more = [...new Set([operation, other ?? operation])].map(({ scope }) => scope);
  const scopes = await change(maker, made, {
    what: 'the scopes',
    changes: { scopes: more },
    async changed() {
      const after = await reaches();
      if (after?.kind === 'accepted' && before?.kind === 'refused') return { how: `it reaches ${other?.id} now` };
      const said = (await recordOf(maker, made)).scopes;
      if (said?.join() !== record.scopes?.join()) return { how: `the target says ${said?.join(' ') || 'none'}` };
      const lost = [before, after].find((outcome) => outcome?.kind === 'lost');
      return lost?.kind === 'lost' ? { lost: lost.why } : undefined;
    },
  });
  const permission = await change(maker, made, {
    what: 'the permissions',
    changes: { permission: 'GLOBAL', userEmail: undefined },
    async changed() {
      const after = await tried(maker, made);
      if (after.kind === 'refused') return { how: `without acting as somebody it answered ${after.status}` };
      const said = (await recordOf(maker, made)).permission;
      if (said !== record.permission) return { how: `the target says ${said}` };
      return after.kind === 'lost' ? { lost: after.why } : undefined;
    },
  });
  return [scopes, permission];
});

export const fixedTerms = about('reference.fixed-terms', async (maker, made) => {
  const before = await recordOf(maker, made);
  const changes = { description: 'changed', expires: dateAfter(Date.now(), 9) };
  const changed = async () => {
    const after = await recordOf(maker, made);
    const field = (['description', 'expires'] as const).find((name) => after[name] !== before[name]);
    return field && { how: `the ${field} is another` };
  };
  return [await change(maker, made, { what: 'description and expiry', changes, changed })];
});
