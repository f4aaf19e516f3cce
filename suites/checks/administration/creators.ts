import { type Actor, SELF } from '../../../harness/commands/administration.ts';
import { type Decided, fail, inconclusive, observed, pass } from '../shared/decision.ts';
import { type CheckPart, mustMake, mustNotMake, resultFor, runsAs } from './assertions.ts';
import type { MadeToken, TokenMaker } from './token-maker.ts';

const superAdmin: CheckPart = {
  requirements: ['administration.super-admin'],
  async decide(maker) {
    const email = maker.api.variable('ACT_AS_EMAIL');
    const what = 'a token that a Super Admin requested for ACT_AS_EMAIL';
    const other = email === undefined ? [] : [await mustMake(maker, 'super-admin', what, { userEmail: email })];
    const first = pass(maker.control, 'a token that a Super Admin requested for USER_EMAIL was made and accepted');
    return [first, ...other].map((decided) => resultFor(maker, 'administration.super-admin', decided));
  },
};

const LIMITED_ROLES: readonly (readonly [Actor, string])[] = [
  ['admin', 'an Admin'],
  ['api-token-creator', 'an API Token Creator'],
];

const selfOnly: CheckPart = {
  requirements: ['administration.self-only'],
  async decide(maker) {
    const found = [];
    // The target may make the token for the requester instead. That is allowed.
    for (const [actor, who] of LIMITED_ROLES) {
      const what = `a token that ${who} requested for USER_EMAIL`;
      const made = (token: MadeToken) => mustNotRunAsUser(maker, token, what);
      // "Only for themselves" can be read against a GLOBAL token, which is for nobody.
      const global = `a GLOBAL token that ${who} requested`;
      found.push(
        await mustMake(maker, actor, `a token that ${who} requested for themselves`, { userEmail: SELF }),
        await mustNotMake(maker, actor, what, { changes: {}, made }),
        await mustNotMake(maker, actor, global, {
          changes: { permission: 'GLOBAL', userEmail: undefined },
          made: async () => observed(`${global} was made`),
        }),
      );
    }
    return found.map((decided) => resultFor(maker, 'administration.self-only', decided));
  },
};

async function mustNotRunAsUser(maker: TokenMaker, made: MadeToken, what: string): Promise<Decided> {
  const { runs, answer, lost } = await runsAs(maker, made, 'USER');
  if (lost !== undefined) return inconclusive(lost);
  if (runs === false) return pass(maker.control, `${what} was not made: one for another person was made instead`);
  return fail(answer, `${what} was made`);
}

const nobodyElse: CheckPart = {
  requirements: ['administration.creators'],
  async decide(maker) {
    const request = 'a token that a user without a role requested';
    const forThemselves = await mustNotMake(maker, 'user', `${request} for themselves`, {
      changes: { userEmail: SELF },
    });
    const forUser = await mustNotMake(maker, 'user', `${request} for USER_EMAIL`, { changes: {} });
    return [forThemselves, forUser].map((decided) => resultFor(maker, 'administration.creators', decided));
  },
};

const globalCreators: CheckPart = {
  requirements: ['reference.global-creators'],
  async decide(maker) {
    const found = [];
    for (const [actor, who] of LIMITED_ROLES)
      found.push(
        await mustNotMake(maker, actor, `a GLOBAL token that ${who} requested`, {
          changes: { permission: 'GLOBAL', userEmail: undefined },
        }),
      );
    return found.map((decided) => resultFor(maker, 'reference.global-creators', decided));
  },
};

/** Who may create which token (spec 2.1.2). */
export const creators: readonly CheckPart[] = [superAdmin, selfOnly, nobodyElse, globalCreators];
