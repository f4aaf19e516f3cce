import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Person } from '../store/people.ts';
import type { ServiceToken } from '../store/service-tokens.ts';
import {
  createTemplate,
  type Defect,
  emailOf,
  everybody,
  type Name,
  roles,
  type ServiceUnderTest,
} from '../testing/token-lifecycle.ts';
import { policy } from './policy.ts';

/** The life of tokens as the specification describes it, independent of how the service stores them. */
interface Model {
  now: number;
  readonly tokens: ModelToken[];
}
interface ModelToken extends TokenTerms {
  readonly creator: Name;
  revoked: boolean;
}
interface TokenTerms {
  readonly permission: 'USER' | 'GLOBAL';
  readonly scopes: readonly string[];
  readonly user: Name | undefined;
  readonly expiresAt: number | undefined;
}

/** Who may create which token (spec 2.1). */
function mayCreate(actor: Name, { permission, scopes, user, expiresAt }: TokenTerms, now: number): boolean {
  const isComplete = scopes.length > 0 && (permission === 'USER') === (user !== undefined);
  const isInFuture = expiresAt === undefined || expiresAt > now;
  const isOwn = permission === 'USER' && user === actor && roles[actor] !== 'user';
  return isComplete && isInFuture && (roles[actor] === 'super-admin' || isOwn);
}

/** Each fault has its answer (spec 4, 5.2, 7). For several faults, any of their answers is admissible (outcomes 1). */
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

type Command = fc.AsyncCommand<Model, ServiceUnderTest>;
const command = (name: string, run: Command['run'], check: (model: Model) => boolean = () => true): Command => ({
  check,
  run,
  toString: () => name,
});
const hasTokens = ({ tokens }: Model) => tokens.length > 0;

const create = (
  actor: Name,
  { lifetime, ...given }: Omit<TokenTerms, 'expiresAt'> & { lifetime: number | undefined },
) =>
  command(`${actor} creates ${JSON.stringify({ ...given, lifetime })}`, async (model, service) => {
    const expiresAt = lifetime === undefined ? undefined : model.now + lifetime;
    const { user, ...terms } = { ...given, expiresAt };
    const issued = await service.store().serviceTokens.issue(await service.person(actor), {
      description: 'test',
      permission: terms.permission,
      scopes: terms.scopes,
      ...(user && { userEmail: emailOf(user) }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    expect(issued.ok).toBe(mayCreate(actor, { ...terms, user }, model.now));
    if (!issued.ok) return;
    service.issued.push({ id: issued.token.id, secret: issued.secret });
    model.tokens.push({ ...terms, user, creator: actor, revoked: false });
  });

const use = (which: number, operation: 'search' | 'chat', actAs: string | undefined) =>
  command(
    `token ${which} is used on ${operation}${actAs === undefined ? '' : ` as ${actAs}`}`,
    async (model, service) => {
      const index = which % model.tokens.length;
      const [token, issued] = [model.tokens[index], service.issued[index]];
      if (!token || !issued) throw new Error(`no token ${index}`);
      expect(admissible(model, token, operation, actAs)).toContain(await service.use(issued.secret, operation, actAs));
    },
    hasTokens,
  );

const revoke = (which: number, actor: Name) =>
  command(
    `${actor} revokes token ${which}`,
    async (model, service) => {
      const index = which % model.tokens.length;
      const token = model.tokens[index];
      if (!token) throw new Error(`no token ${index}`);
      const may = !token.revoked && (actor === 'boss' || actor === token.creator || actor === token.user);
      const id = service.issued[index]?.id ?? '';
      const result = await service.store().serviceTokens.revoke(await service.person(actor), id);
      expect(result).toBe(may ? 'revoked' : 'no such token');
      token.revoked ||= may;
    },
    hasTokens,
  );

const wait = (ms: number) =>
  command(`${ms} ms pass`, async (model, service) => {
    model.now += ms;
    service.clock.now += ms;
  });

const restart = command('the service restarts', (_model, service) => service.restart());

const anybody = fc.constantFrom(...everybody);
// Few people, scopes and durations, so that runs often reach the same token just before, at and just after its expiry.
const someUser = fc.constantFrom<Name[]>('uma', 'cleo');
const duration = fc.constantFrom(1, 999, 1000, 60_000);
const terms = { scopes: fc.subarray(['SEARCH', 'CHAT', 'PINS']), lifetime: fc.option(duration, { nil: undefined }) };
const validTerms = fc.oneof(
  fc.record({ ...terms, permission: fc.constant('USER' as const), user: someUser }),
  fc.record({ ...terms, permission: fc.constant('GLOBAL' as const), user: fc.constant(undefined) }),
);
const anyTerms = fc.record({
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
    validTerms.map((given) => create('boss', given)),
    fc.tuple(anybody, fc.oneof(validTerms, anyTerms)).map((parts) => create(...parts)),
    fc.tuple(which, operation, actAs).map((parts) => use(...parts)),
    fc.tuple(which, operation, actAs).map((parts) => use(...parts)),
    fc.tuple(which, operation, actAs).map((parts) => use(...parts)),
    fc.tuple(which, fc.oneof(fc.constant<Name>('boss'), anybody)).map((parts) => revoke(...parts)),
    duration.map(wait),
    fc.constant(restart),
  ],
  { maxCommands: 30, size: '+1' },
);

const template = await createTemplate();
afterAll(() => template.close());

const followsModel = (defect?: Defect) =>
  fc.asyncProperty(commands, async (sequence) => {
    const service = await template.start(defect);
    try {
      await fc.asyncModelRun(() => ({ model: { now: service.clock.now, tokens: [] }, real: service }), sequence);
    } finally {
      await service.close();
    }
  });

test('a token behaves as the specification says, in every sequence of events', async () => {
  // After a failure fast-check prints the seed, the path and the shortest sequence that fails.
  await fc.assert(followsModel(), { numRuns: 25 });
});

/** Services with one defect each. */
const defects: readonly (readonly [what: string, defect: Defect])[] = [
  [
    'accepts a token at the moment of its expiry',
    () => ({
      checkExpiry: (call, credential) => policy.checkExpiry({ ...call, now: () => call.now() - 1 }, credential),
    }),
  ],
  [
    'remembers a token after its revocation',
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
    'forgets its tokens when it restarts',
    (clock) => {
      const started = clock.now;
      return {
        findServiceToken: async (call, secret) => {
          const found = await policy.findServiceToken(call, secret);
          return found && found.createdAt >= started ? found : undefined;
        },
      };
    },
  ],
  [
    'remembers the scopes of a person across tokens',
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
    'acts as the previous person when X-Service-ActAs is missing',
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
  ['treats everybody as a Super Admin', () => ({ actorFor: (person) => ({ ...person, role: 'super-admin' }) })],
  ['lets X-Service-ActAs name the person of a USER token', () => ({ identify: identifyByHeader })],
];

async function identifyByHeader(...[call, credential]: Parameters<typeof policy.identify>): Promise<Person> {
  const named = await policy.findPerson(call, call.headers.actAs ?? '');
  return named ?? policy.identify(call, credential);
}

describe('the same sequences catch a service that', () => {
  test.for(defects)('%s', async ([, defect]) => {
    const { errorInstance } = await fc.check(followsModel(defect), { seed: 1, numRuns: 300, endOnFailure: true });
    expect(errorInstance).toMatchObject({ name: 'AssertionError' });
  });
});
