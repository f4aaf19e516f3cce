import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Person } from '../store/people.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import { type Broken, emailOf, everybody, type Life, type Name, newborn, roles } from '../testing/token-lifecycle.ts';
import { policy } from './policy.ts';

/** What the specification says of a token's life, and nothing of how the service keeps it. */
interface Model {
  now: number;
  readonly tokens: ModelToken[];
}
interface ModelToken extends Wish {
  readonly creator: Name;
  revoked: boolean;
}
interface Wish {
  readonly permission: 'USER' | 'GLOBAL';
  readonly scopes: readonly string[];
  readonly user: Name | undefined;
  readonly expiresAt: number | undefined;
}

/** Spec 2.1: who may create what. */
function mayCreate(actor: Name, { permission, scopes, user, expiresAt }: Wish, now: number): boolean {
  const isComplete = scopes.length > 0 && (permission === 'USER') === (user !== undefined);
  const isAhead = expiresAt === undefined || expiresAt > now;
  const isTheirs = permission === 'USER' && user === actor && roles[actor] !== 'user';
  return isComplete && isAhead && (roles[actor] === 'super-admin' || isTheirs);
}

/** Spec 4, 5.2 and 7: every fault has its answer; of several any will do, since they stand in no order. */
function admissible({ now }: Model, token: ModelToken, operation: string, actAs: string | undefined): string[] {
  const { permission, scopes, user, expiresAt, revoked } = token;
  const named = permission === 'GLOBAL' ? everybody.find((name) => emailOf(name) === actAs?.toLowerCase()) : user;
  const faults = [
    ...(revoked ? ['401'] : []),
    ...(expiresAt !== undefined && now >= expiresAt ? ['401'] : []),
    ...(permission === 'GLOBAL' && actAs === undefined ? ['400 Required header missing: X-Service-ActAs'] : []),
    ...(permission === 'GLOBAL' && actAs !== undefined && !named ? ['401 Invalid identity'] : []),
    ...(scopes.includes(operation.toUpperCase()) ? [] : ['403']),
  ];
  return faults.length > 0 ? faults : [`200 ${named}`];
}

type Command = fc.AsyncCommand<Model, Life>;
const command = (said: string, run: Command['run'], check: (model: Model) => boolean = () => true): Command => ({
  check,
  run,
  toString: () => said,
});
const hasTokens = ({ tokens }: Model) => tokens.length > 0;

const create = (actor: Name, { lifetime, ...terms }: Omit<Wish, 'expiresAt'> & { lifetime: number | undefined }) =>
  command(`${actor} creates ${JSON.stringify({ ...terms, lifetime })}`, async (model, life) => {
    const expiresAt = lifetime === undefined ? undefined : model.now + lifetime;
    const { user, ...wish } = { ...terms, expiresAt };
    const issued = await life.store().serviceTokens.issue(await life.person(actor), {
      description: 'life',
      permission: wish.permission,
      scopes: wish.scopes,
      ...(user && { userEmail: emailOf(user) }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    expect(issued.ok).toBe(mayCreate(actor, { ...wish, user }, model.now));
    if (!issued.ok) return;
    life.issued.push({ id: issued.token.id, secret: issued.secret });
    model.tokens.push({ ...wish, user, creator: actor, revoked: false });
  });

const use = (which: number, operation: 'search' | 'chat', actAs: string | undefined) =>
  command(
    `token ${which} is used on ${operation}${actAs === undefined ? '' : ` as ${actAs}`}`,
    async (model, life) => {
      const at = which % model.tokens.length;
      const [token, issued] = [model.tokens[at], life.issued[at]];
      if (!token || !issued) throw new Error(`no token ${at}`);
      expect(admissible(model, token, operation, actAs)).toContain(await life.use(issued.secret, operation, actAs));
    },
    hasTokens,
  );

const revoke = (which: number, actor: Name) =>
  command(
    `${actor} revokes token ${which}`,
    async (model, life) => {
      const at = which % model.tokens.length;
      const token = model.tokens[at];
      if (!token) throw new Error(`no token ${at}`);
      const may = !token.revoked && (actor === 'boss' || actor === token.creator || actor === token.user);
      const said = await life.store().serviceTokens.revoke(await life.person(actor), life.issued[at]?.id ?? '');
      expect(said).toBe(may ? 'revoked' : 'no such token');
      token.revoked ||= may;
    },
    hasTokens,
  );

const wait = (ms: number) =>
  command(`${ms} ms pass`, async (model, life) => {
    model.now += ms;
    life.clock.now += ms;
  });

const restart = command('the service starts again', (_model, life) => life.restart());

const anybody = fc.constantFrom(...everybody);
// Few people, scopes and moments, and round ones: so that tokens meet, and are met just before, at and after their expiry.
const someUser = fc.constantFrom<Name[]>('uma', 'cleo');
const moment = fc.constantFrom(1, 999, 1000, 60_000);
const terms = { scopes: fc.subarray(['SEARCH', 'CHAT', 'PINS']), lifetime: fc.option(moment, { nil: undefined }) };
const wellFormed = fc.oneof(
  fc.record({ ...terms, permission: fc.constant('USER' as const), user: someUser }),
  fc.record({ ...terms, permission: fc.constant('GLOBAL' as const), user: fc.constant(undefined) }),
);
const anyWish = fc.record({
  scopes: terms.scopes,
  lifetime: fc.option(fc.constantFrom(-1, 0, 1), { nil: undefined }),
  permission: fc.constantFrom('USER', 'GLOBAL'),
  user: fc.option(anybody, { nil: undefined }),
});
const which = fc.nat({ max: 2 });
const operation = fc.constantFrom('search', 'chat');
const actAs = fc.option(fc.constantFrom('uma@example.com', 'CLEO@example.com', 'nobody@example.com'), {
  nil: undefined,
});
const commands = fc.commands(
  [
    wellFormed.map((wish) => create('boss', wish)),
    fc.tuple(anybody, fc.oneof(wellFormed, anyWish)).map((parts) => create(...parts)),
    fc.tuple(which, operation, actAs).map((parts) => use(...parts)),
    fc.tuple(which, operation, actAs).map((parts) => use(...parts)),
    fc.tuple(which, operation, actAs).map((parts) => use(...parts)),
    fc.tuple(which, fc.oneof(fc.constant<Name>('boss'), anybody)).map((parts) => revoke(...parts)),
    moment.map(wait),
    fc.constant(restart),
  ],
  { maxCommands: 30, size: '+1' },
);

const world = await newborn();
afterAll(() => world.close());

const lives = (broken?: Broken) =>
  fc.asyncProperty(commands, async (cmds) => {
    const life = await world.live(broken);
    try {
      await fc.asyncModelRun(() => ({ model: { now: life.clock.now, tokens: [] }, real: life }), cmds);
    } finally {
      await life.close();
    }
  });

test('a token lives as the specification has it, whatever happens in whichever order', async () => {
  // On a failure fast-check prints its seed, the path and the fewest commands that show it.
  await fc.assert(lives(), { numRuns: 25 });
});

/** Services that each keep a token's life wrong in one way. */
const broken: readonly (readonly [what: string, broken: Broken])[] = [
  [
    'takes a token at the very moment of its expiry',
    () => ({
      checkExpiry: (call, credential) => policy.checkExpiry({ ...call, now: () => call.now() - 1 }, credential),
    }),
  ],
  [
    'remembers a token that it has seen, though it is revoked',
    () => {
      const seen = new Map<string, ServiceToken>();
      return {
        findServiceToken: async (call, secret) => {
          const found = seen.get(secret) ?? (await policy.findServiceToken(call, secret));
          if (found) seen.set(secret, found);
          return found;
        },
      };
    },
  ],
  [
    'forgets the tokens of before its last start',
    (clock) => {
      const since = clock.now;
      return {
        findServiceToken: async (call, secret) => {
          const found = await policy.findServiceToken(call, secret);
          return found && found.createdAt >= since ? found : undefined;
        },
      };
    },
  ],
  [
    'remembers what a person may do, whichever token they use',
    () => {
      const known = new Set<string>();
      return {
        requireScope: (call, credential) => {
          const key = `${call.person?.id} ${call.operation.id}`;
          if (credential.scopes.includes(call.operation.scope)) known.add(key);
          else if (!known.has(key)) policy.requireScope(call, credential);
        },
      };
    },
  ],
  [
    'acts as the person before when none is named',
    () => {
      let last: Person | undefined;
      return {
        resolveActAs: async (call, token) => {
          if (call.headers.actAs === undefined && last) return last;
          last = await policy.resolveActAs(call, token);
          return last;
        },
      };
    },
  ],
  ['takes everybody for a Super Admin', () => ({ takenFor: (person) => ({ ...person, role: 'super-admin' }) })],
  ['lets the header name whom a USER token runs as', () => ({ identify: identifyByHeader })],
];

async function identifyByHeader(...[call, credential]: Parameters<typeof policy.identify>): Promise<Person> {
  const named = await policy.findPerson(call, call.headers.actAs ?? '');
  return named ?? policy.identify(call, credential);
}

describe('the same lives show what is wrong with a service that', () => {
  test.for(broken)('%s', async ([, steps]) => {
    const { errorInstance } = await fc.check(lives(steps), { seed: 1, numRuns: 300, endOnFailure: true });
    expect(errorInstance).toMatchObject({ name: 'AssertionError' });
  });
});
