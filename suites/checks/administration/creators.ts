import { type Actor, SELF } from '../../../harness/commands/administration.ts';
import { pass } from '../parts/decision.ts';
import { type CheckPart, mustMake, mustNotMake, runsAs, say } from './findings.ts';
import type { Made } from './token-maker.ts';

const superAdmin: CheckPart = {
  requirements: ['administration.super-admin'],
  async decide(maker) {
    const email = maker.api.variable('ACT_AS_EMAIL');
    const other =
      email === undefined
        ? []
        : [await mustMake(maker, 'super-admin', 'a token of a Super Admin for ACT_AS_EMAIL', { userEmail: email })];
    return [pass('a token of a Super Admin for USER_EMAIL: made, and accepted'), ...other].map((found) =>
      say('administration.super-admin', found),
    );
  },
};

const LIMITED: readonly (readonly [Actor, string])[] = [
  ['admin', 'an Admin'],
  ['api-token-creator', 'an API Token Creator'],
];

const selfOnly: CheckPart = {
  requirements: ['administration.self-only'],
  async decide(maker) {
    const found = [];
    // It may be made for whoever asked instead: that is not for somebody else.
    const harm = (made: Made) => runsAs(maker, made, 'USER');
    for (const [actor, who] of LIMITED)
      found.push(
        await mustMake(maker, actor, `a token of ${who} for themselves`, { userEmail: SELF }),
        await mustNotMake(maker, actor, `a token of ${who} for USER_EMAIL`, { changes: {}, harm }),
      );
    return found.map((one) => say('administration.self-only', one));
  },
};

const nobodyElse: CheckPart = {
  requirements: ['administration.creators'],
  decide: async (maker) => [
    say(
      'administration.creators',
      await mustNotMake(maker, 'user', 'a token of somebody without a role for themselves', {
        changes: { userEmail: SELF },
      }),
    ),
    say(
      'administration.creators',
      await mustNotMake(maker, 'user', 'a token of somebody without a role for USER_EMAIL', { changes: {} }),
    ),
  ],
};

const globalCreators: CheckPart = {
  requirements: ['reference.global-creators'],
  async decide(maker) {
    const found = [];
    for (const [actor, who] of LIMITED)
      found.push(
        await mustNotMake(maker, actor, `a GLOBAL token of ${who}`, {
          changes: { permission: 'GLOBAL', userEmail: undefined },
        }),
      );
    return found.map((one) => say('reference.global-creators', one));
  },
};

/** Who may create which token (spec 2.1.2). */
export const creators: readonly CheckPart[] = [superAdmin, selfOnly, nobodyElse, globalCreators];
