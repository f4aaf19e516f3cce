import { outcomeOf, readIn } from '../../../harness/checks/acceptance.ts';
import { type CheckAnswer, showsMarker } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { confirm } from '../shared/confirm.ts';
import { type Decided, fail, inconclusive, notTestable, observed, pass } from '../shared/decision.ts';
import {
  type CheckPart,
  describeAnswer,
  mustBeLegal,
  mustMake,
  mustNotMake,
  notTestableBecause,
  resultFor,
} from './assertions.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

/** A permission and a scope that the specification does not know (spec 2.1 and 5.4). */
const NO_PERMISSION = 'EVERYTHING';
const NO_SCOPE = 'EVERYWHERE';

const description: CheckPart = {
  requirements: ['administration.description'],
  async decide(maker) {
    const what = 'a token without a description';
    const made = mustBeLegal(maker, what, 'description', (text) => text.trim() !== '');
    const found = await mustNotMake(maker, 'super-admin', what, { changes: { description: '' }, made });
    return [resultFor(maker, 'administration.description', found)];
  },
};

const permission: CheckPart = {
  requirements: ['administration.permission'],
  async decide(maker) {
    const what = 'a token with an unknown permission';
    const made = mustBeLegal(maker, what, 'permission', (name) => name === 'USER' || name === 'GLOBAL');
    const found = await mustNotMake(maker, 'super-admin', what, { changes: { permission: NO_PERMISSION }, made });
    return [
      resultFor(maker, 'administration.permission', found),
      ...(maker.api.claims.kinds.includes('GLOBAL') && maker.api.variable('ACT_AS_EMAIL') !== undefined
        ? [resultFor(maker, 'administration.permission', await globalToken(maker), 'GLOBAL')]
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
  const withoutActAs = await maker.use(made, { shows: `${what} is refused without an acting user`, wanted: 'refused' });
  return mustNotReach(maker, withoutActAs, sameCase, {
    accepted: fail(withoutActAs, `${what} was accepted without an acting user`),
    refused: found,
  });
}

/**
 * Decides on a request that must be refused. If it was accepted, the same case with a token of the variables is sent. If
 * that is accepted too, the cause is not how the token was made, and the matrix blames it.
 */
async function mustNotReach(
  { api }: TokenMaker,
  answer: CheckAnswer,
  sameCase: PlannedCase | undefined,
  decisions: Readonly<Record<'accepted' | 'refused', Decided>>,
): Promise<Decided> {
  const outcome = outcomeOf(answer);
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  if (outcome.kind === 'refused' || !sameCase) return decisions[outcome.kind];
  const other = outcomeOf((await api.send(sameCase, 'the same with a token of the variables is refused')).answer);
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
    const known = new Set(maker.api.contract.matrix.scopes);
    const areLegal = (names: readonly string[]) => names.length > 0 && names.every((name) => known.has(name));
    const refuse = (what: string, names: readonly string[]) =>
      mustNotMake(maker, 'super-admin', what, {
        changes: { scopes: names },
        made: mustBeLegal(maker, what, 'scopes', areLegal),
      });
    const found = [
      await refuse('a token without scopes', []),
      await refuse('a token with an unknown scope', [maker.operation.scope, NO_SCOPE]),
      await firstScopeAlone(maker),
      await otherScopeAlone(maker),
    ];
    return found.map((decided) => resultFor(maker, 'administration.scopes', decided));
  },
};

/** A token with only the scope of the other operation is refused on this one. */
async function otherScopeAlone(maker: TokenMaker): Promise<Decided> {
  const { other, operation } = maker;
  if (!other) return observed('there is no other operation');
  const result = await maker.make('super-admin', { scopes: [other.scope] });
  switch (result.kind) {
    case 'made':
      return mustBeRefusedOn(maker, result, operation, other.scope);
    case 'refused':
      return fail(undefined, `a token with ${other.scope} alone was refused: ${result.why}`);
    case 'unsupported':
    case 'failed':
      return notTestableBecause(result);
  }
}

/** The first token, with only the scope of this operation, is refused on the other one. */
async function firstScopeAlone(maker: TokenMaker): Promise<Decided> {
  const { other, operation } = maker;
  const [made] = maker.made;
  return other && made ? mustBeRefusedOn(maker, made, other, operation.scope) : observed('there is no other operation');
}

async function mustBeRefusedOn(maker: TokenMaker, made: MadeToken, on: Operation, scope: string): Promise<Decided> {
  const what = `a token made with ${scope} alone`;
  const answer = await maker.use(made, { on, shows: `${what} is refused on ${on.id}`, wanted: 'refused' });
  const sameCase = maker.api.planned(on.id, 'USER', { holding: `only:${scope}` });
  return mustNotReach(maker, answer, sameCase, {
    accepted: fail(answer, `${what} was accepted on ${on.id}`),
    refused: pass(maker.control, `${what} ${describeAnswer(answer)} on ${on.id}`),
  });
}

const userEmail: CheckPart = {
  requirements: ['administration.user-email'],
  async decide(maker) {
    const what = 'a USER token without the email of its user';
    const made = mustBeLegal(maker, what, 'userEmail', (email) => email !== '');
    const without = await mustNotMake(maker, 'super-admin', what, { changes: { userEmail: undefined }, made });
    return [without, await runsAsUser(maker)].map((decided) => resultFor(maker, 'administration.user-email', decided));
  },
};

async function runsAsUser(maker: TokenMaker): Promise<Decided> {
  const { api, operation } = maker;
  const query = api.variable('USER_PRIVATE_QUERY');
  const [made] = maker.made;
  if (query === undefined || !made) return notTestable('USER_PRIVATE_QUERY');
  const shows = 'a token made for USER_EMAIL shows $USER_PRIVATE_MARKER';
  const { kind, got: seen } = await confirm(
    () => maker.use(made, { query, shows, wanted: 'accepted' }),
    (answer) => {
      if (showsMarker(answer, 'USER')) return 'right';
      return readIn(answer, operation).kind === 'lost' ? 'lost' : 'wrong';
    },
  );
  if (kind === 'right') return pass(await api.acceptance(seen), 'a token made for USER_EMAIL runs as that user');
  if (kind === 'fleeting')
    return inconclusive('a token made for USER_EMAIL did not find $USER_PRIVATE_MARKER once; it did not happen again');
  const credential = api.full('USER');
  const body = { ...operation.example, query };
  const same = {
    operation,
    credential,
    body,
    shows: '$USER_TOKEN shows $USER_PRIVATE_MARKER',
    wanted: 'accepted',
  } as const;
  const known = credential && (await api.call(same));
  for (const answer of [seen, ...(known ? [known] : [])]) {
    const outcome = readIn(answer, operation);
    if (outcome.kind === 'lost') return inconclusive(outcome.why);
  }
  // Results may list anything, so an absent document shows something only if the same person finds it otherwise.
  if (!known) return inconclusive('a token made for USER_EMAIL did not find $USER_PRIVATE_MARKER');
  return showsMarker(known, 'USER')
    ? fail(seen, 'a token made for USER_EMAIL did not find $USER_PRIVATE_MARKER')
    : inconclusive('$USER_TOKEN does not find $USER_PRIVATE_MARKER either');
}

/** The fields of a token (spec 2.1). */
export const terms: readonly CheckPart[] = [description, permission, scopes, userEmail];
