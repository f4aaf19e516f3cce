import { readIn } from '../../../harness/checks/acceptance.ts';
import { showsMarker } from '../../../harness/checks/check.ts';
import { type Actor, SELF, type TokenRecord, type TokenTerms } from '../../../harness/commands/administration.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { confirm } from '../shared/confirm.ts';
import { type Decided, fail, inconclusive, notTestable, observed, pass } from '../shared/decision.ts';
import { OWNERS, type Owner, privatePeople } from '../shared/private-documents.ts';
import { kindHeaders } from '../shared/refusals.ts';
import { type MadeToken, recordOf, type TokenMaker, use } from './token-maker.ts';
import { gotOf, mustMake, mustNotMake, mustNotReach, mustWork, type Trial, type Trials, withToken } from './trials.ts';

const LIMITED_ROLES: readonly (readonly [Actor, string])[] = [
  ['admin', 'an Admin'],
  ['api-token-creator', 'an API Token Creator'],
];
const NOBODY = 'a token that a user without a role requested';

export const GLOBAL = { permission: 'GLOBAL', userEmail: undefined } as const;

/** The fields of a token (spec 2.1), and who may create which token (spec 2.1.2). */
export const terms: Trials = {
  'administration.description': () => [mustBeLegal('a token without a description', { description: '' })],
  'administration.permission': ({ api }) => [
    mustBeLegal('a token with an unknown permission', { permission: 'EVERYTHING' }),
    ...(triesGlobal(api) ? [globalToken] : []),
  ],
  'administration.scopes': ({ api, operation, other }) => [
    mustBeLegal('a token without scopes', { scopes: [] }),
    mustBeLegal('a token with an unknown scope', { scopes: [...operation.scopes, 'EVERYWHERE'] }),
    firstScopeAlone,
    other ? othersAlone(other.scopes) : async () => observed('there is no other operation'),
    // Another console may not offer every scope.
    ...(api.trusted ? [othersAlone(api.contract.matrix.scopes.filter((one) => !operation.scopes.includes(one)))] : []),
  ],
  'administration.user-email': ({ api }) => [
    mustBeLegal('a USER token without the email of its user', { userEmail: undefined }),
    runsAsUser,
    ...(privatePeople(api).kind === 'known' ? [runsAsOther(api.people.actAs)] : []),
  ],
  'administration.super-admin': ({ api, control }) => {
    const userEmail = api.variable('ACT_AS_EMAIL');
    const what = 'a token that a Super Admin requested for ACT_AS_EMAIL';
    return [
      async () => pass(control, 'a token that a Super Admin requested for USER_EMAIL was made and accepted'),
      ...(userEmail === undefined ? [] : [mustMake({ what, changes: { userEmail } })]),
    ];
  },
  'administration.self-only': ({ api }) =>
    LIMITED_ROLES.flatMap(([actor, who]) => [
      mustMake({
        actor,
        what: `a token that ${who} requested for themselves`,
        changes: { userEmail: SELF },
        made: mustRunAsSelf,
      }),
      ...others(api).map(([owner, changes]) =>
        mustNotMake({
          ...{ actor, changes, what: `a token that ${who} requested for ${owner}_EMAIL` },
          // The target may make the token for the requester instead. That is allowed.
          made: (maker, made, what) => mustNotRunAs(owner, maker, { made, what }),
        }),
      ),
      // "Only for themselves" can be read against a GLOBAL token, which is for nobody.
      mustNotMake({ ...globalOf(actor, who), made: async (_maker, _made, what) => observed(`${what} was made`) }),
    ]),
  'administration.creators': ({ api }) => [
    mustNotMake({ actor: 'user', what: `${NOBODY} for themselves`, changes: { userEmail: SELF } }),
    ...others(api).map(([owner, changes]) =>
      mustNotMake({ actor: 'user', changes, what: `${NOBODY} for ${owner}_EMAIL` }),
    ),
    mustNotMake({ ...globalOf('user', ''), what: `${NOBODY} as GLOBAL` }),
  ],
  'reference.global-creators': () => LIMITED_ROLES.map(([actor, who]) => mustNotMake(globalOf(actor, who))),
};

/** People for whom only a Super Admin may create a token. */
const others = ({ variable }: TokenMaker['api']): readonly (readonly [Owner, TokenTerms])[] =>
  OWNERS.flatMap((owner) => {
    const userEmail = variable(`${owner}_EMAIL`);
    return userEmail === undefined ? [] : [[owner, { userEmail }] as const];
  });

const globalOf = (actor: Actor, who: string) => ({
  actor,
  what: `a GLOBAL token that ${who} requested`,
  changes: GLOBAL,
});

export const triesGlobal = ({ claims, variable }: TokenMaker['api']): boolean =>
  claims.kinds.includes('GLOBAL') && variable('ACT_AS_EMAIL') !== undefined;

/** The fields for which some values are legal and others are not (spec 2.1 and 5.4). */
type Field = 'description' | 'permission' | 'scopes' | 'userEmail';

/**
 * A token that is requested with a field that no token may have. A console that fills in a legal value makes a legal token,
 * which the specification does not forbid.
 */
const mustBeLegal = (what: string, changes: { readonly [F in Field]?: TokenRecord[F] }): Trial =>
  mustNotMake({
    what,
    changes,
    async made(maker, made) {
      const [field] = Object.keys(changes) as Field[];
      const read = await recordOf(maker, made);
      if (read.kind === 'lost' || !field) return inconclusive(read.kind === 'lost' ? read.why : '');
      const record = { ...made.token, ...(read.kind === 'record' && read.record) };
      if (record[field] !== undefined)
        return isLegal(maker, record, field)
          ? observed(`${what} was made with another ${field}, which is allowed`)
          : fail(undefined, `${what} was made, and its record keeps that ${field}`);
      // Records need not show every field. One that shows it for an ordinary token shows here that it is empty.
      return maker.made[0]?.token[field] === undefined
        ? inconclusive(`${what} was made, and its record does not show ${field}`)
        : fail(undefined, `${what} was made, and its record has no ${field}`);
    },
  });

function isLegal({ api }: TokenMaker, record: TokenRecord, field: Field): boolean {
  const { description = '', permission, scopes = [], userEmail } = record;
  switch (field) {
    case 'description':
      return description.trim() !== '';
    case 'permission':
      return permission === 'USER' || permission === 'GLOBAL';
    case 'scopes':
      return scopes.length > 0 && scopes.every((name) => api.contract.matrix.scopes.includes(name));
    case 'userEmail':
      return userEmail !== '';
  }
}

const globalToken: Trial = async (maker) => {
  const what = 'a GLOBAL token that a Super Admin requested';
  return { ...(await mustMake({ what, changes: GLOBAL, made: needsActAs })(maker)), kind: 'GLOBAL' };
};

/** A token that was made as GLOBAL works with an acting user and is refused without one. */
async function needsActAs(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const found = await mustWork(maker, made, what);
  if (found.verdict !== 'pass') return found;
  const aim = { shows: `${what} is refused without an acting user`, wanted: 'refused' } as const;
  const answer = await use(maker, made, { ...aim, namesNobody: true });
  const sameCase = maker.api.planned(maker.operation.id, 'GLOBAL', { 'act-as': 'absent' });
  const accepted = fail(answer, `${what} was accepted without an acting user`);
  return mustNotReach(maker, answer, sameCase, { accepted, refused: found });
}

/** The first token, with only the scope of this operation, is refused on the other one. */
const firstScopeAlone: Trial = async (maker) => {
  const { other, operation, made } = maker;
  const [first] = made;
  return other && first
    ? mustBeRefusedOn(maker, first, { on: other, scopes: operation.scopes })
    : observed('there is no other operation');
};

/** A token with only scopes of others is refused on this operation. */
const othersAlone = (scopes: readonly string[]): Trial =>
  mustMake({
    what: `a token with ${scopes} alone`,
    changes: { scopes },
    made: (maker, made) => mustBeRefusedOn(maker, made, { on: maker.operation, scopes }),
  });

async function mustBeRefusedOn(
  maker: TokenMaker,
  made: MadeToken,
  { on, scopes }: Pick<Operation, 'scopes'> & { readonly on: Operation },
): Promise<Decided> {
  const what = `a token made with ${scopes} alone`;
  const answer = await use(maker, made, { on, shows: `${what} is refused on ${on.id}`, wanted: 'refused' });
  const sameCase = maker.api.planned(on.id, 'USER', { holding: `only:${scopes}` });
  return mustNotReach(maker, answer, sameCase, {
    accepted: fail(answer, `${what} was accepted on ${on.id}`),
    refused: pass(maker.control, `${what} ${gotOf(answer)} on ${on.id}`),
  });
}

/** The token runs as the person that it was made for, who has a private document. */
async function runsAs(maker: TokenMaker, made: MadeToken, owner: Owner): Promise<Decided> {
  const { api, operation } = maker;
  const query = api.variable(`${owner}_PRIVATE_QUERY`);
  if (query === undefined) return notTestable(`${owner}_PRIVATE_QUERY`);
  const shown = `a token made for ${owner}_EMAIL shows $${owner}_PRIVATE_MARKER`;
  const missed = `a token made for ${owner}_EMAIL did not find $${owner}_PRIVATE_MARKER`;
  const { kind, got } = await confirm(
    () => use(maker, made, { query, shows: shown, wanted: 'accepted' }),
    (answer) => {
      if (showsMarker(answer, owner)) return 'right';
      return readIn(answer, operation).kind === 'lost' ? 'lost' : 'wrong';
    },
  );
  if (kind === 'right') return pass(await api.acceptance(got), `a token made for ${owner}_EMAIL runs as that user`);
  if (kind === 'fleeting') return inconclusive(`${missed} once; it did not happen again`);
  // Results may list anything, so an absent document shows something only if the same person finds it otherwise.
  const known = owner === 'USER' ? 'USER' : 'GLOBAL';
  const same = { operation, credential: api.full(known), headers: kindHeaders(api, known) };
  const shows = `$${known}_TOKEN shows $${owner}_PRIVATE_MARKER`;
  const otherwise =
    same.credential && (await api.call({ ...same, body: { ...operation.example, query }, shows, wanted: 'accepted' }));
  const found = [got, ...(otherwise ? [otherwise] : [])].map((answer) => readIn(answer, operation));
  for (const outcome of found) if (outcome.kind === 'lost') return inconclusive(outcome.why);
  if (!otherwise) return inconclusive(missed);
  return showsMarker(otherwise, owner)
    ? fail(got, missed)
    : inconclusive(`$${known}_TOKEN does not find $${owner}_PRIVATE_MARKER either`);
}

const runsAsOther = (userEmail: string | undefined): Trial =>
  withToken((maker, made) => runsAs(maker, made, 'ACT_AS'), { userEmail });

const runsAsUser: Trial = async (maker) => {
  const [first] = maker.made;
  return first ? runsAs(maker, first, 'USER') : notTestable('USER_PRIVATE_QUERY');
};

/** A token that somebody made for themselves works, and is not for USER_EMAIL. */
async function mustRunAsSelf(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const found = await mustWork(maker, made, what);
  if (found.verdict !== 'pass') return found;
  const other = await mustNotRunAs('USER', maker, { made, what: `${what}, but for USER_EMAIL,` });
  // Without a private document, nothing shows whom it runs as.
  return other.verdict === 'fail' && (other.broke || made.token.userEmail !== undefined) ? other : found;
}

/** The record of a token shows whom it runs as, or what it finds does. */
async function mustNotRunAs(
  owner: Owner,
  maker: TokenMaker,
  { made, what }: { readonly made: MadeToken; readonly what: string },
): Promise<Decided> {
  const { api, operation, control } = maker;
  const instead = pass(control, `${what} was not made: one for another person was made instead`);
  const { userEmail: recorded } = made.token;
  const isKnown = recorded !== undefined && recorded !== SELF;
  if (isKnown && recorded.toLowerCase() !== api.variable(`${owner}_EMAIL`)?.toLowerCase()) return instead;
  const query = api.variable(`${owner}_PRIVATE_QUERY`);
  if (isKnown || query === undefined) return fail(undefined, `${what} was made`);
  const shows = `the token does not run as $${owner}_EMAIL`;
  const answer = await use(maker, made, { query, shows, wanted: 'either' });
  const outcome = readIn(answer, operation);
  if (outcome.kind === 'lost') return inconclusive(outcome.why);
  return showsMarker(answer, owner) ? fail(answer, `${what} was made`) : instead;
}
