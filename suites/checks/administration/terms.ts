import { showsMarker } from '../../../harness/checks/check.ts';
import { type CheckOutcome, outcomeOf, readIn } from '../../../harness/checks/outcome.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { confirmed } from '../parts/ask-again.ts';
import { type Decided, fail, lacking, pass, unclear } from '../parts/decision.ts';
import { type CheckPart, mustMake, mustNotMake, prevented, say, statusOf } from './findings.ts';
import type { Made, TokenMaker } from './token-maker.ts';

/** A permission and a scope that spec 2.1 and 5.4 do not have. */
const NO_PERMISSION = 'EVERYTHING';
const NO_SCOPE = 'EVERYWHERE';

const description: CheckPart = {
  requirements: ['administration.description'],
  decide: async (maker) => [
    say(
      'administration.description',
      await mustNotMake(maker, 'super-admin', 'a token without a description', { changes: { description: '' } }),
    ),
  ],
};

const permission: CheckPart = {
  requirements: ['administration.permission'],
  async decide(maker) {
    const found = await mustNotMake(maker, 'super-admin', 'a token with another permission than the two', {
      changes: { permission: NO_PERMISSION },
    });
    return [
      say('administration.permission', found),
      ...(maker.api.claims.kinds.includes('GLOBAL') && maker.api.variable('ACT_AS_EMAIL') !== undefined
        ? [say('administration.permission', await globalToken(maker), 'GLOBAL')]
        : []),
    ];
  },
};

/** Made as GLOBAL it acts as somebody, and as nobody it does not work. */
async function globalToken(maker: TokenMaker): Promise<Decided> {
  const what = 'a GLOBAL token of a Super Admin';
  const found = await mustMake(maker, 'super-admin', what, { permission: 'GLOBAL', userEmail: undefined });
  const made = maker.made.findLast(({ terms }) => terms.permission === 'GLOBAL');
  if (found.verdict !== 'pass' || !made) return found;
  const alone = maker.api.planned(maker.operation.id, 'GLOBAL', { 'act-as': 'absent' });
  const nameless = outcomeOf(await maker.use(made));
  return mustNotReach(maker, nameless, alone, {
    accepted: fail(`${what} runs as nobody in particular`),
    refused: found,
  });
}

/** A wrong acceptance counts where a token that the variables name is not accepted alike: else it is not how this was made. */
async function mustNotReach(
  { api }: TokenMaker,
  outcome: CheckOutcome,
  alike: PlannedCase | undefined,
  findings: Readonly<Record<'accepted' | 'refused', Decided>>,
): Promise<Decided> {
  if (outcome.kind === 'lost') return unclear(outcome.why);
  if (outcome.kind === 'refused' || !alike) return findings[outcome.kind];
  const other = outcomeOf((await api.send(alike)).answer);
  switch (other.kind) {
    case 'accepted':
      return findings.refused;
    case 'refused':
      return findings.accepted;
    case 'lost':
      return unclear(other.why);
  }
}

const scopes: CheckPart = {
  requirements: ['administration.scopes'],
  async decide(maker) {
    const { operation } = maker;
    return [
      say(
        'administration.scopes',
        await mustNotMake(maker, 'super-admin', 'a token without scopes', { changes: { scopes: [] } }),
      ),
      say(
        'administration.scopes',
        await mustNotMake(maker, 'super-admin', 'a token with a scope that there is not', {
          changes: { scopes: [operation.scope, NO_SCOPE] },
        }),
      ),
      say('administration.scopes', await reach(maker)),
      say('administration.scopes', await reachBack(maker)),
    ];
  },
};

/** A token with the scope of the other operation alone reaches that one, and not this. */
async function reachBack(maker: TokenMaker): Promise<Decided> {
  const { other, operation } = maker;
  if (!other) return pass('there is no other operation');
  const making = await maker.make('super-admin', { scopes: [other.scope] });
  if (making.kind === 'refused') return fail(`a token with ${other.scope} alone was refused: ${making.why}`);
  return making.kind === 'made' ? notOn(maker, making, operation, other.scope) : prevented(making);
}

/** The first token was accepted where its scope suffices; elsewhere it must not be. */
async function reach(maker: TokenMaker): Promise<Decided> {
  const { other, operation } = maker;
  const [made] = maker.made;
  return other && made ? notOn(maker, made, other, operation.scope) : pass('there is no other operation');
}

async function notOn(maker: TokenMaker, made: Made, on: Operation, scope: string): Promise<Decided> {
  const answer = await maker.use(made, { on });
  const same = maker.api.planned(on.id, 'USER', { holding: `only:${scope}` });
  return mustNotReach(maker, outcomeOf(answer), same, {
    accepted: fail(`a token made with ${scope} alone was accepted on ${on.id}`),
    refused: pass(`a token made with ${scope} alone: ${statusOf(answer)} on ${on.id}`),
  });
}

const userEmail: CheckPart = {
  requirements: ['administration.user-email'],
  async decide(maker) {
    const without = await mustNotMake(maker, 'super-admin', 'a USER token without the email of its user', {
      changes: { userEmail: undefined },
    });
    return [say('administration.user-email', without), say('administration.user-email', await bound(maker))];
  },
};

async function bound(maker: TokenMaker): Promise<Decided> {
  const { api, operation } = maker;
  const query = api.variable('USER_PRIVATE_QUERY');
  const [made] = maker.made;
  if (query === undefined || !made) return lacking('USER_PRIVATE_QUERY');
  const { kind, got: seen } = await confirmed(
    () => maker.use(made, { query }),
    (answer) => (showsMarker(answer, 'USER') ? 'right' : readIn(answer, operation).kind === 'lost' ? 'lost' : 'wrong'),
  );
  if (kind === 'right') return pass('the token runs as the person of USER_EMAIL');
  if (kind === 'fleeting') return unclear('the private marker of USER_EMAIL was missing once and not again');
  const credential = api.full('USER');
  const known = credential && (await api.call({ operation, credential, body: { ...operation.example, query } }));
  for (const answer of [seen, ...(known ? [known] : [])]) {
    const outcome = readIn(answer, operation);
    if (outcome.kind === 'lost') return unclear(outcome.why);
  }
  return known && !showsMarker(known, 'USER')
    ? unclear('no token of this person finds the marker')
    : fail('a token made for USER_EMAIL did not find the private marker of that person');
}

/** Of what a token consists (spec 2.1). */
export const terms: readonly CheckPart[] = [description, permission, scopes, userEmail];
