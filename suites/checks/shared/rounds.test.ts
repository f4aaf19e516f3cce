import { describe, expect, test } from 'vitest';
import type { CheckApi, CheckResult } from '../../../harness/checks/check.ts';
import type { VariationRow } from '../../../harness/contract/variations.ts';
import { makeCase, neutralCase } from '../../../harness/plan/case.ts';
import { everyVariable } from '../../../harness/preview/made-up-values.ts';
import { planRun } from '../../../harness/run/plan-run.ts';
import { readSettings } from '../../../harness/settings/read-settings.ts';
import { casesAt, catalogue, contract } from '../../../harness/testing/contract.ts';
import { chat, engine, has, type Reply, search, variation } from '../../testing/engine.ts';
import { unlisted } from '../../variations/variation.ts';
import { isOfIssued, refusalsOf } from './refusals.ts';
import { oncePerRequirement, type Round, tryAlone, tryTogether } from './rounds.ts';

const claimed = { CONFORMANCE_CLAIMS: 'user global', CONFORMANCE_RATE: '1000' };
const environment = { ...everyVariable(catalogue), ...claimed };
const { whole } = planRun(readSettings(catalogue, { environment, dotenv: {} }), { casesAt });
const planned: CheckApi['planned'] = (operation, kind, values) =>
  whole.find(makeCase(contract, { ...neutralCase(contract, operation, kind).values, ...values }).id);
const full = (kind: string) => planned('search', kind, {})?.credential;

const [a, b] = [variation('X-A'), variation('X-B')];
const isFull = (request: string) =>
  has(request, full('USER')?.token) ||
  (has(request, full('GLOBAL')?.token, '@people.example') && !has(request, 'nobody'));

/** An engine over the plan, of a target that answers as `reply` says; by default it accepts full tokens. */
const planning = (reply: (request: string) => Reply | undefined = () => undefined, changes: Partial<CheckApi> = {}) =>
  engine((request) => reply(request) ?? (isFull(request) ? 'accepts' : 'refuses'), { planned, full, ...changes });

const issued = ({ api }: Pick<ReturnType<typeof planning>, 'api'>, kind: string) =>
  refusalsOf(api, search, kind).filter(isOfIssued);
const shown = (results: readonly CheckResult[]) =>
  results.map(({ verdict, requirement, kind }) => `${verdict} ${requirement} ${kind}`);
const USER = ['pass token.expired USER', 'pass scope.search USER'];
const GLOBAL = ['token.expired', 'scope.search', 'act-as.unknown'].map((id) => `pass ${id} GLOBAL`);
const NOBODY = ['pass authorization.required none', 'pass token.unknown unknown'];

describe('bundles with every kind of token', () => {
  const tried = async (own: ReturnType<typeof planning>, kind = 'USER', round: Partial<Round> = {}) =>
    shown(await tryTogether(own.api, { operation: search, variations: [a, b], refusals: issued(own, kind), ...round }));
  const refusing = (results: readonly string[]) => results.filter((one) => !/isolation|act-as/.test(one));

  const HIDDEN = 'pass user.isolation USER';
  test('ask each refusal of a kind, and requests without a token once', async () => {
    const own = planning();
    expect(await tried(own)).toEqual([HIDDEN, ...USER, ...NOBODY]);
    expect(own.sent.filter((request) => has(request, full('GLOBAL')?.token))).toEqual([]);
    // The documented request, all of them, the own document twice, perhaps a session with a token or without one, and each refusal.
    expect(own.sent).toHaveLength(1 + 1 + 2 + 2 + USER.length + NOBODY.length);
    const both = await tried(planning(), 'USER', { refusals: [...issued(own, 'USER'), ...issued(own, 'GLOBAL')] });
    expect(both.filter((one) => / (none|unknown)$/.test(one))).toEqual(NOBODY);
    expect(both).toEqual(expect.arrayContaining(GLOBAL));
  });

  test('are not tried with a kind that the plan lacks', async () => {
    const lacking: CheckApi['planned'] = (operation, kind, values) =>
      kind === 'USER' ? undefined : planned(operation, kind, values);
    const own = planning(undefined, { planned: lacking });
    expect(refusing(await tried(own, 'GLOBAL'))).toEqual(expect.arrayContaining([GLOBAL[0], ...NOBODY]));
  });

  test.each([
    [search, 'telling', true],
    [chat, 'telling', false],
    [chat, 'whole', true],
  ] as const)('ask for a session of %j with the %s breadth: %s', async (operation, breadth, asks) => {
    const own = planning(undefined, { breadth });
    await tried(own, 'USER', { operation, refusals: [] });
    const session = 'accepted: the documented request with the USER token is accepted and may begin a session';
    expect(own.aims.includes(session)).toBe(asks);
  });

  test('fail where one lets an expired token in', async () => {
    const expired = planned('search', 'USER', { validity: 'expired' })?.credential?.token;
    const own = planning((request) => (has(request, expired, 'X-B') ? 'accepts' : undefined));
    expect(refusing(await tried(own))).toEqual(['fail token.expired USER', USER[1], ...NOBODY]);
  });

  test.each([
    ['telling', false],
    ['whole', true],
  ] as const)('of a slow operation are several with the %s breadth: %s', async (breadth, areSeveral) => {
    const own = planning(undefined, { breadth });
    await tried(own, 'USER', { operation: chat, variations: [a, variation('x-a')] });
    const isSent = (name: string) => own.sent.some((request) => has(request, name));
    expect([isSent('X-A'), isSent('x-a')]).toEqual([true, areSeveral]);
    const { length } = own.sent;
    expect([await tried(own, 'USER', { variations: [] }), own.sent.length]).toEqual([[], length]);
  });

  test('that the target refuses are said, and no other kind is asked with them', async () => {
    const own = planning((request) => (has(request, 'X-B') ? 'refuses' : undefined));
    const found = await tried(own, 'USER', { refusals: [...issued(own, 'USER'), ...issued(own, 'GLOBAL')] });
    expect(found).toContain('observed search.success USER');
    const ofGlobal = own.sent.filter((request) => has(request, full('GLOBAL')?.token));
    expect([ofGlobal.length > 0, ofGlobal.filter((request) => has(request, 'X-B'))]).toEqual([true, []]);
  });

  test('are tried by the next kind without a token, if the first one is refused', async () => {
    const own = planning((request) => (has(request, full('USER')?.token) ? 'refuses' : undefined));
    const found = await tried(own, 'USER', { refusals: issued(own, 'GLOBAL') });
    expect(found).toEqual(expect.arrayContaining(NOBODY));
  });

  test('are of these kinds alone', async () => {
    const own = planning();
    await tried(own, 'USER', { kinds: ['GLOBAL'], refusals: issued(own, 'GLOBAL') });
    expect(own.sent.filter((request) => has(request, full('USER')?.token))).toEqual([]);
  });

  test.each([
    ['cookies', { 'set-cookie': ['sid=b7c1e09f22aa; Path=/', 'lang=en'] }, 'sid=b7c1e09f22aa; lang=en'],
    ['a header', { 'x-session-token': 'b7c1e09f22aa' }, 'b7c1e09f22aa'],
  ])('include %s that a token gets: they do not stand in for it', async (_what, headers, given) => {
    const right = planning((request) => (isFull(request) ? { says: '', headers } : undefined));
    expect(refusing(await tried(right))).toEqual([...USER, ...NOBODY]);
    expect(right.sent.some((request) => has(request, given))).toBe(true);
    const wrong = planning((request) =>
      isFull(request) ? { says: '', headers } : has(request, given) ? 'accepts' : undefined,
    );
    expect(await tried(wrong)).toContain('fail authorization.required none');
  });

  test('include the cookies that a request without a token gets, by name', async () => {
    const given: string[] = [];
    const target = planning((request) => (has(request, 'sid=b7c1') ? 'accepts' : undefined));
    const call: CheckApi['call'] = async (request) => {
      const got = await target.api.call(request);
      return request.authorization === null ? { ...got, headers: { 'set-cookie': 'sid=b7c1e09f22aa' } } : got;
    };
    const own = planning(undefined, {
      ...{ call, callOnce: call },
      given: (secret, what) => given.push(`${what}: ${secret}`) as never,
    });
    expect(await tried(own)).toContain('fail authorization.required none');
    expect(given).toEqual(['the cookies of a request without a token: b7c1e09f22aa']);
  });

  test('name what a token gets, and register its value', async () => {
    const given: string[] = [];
    const headers = { 'x-session-token': 'b7c1e09f22aa', 'set-cookie': 'sid=c8d2f1aa33bb' };
    const own = planning((request) => (isFull(request) ? { says: '', headers } : undefined), {
      given: (secret, what) => given.push(`${what}: ${secret}`) as never,
    });
    const found = await tryTogether(own.api, { operation: search, variations: [a], refusals: issued(own, 'USER') });
    expect(given).toEqual([
      'the cookies of the USER token: c8d2f1aa33bb',
      'the header x-session-token that the USER token got: b7c1e09f22aa',
    ]);
    const [expired] = found.filter(({ requirement }) => requirement === 'token.expired');
    expect(expired?.varied?.with).toContainEqual(
      unlisted('the header x-session-token that the USER token got', {
        ...{ id: 'header x-session-token of the target', name: 'x-session-token', value: 'b7c1e09f22aa' },
      }),
    );
  });

  test.each<[string, Readonly<Record<string, string | string[]>>, number]>([
    ['of another name', { 'x-request-id': 'b7c1e09f22aa' }, 0],
    ['that only ends like one', { 'x-beside': 'b7c1e09f22aa' }, 0],
    ['that only begins like one', { 'x-sideways': 'b7c1e09f22aa' }, 0],
    ['that is named sid', { sid: 'b7c1e09f22aa' }, 1],
    ['that ends with sid', { 'x-sid': 'b7c1e09f22aa' }, 1],
    ['that is short', { 'x-session-token': 'b7c1e09f22' }, 0],
    ['that is very long', { 'x-session-token': 'b7c1'.repeat(1_025) }, 0],
    ['with blanks', { 'x-session-token': 'b7c1 e09f22aae09f22aa e09f' }, 0],
    ['of several lines', { 'x-session-token': ['b7c1e09f22aa', 'b7c1e09f22ab'] }, 0],
    ['that the contract has', { 'x-service-auth-type': 'b7c1e09f22aa' }, 0],
  ])('with a header %s', async (_what, headers, times) => {
    const own = planning((request) => (isFull(request) ? { says: '', headers } : undefined));
    await tried(own);
    expect(own.sent.some((request) => /b7c1/.test(request))).toBe(times > 0);
    // Nothing else is sent in its place.
    const without = planning();
    await tried(without);
    expect(own.sent.length > without.sent.length).toBe(times > 0);
  });
});

describe('variations that are tried alone', () => {
  const rare = variation('X-Rare', { telling: 0 });
  const alone = async (own: ReturnType<typeof planning>, variations = [a, rare]) =>
    shown(await tryAlone(own.api, { operation: search, variations, refusals: issued(own, 'USER') }));

  test.each(['whole', 'telling'] as const)(
    'ask every refusal, but rare ones one without the whole breadth: %s',
    async (breadth) => {
      const own = planning(undefined, { breadth });
      expect(await alone(own)).toEqual(expect.arrayContaining(USER));
      const refused = own.sent.filter((request) => !isFull(request));
      const all = issued(own, 'USER').length;
      expect(refused.filter((request) => has(request, 'X-A')).length).toBe(all);
      expect(refused.filter((request) => has(request, 'X-Rare')).length).toBe(breadth === 'whole' ? all : 1);
    },
  );

  test('decide the first refusal alone if none is telling or accepted, and nothing if there are none', async () => {
    const telling = planning(undefined, { breadth: 'telling' });
    expect(await alone(telling, [rare])).toEqual(['pass user.isolation USER', USER[0]]);
    const refusing = planning((request) => (has(request, 'X-A') ? 'refuses' : undefined));
    expect(await alone(refusing, [a])).toEqual(['observed token.expired USER']);
    expect(await alone(planning(), [])).toEqual([]);
  });

  test('are not sent if the documented request is refused, or not planned', async () => {
    const own = planning(() => 'refuses');
    expect([await alone(own), own.sent.length]).toEqual([[], 1]);
    const unplanned = planning(undefined, { planned: () => undefined });
    expect([await alone(unplanned), unplanned.sent]).toEqual([[], []]);
  });

  test.each<[string, Partial<VariationRow>, boolean]>([
    ['a path', { kind: 'path' }, true],
    ['a header that leads elsewhere', { elsewhere: true }, true],
    ['a header that is sent alone', { alone: true }, true],
    ['a header', {}, false],
    ['a path of which few have heard', { kind: 'path', telling: 0 }, false],
  ])('and refused with a token are sent without one: %s, %s', async (_what, row, isSent) => {
    const own = planning((request) => (has(request, '/odd') ? 'refuses' : undefined));
    const refusals = oncePerRequirement(own.api, search);
    await tryAlone(own.api, {
      operation: search,
      variations: [variation('/odd', { values: ['/odd'], ...row })],
      refusals,
    });
    const odd = own.sent.filter((request) => has(request, '/odd'));
    const bare = odd.filter((request) => !/Bearer/.test(request));
    expect([odd.length - bare.length, bare.length]).toEqual([1, isSent ? 1 : 0]);
  });
});

test('one refusal of each requirement is with the whole breadth each, and else the first and that without a token', () => {
  const once = oncePerRequirement(planning().api, search);
  expect(once.find(({ kind }) => kind === 'none')?.controlKind).toBe('USER');
  const all = once.map(({ requirement }) => requirement);
  expect(all).not.toContain('token.tampered');
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(
    expect.arrayContaining([
      'token.expired',
      'scope.search',
      'act-as.missing',
      'authorization.required',
      'token.unknown',
    ]),
  );
  const telling = oncePerRequirement(planning(undefined, { breadth: 'telling' }).api, search);
  expect(telling.map(({ requirement }) => requirement)).toEqual([all[0], 'authorization.required']);
  expect(oncePerRequirement(planning().api, search, { breadth: 'telling' })).toHaveLength(2);
});
