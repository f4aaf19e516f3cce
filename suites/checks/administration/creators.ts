import { type Actor, SELF } from '../../../harness/commands/administration.ts';
import { pass } from '../parts/decision.ts';
import { mustMake, mustNotMake, type Rule, runsAs, say } from './findings.ts';
import type { Made } from './office.ts';

const superAdmin: Rule = {
  requirements: ['administration.super-admin'],
  async decide(office) {
    const email = office.api.variable('ACT_AS_EMAIL');
    const other =
      email === undefined
        ? []
        : [await mustMake(office, 'super-admin', 'a token of a Super Admin for ACT_AS_EMAIL', { userEmail: email })];
    return [pass('a token of a Super Admin for USER_EMAIL: made, and accepted'), ...other].map((found) =>
      say('administration.super-admin', found),
    );
  },
};

const LIMITED: readonly (readonly [Actor, string])[] = [
  ['admin', 'an Admin'],
  ['api-token-creator', 'an API Token Creator'],
];

const selfOnly: Rule = {
  requirements: ['administration.self-only'],
  async decide(office) {
    const found = [];
    // It may be made for whoever asked instead: that is not for somebody else.
    const harm = (made: Made) => runsAs(office, made, 'USER');
    for (const [actor, who] of LIMITED)
      found.push(
        await mustMake(office, actor, `a token of ${who} for themselves`, { userEmail: SELF }),
        await mustNotMake(office, actor, `a token of ${who} for USER_EMAIL`, { changes: {}, harm }),
      );
    return found.map((one) => say('administration.self-only', one));
  },
};

const nobodyElse: Rule = {
  requirements: ['administration.creators'],
  decide: async (office) => [
    say(
      'administration.creators',
      await mustNotMake(office, 'user', 'a token of somebody without a role for themselves', {
        changes: { userEmail: SELF },
      }),
    ),
    say(
      'administration.creators',
      await mustNotMake(office, 'user', 'a token of somebody without a role for USER_EMAIL', { changes: {} }),
    ),
  ],
};

const globalCreators: Rule = {
  requirements: ['reference.global-creators'],
  async decide(office) {
    const found = [];
    for (const [actor, who] of LIMITED)
      found.push(
        await mustNotMake(office, actor, `a GLOBAL token of ${who}`, {
          changes: { permission: 'GLOBAL', userEmail: undefined },
        }),
      );
    return found.map((one) => say('reference.global-creators', one));
  },
};

/** Who may create which token (spec 2.1.2). */
export const creators: readonly Rule[] = [superAdmin, selfOnly, nobodyElse, globalCreators];
