import { type Actor, SELF } from '../../../harness/commands/administration.ts';
import { pass } from '../shared/decision.ts';
import { type CheckPart, mustMake, mustNotMake, resultFor, runsAs } from './assertions.ts';
import type { MadeToken } from './token-maker.ts';

const superAdmin: CheckPart = {
  requirements: ['administration.super-admin'],
  async decide(maker) {
    const email = maker.api.variable('ACT_AS_EMAIL');
    const what = 'a token that a Super Admin requested for ACT_AS_EMAIL';
    const other = email === undefined ? [] : [await mustMake(maker, 'super-admin', what, { userEmail: email })];
    return [pass('a token that a Super Admin requested for USER_EMAIL was made and accepted'), ...other].map(
      (decided) => resultFor('administration.super-admin', decided),
    );
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
    const harm = (made: MadeToken) => runsAs(maker, made, 'USER');
    for (const [actor, who] of LIMITED_ROLES)
      found.push(
        await mustMake(maker, actor, `a token that ${who} requested for themselves`, { userEmail: SELF }),
        await mustNotMake(maker, actor, `a token that ${who} requested for USER_EMAIL`, { changes: {}, harm }),
      );
    return found.map((decided) => resultFor('administration.self-only', decided));
  },
};

const nobodyElse: CheckPart = {
  requirements: ['administration.creators'],
  async decide(maker) {
    const request = 'a token that a user without a role requested';
    const forThemselves = await mustNotMake(maker, 'user', `${request} for themselves`, {
      changes: { userEmail: SELF },
    });
    const forUser = await mustNotMake(maker, 'user', `${request} for USER_EMAIL`, { changes: {} });
    return [forThemselves, forUser].map((decided) => resultFor('administration.creators', decided));
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
    return found.map((decided) => resultFor('reference.global-creators', decided));
  },
};

/** Who may create which token (spec 2.1.2). */
export const creators: readonly CheckPart[] = [superAdmin, selfOnly, nobodyElse, globalCreators];
