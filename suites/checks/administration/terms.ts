import { showsMarker } from '../../../harness/checks/check.ts';
import { type CheckOutcome, outcomeOf, readIn } from '../../../harness/checks/outcome.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { confirm } from '../shared/confirm.ts';
import { type Decided, fail, inconclusive, notTestable, pass } from '../shared/decision.ts';
import { type CheckPart, describeAnswer, mustMake, mustNotMake, notTestableBecause, resultFor } from './assertions.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

/** A permission and a scope that the specification does not know (spec 2.1 and 5.4). */
const NO_PERMISSION = 'EVERYTHING';
const NO_SCOPE = 'EVERYWHERE';

const description: CheckPart = {
  requirements: ['administration.description'],
  decide: async (maker) => [
    resultFor(
      'administration.description',
      await mustNotMake(maker, 'super-admin', 'a token without a description', { changes: { description: '' } }),
    ),
  ],
};

const permission: CheckPart = {
  requirements: ['administration.permission'],
  async decide(maker) {
    const found = await mustNotMake(maker, 'super-admin', 'a token with an unknown permission', {
      changes: { permission: NO_PERMISSION },
    });
    return [
      resultFor('administration.permission', found),
      ...(maker.api.claims.kinds.includes('GLOBAL') && maker.api.variable('ACT_AS_EMAIL') !== undefined
        ? [resultFor('administration.permission', await globalToken(maker), 'GLOBAL')]
        : []),
    ];
  },
};

/** A token that was made as GLOBAL works with an acting user and is refused without one. */
async function globalToken(maker: TokenMaker): Promise<Decided> {
  const what = 'a GLOBAL token that a Super Admin requested';
  const found = await mustMake(maker, 'super-admin', what, { permission: 'GLOBAL', userEmail: undefined });
  const made = maker.made.findLast(({ terms }) => terms.permission === 'GLOBAL');
  if (found.verdict !== 'pass' || !made) return found;
  const sameCase = maker.api.planned(maker.operation.id, 'GLOBAL', { 'act-as': 'absent' });
  const withoutActAs = outcomeOf(await maker.use(made));
  return mustNotReach(maker, withoutActAs, sameCase, {
    accepted: fail(`${what} was accepted without an acting user`),
    refused: found,
  });
}

/**
 * Decides on a request that must be refused. If it was accepted, the same case with a token of the variables is sent. If
 * that is accepted too, the cause is not how the token was made, and the matrix blames it.
 */
async function mustNotReach(
  { api }: TokenMaker,
  outcome: CheckOutcome,
  sameCase: PlannedCase | undefined,
  decisions: Readonly<Record<'accepted' | 'refused', Decided>>,
): Promise<Decided> {
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  if (outcome.kind === 'refused' || !sameCase) return decisions[outcome.kind];
  const other = outcomeOf((await api.send(sameCase)).answer);
  switch (other.kind) {
    case 'accepted':
      return decisions.refused;
    case 'refused':
      return decisions.accepted;
    case 'lost':
      return inconclusive(other.why);
  }
}

const scopes: CheckPart = {
  requirements: ['administration.scopes'],
  async decide(maker) {
    const found = [
      await mustNotMake(maker, 'super-admin', 'a token without scopes', { changes: { scopes: [] } }),
      await mustNotMake(maker, 'super-admin', 'a token with an unknown scope', {
        changes: { scopes: [maker.operation.scope, NO_SCOPE] },
      }),
      await firstScopeAlone(maker),
      await otherScopeAlone(maker),
    ];
    return found.map((decided) => resultFor('administration.scopes', decided));
  },
};

/** A token with only the scope of the other operation is refused on this one. */
async function otherScopeAlone(maker: TokenMaker): Promise<Decided> {
  const { other, operation } = maker;
  if (!other) return pass('there is no other operation');
  const result = await maker.make('super-admin', { scopes: [other.scope] });
  switch (result.kind) {
    case 'made':
      return mustBeRefusedOn(maker, result, operation, other.scope);
    case 'refused':
      return fail(`a token with ${other.scope} alone was refused: ${result.why}`);
    case 'unsupported':
    case 'failed':
      return notTestableBecause(result);
  }
}

/** The first token, with only the scope of this operation, is refused on the other one. */
async function firstScopeAlone(maker: TokenMaker): Promise<Decided> {
  const { other, operation } = maker;
  const [made] = maker.made;
  return other && made ? mustBeRefusedOn(maker, made, other, operation.scope) : pass('there is no other operation');
}

async function mustBeRefusedOn(maker: TokenMaker, made: MadeToken, on: Operation, scope: string): Promise<Decided> {
  const answer = await maker.use(made, { on });
  const sameCase = maker.api.planned(on.id, 'USER', { holding: `only:${scope}` });
  return mustNotReach(maker, outcomeOf(answer), sameCase, {
    accepted: fail(`a token made with ${scope} alone was accepted on ${on.id}`),
    refused: pass(`a token made with ${scope} alone ${describeAnswer(answer)} on ${on.id}`),
  });
}

const userEmail: CheckPart = {
  requirements: ['administration.user-email'],
  async decide(maker) {
    const without = await mustNotMake(maker, 'super-admin', 'a USER token without the email of its user', {
      changes: { userEmail: undefined },
    });
    return [without, await runsAsUser(maker)].map((decided) => resultFor('administration.user-email', decided));
  },
};

async function runsAsUser(maker: TokenMaker): Promise<Decided> {
  const { api, operation } = maker;
  const query = api.variable('USER_PRIVATE_QUERY');
  const [made] = maker.made;
  if (query === undefined || !made) return notTestable('USER_PRIVATE_QUERY');
  const { kind, got: seen } = await confirm(
    () => maker.use(made, { query }),
    (answer) => {
      if (showsMarker(answer, 'USER')) return 'right';
      return readIn(answer, operation).kind === 'lost' ? 'lost' : 'wrong';
    },
  );
  if (kind === 'right') return pass('a token made for USER_EMAIL runs as that user');
  if (kind === 'fleeting')
    return inconclusive('a token made for USER_EMAIL did not find $USER_PRIVATE_MARKER once; it did not happen again');
  const credential = api.full('USER');
  const known = credential && (await api.call({ operation, credential, body: { ...operation.example, query } }));
  for (const answer of [seen, ...(known ? [known] : [])]) {
    const outcome = readIn(answer, operation);
    if (outcome.kind === 'lost') return inconclusive(outcome.why);
  }
  return known && !showsMarker(known, 'USER')
    ? inconclusive('$USER_TOKEN does not find $USER_PRIVATE_MARKER either')
    : fail('a token made for USER_EMAIL did not find $USER_PRIVATE_MARKER');
}

/** The fields of a token (spec 2.1). */
export const terms: readonly CheckPart[] = [description, permission, scopes, userEmail];
