import type { CheckAnswer } from '../harness/check.ts';
import type { PlannedCase } from '../harness/plan.ts';
import {
  type Finding,
  fail,
  mustMake,
  mustNotMake,
  pass,
  type Rule,
  say,
  statusOf,
} from './administration-findings.ts';
import type { Office } from './administration-office.ts';

/** A permission and a scope that spec 2.1 and 5.4 do not have. */
const NO_PERMISSION = 'EVERYTHING';
const NO_SCOPE = 'EVERYWHERE';

const description: Rule = {
  requirements: ['administration.description'],
  decide: async (office) => [
    say(
      'administration.description',
      await mustNotMake(office, 'super-admin', 'a token without a description', { description: '' }),
    ),
  ],
};

const permission: Rule = {
  requirements: ['administration.permission'],
  async decide(office) {
    const found = await mustNotMake(office, 'super-admin', 'a token with another permission than the two', {
      permission: NO_PERMISSION,
    });
    return [
      say('administration.permission', found),
      ...(office.api.claims.kinds.includes('GLOBAL') && office.api.variable('ACT_AS_EMAIL') !== undefined
        ? [say('administration.permission', await globalToken(office), 'GLOBAL')]
        : []),
    ];
  },
};

/** Made as GLOBAL it acts as somebody, and as nobody it does not work. */
async function globalToken(office: Office): Promise<Finding> {
  const what = 'a GLOBAL token of a Super Admin';
  const found = await mustMake(office, 'super-admin', what, { permission: 'GLOBAL', userEmail: undefined });
  const made = office.made.findLast(({ terms }) => terms.permission === 'GLOBAL');
  if (found.verdict !== 'pass' || !made) return found;
  const alone = office.api.planned(office.operation.id, 'GLOBAL', { 'act-as': 'absent' });
  const nameless = await office.use(made);
  return nameless.accepted && !(await acceptedToo(office, alone))
    ? fail(`${what} runs as nobody in particular`)
    : found;
}

/** Whether a token that the variables name is accepted in the same way: then the fault is not in how this one was made. */
async function acceptedToo({ api }: Office, planned: PlannedCase | undefined): Promise<boolean> {
  return planned !== undefined && (await api.send(planned)).answer.accepted;
}

const scopes: Rule = {
  requirements: ['administration.scopes'],
  async decide(office) {
    const { operation } = office;
    return [
      say('administration.scopes', await mustNotMake(office, 'super-admin', 'a token without scopes', { scopes: [] })),
      say(
        'administration.scopes',
        await mustNotMake(office, 'super-admin', 'a token with a scope that there is not', {
          scopes: [operation.scope, NO_SCOPE],
        }),
      ),
      say('administration.scopes', await reach(office)),
    ];
  },
};

/** The first token was accepted where its scope suffices; elsewhere it must not be. */
async function reach(office: Office): Promise<Finding> {
  const { other, operation } = office;
  const [made] = office.made;
  if (!other || !made) return pass('there is no other operation');
  const answer = await office.use(made, { on: other });
  const same = office.api.planned(other.id, 'USER', { holding: `only:${operation.scope}` });
  return answer.accepted && !(await acceptedToo(office, same))
    ? fail(`a token made with ${operation.scope} alone was accepted on ${other.id}`)
    : pass(`a token made with ${operation.scope} alone: ${statusOf(answer)} on ${other.id}`);
}

const userEmail: Rule = {
  requirements: ['administration.user-email'],
  async decide(office) {
    const without = await mustNotMake(office, 'super-admin', 'a USER token without the email of its user', {
      userEmail: undefined,
    });
    return [say('administration.user-email', without), say('administration.user-email', await bound(office))];
  },
};

async function bound(office: Office): Promise<Finding> {
  const { api, operation } = office;
  const query = api.variable('USER_PRIVATE_QUERY');
  const [made] = office.made;
  if (query === undefined || !made) return { verdict: 'not-testable', detail: 'USER_PRIVATE_QUERY' };
  const shows = ({ text }: CheckAnswer) => text.includes(api.variable('USER_PRIVATE_MARKER') ?? '');
  const seen = await office.use(made, { query });
  if (shows(seen)) return pass('the token runs as the person of USER_EMAIL');
  const credential = api.full('USER');
  const known = credential && (await api.call({ operation, credential, body: { ...operation.example, query } }));
  return known && !shows(known)
    ? pass('no token of this person finds the marker')
    : fail('a token made for USER_EMAIL did not find the private marker of that person');
}

/** Of what a token consists (spec 2.1). */
export const terms: readonly Rule[] = [description, permission, scopes, userEmail];
