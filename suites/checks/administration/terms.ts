import { showsMarker } from '../../../harness/checks/check.ts';
import { type CheckOutcome, outcomeOf, readIn } from '../../../harness/checks/outcome.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { PlannedCase } from '../../../harness/plan/plan.ts';
import { confirmed } from '../parts/ask-again.ts';
import { type Decided, fail, lacking, pass, unclear } from '../parts/decision.ts';
import { mustMake, mustNotMake, prevented, type Rule, say, statusOf } from './findings.ts';
import type { Made, Office } from './office.ts';

/** A permission and a scope that spec 2.1 and 5.4 do not have. */
const NO_PERMISSION = 'EVERYTHING';
const NO_SCOPE = 'EVERYWHERE';

const description: Rule = {
  requirements: ['administration.description'],
  decide: async (office) => [
    say(
      'administration.description',
      await mustNotMake(office, 'super-admin', 'a token without a description', { changes: { description: '' } }),
    ),
  ],
};

const permission: Rule = {
  requirements: ['administration.permission'],
  async decide(office) {
    const found = await mustNotMake(office, 'super-admin', 'a token with another permission than the two', {
      changes: { permission: NO_PERMISSION },
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
async function globalToken(office: Office): Promise<Decided> {
  const what = 'a GLOBAL token of a Super Admin';
  const found = await mustMake(office, 'super-admin', what, { permission: 'GLOBAL', userEmail: undefined });
  const made = office.made.findLast(({ terms }) => terms.permission === 'GLOBAL');
  if (found.verdict !== 'pass' || !made) return found;
  const alone = office.api.planned(office.operation.id, 'GLOBAL', { 'act-as': 'absent' });
  const nameless = outcomeOf(await office.use(made));
  return mustNotReach(office, nameless, alone, {
    accepted: fail(`${what} runs as nobody in particular`),
    refused: found,
  });
}

/** A wrong acceptance counts where a token that the variables name is not accepted alike: else it is not how this was made. */
async function mustNotReach(
  { api }: Office,
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

const scopes: Rule = {
  requirements: ['administration.scopes'],
  async decide(office) {
    const { operation } = office;
    return [
      say(
        'administration.scopes',
        await mustNotMake(office, 'super-admin', 'a token without scopes', { changes: { scopes: [] } }),
      ),
      say(
        'administration.scopes',
        await mustNotMake(office, 'super-admin', 'a token with a scope that there is not', {
          changes: { scopes: [operation.scope, NO_SCOPE] },
        }),
      ),
      say('administration.scopes', await reach(office)),
      say('administration.scopes', await reachBack(office)),
    ];
  },
};

/** A token with the scope of the other operation alone reaches that one, and not this. */
async function reachBack(office: Office): Promise<Decided> {
  const { other, operation } = office;
  if (!other) return pass('there is no other operation');
  const making = await office.make('super-admin', { scopes: [other.scope] });
  if (making.kind === 'refused') return fail(`a token with ${other.scope} alone was refused: ${making.why}`);
  return making.kind === 'made' ? notOn(office, making, operation, other.scope) : prevented(making);
}

/** The first token was accepted where its scope suffices; elsewhere it must not be. */
async function reach(office: Office): Promise<Decided> {
  const { other, operation } = office;
  const [made] = office.made;
  return other && made ? notOn(office, made, other, operation.scope) : pass('there is no other operation');
}

async function notOn(office: Office, made: Made, on: Operation, scope: string): Promise<Decided> {
  const answer = await office.use(made, { on });
  const same = office.api.planned(on.id, 'USER', { holding: `only:${scope}` });
  return mustNotReach(office, outcomeOf(answer), same, {
    accepted: fail(`a token made with ${scope} alone was accepted on ${on.id}`),
    refused: pass(`a token made with ${scope} alone: ${statusOf(answer)} on ${on.id}`),
  });
}

const userEmail: Rule = {
  requirements: ['administration.user-email'],
  async decide(office) {
    const without = await mustNotMake(office, 'super-admin', 'a USER token without the email of its user', {
      changes: { userEmail: undefined },
    });
    return [say('administration.user-email', without), say('administration.user-email', await bound(office))];
  },
};

async function bound(office: Office): Promise<Decided> {
  const { api, operation } = office;
  const query = api.variable('USER_PRIVATE_QUERY');
  const [made] = office.made;
  if (query === undefined || !made) return lacking('USER_PRIVATE_QUERY');
  const { kind, got: seen } = await confirmed(
    () => office.use(made, { query }),
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
export const terms: readonly Rule[] = [description, permission, scopes, userEmail];
