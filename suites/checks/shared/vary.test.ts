import { describe, expect, test } from 'vitest';
import { acceptance, chat, engine, type Reply, search, variation } from '../../testing/engine.ts';
import type { Person } from './private-documents.ts';
import {
  acceptedWith,
  type Caller,
  callerOf,
  describe as inWords,
  type MustRefuse,
  refusedAlone,
  staysHidden,
  staysRefused,
} from './vary.ts';

const [a, b, c] = [variation('X-A'), variation('X-B'), variation('X-C')];
const path = variation('/other', { kind: 'path', values: ['/other'] });
const stranger: Person = { owner: 'ACT_AS', email: 'mei@people.example', query: 'what Mei wrote' };
const expired: MustRefuse = {
  ...{ requirement: 'token.expired', kind: 'USER', what: 'an expired USER token' },
  ...{ credential: undefined, authorization: 'Bearer expired', headers: [] },
};

/** A caller with the USER token, of a target that answers requests with that token as `reply` says; by default it accepts. */
async function calling(
  reply: (request: string) => Reply | undefined,
  { operation = search, ...more }: Partial<Pick<Caller, 'operation' | 'stranger'>> = {},
) {
  const { api, sent, aims } = engine(
    (request) => reply(request) ?? (request.includes('full-USER') ? 'accepts' : 'refuses'),
  );
  const caller = await callerOf(api, { operation, kind: 'USER', ...more });
  if (!caller) throw new Error('the kind has a token');
  return { caller, sent, aims };
}
const names = (items: readonly { readonly name: string }[]) =>
  items
    .map(({ name }) => name)
    .sort()
    .join(' ');
const has = (request: string, ...headers: string[]) => headers.every((name) => request.includes(name));

describe('a caller', () => {
  test('has the acceptance of its documented request, which is not sent again if the matrix did', async () => {
    const { caller, aims } = await calling(() => undefined);
    expect(caller.control).toEqual(acceptance(1));
    expect(aims).toEqual(['either: the documented request with the USER token is accepted']);
    const like = { ...caller.like, seq: 7 };
    const known = engine(() => 'refuses', { seen: () => like });
    expect(await callerOf(known.api, { operation: search, kind: 'USER' })).toMatchObject({ control: { seq: 7 }, like });
    expect(known.sent).toEqual([]);
  });

  test('needs a token', async () => {
    const { api } = engine(() => 'accepts', { planned: () => undefined });
    expect(await callerOf(api, { operation: search, kind: 'USER' })).toBeUndefined();
  });
});

describe('variations that the target accepts', () => {
  const tried = async (reply: Parameters<typeof calling>[0], bundles = [[a, b, c]], more = {}) => {
    const { caller, sent, aims } = await calling(reply, more);
    const { groups, alone, leaks } = await acceptedWith(caller, bundles);
    const of = (found: typeof groups) => found.map(({ items }) => names(items));
    return { groups: of(groups), alone: names(alone), leaks: of(leaks), requests: sent.slice(1), aims: aims.slice(1) };
  };

  test('are sent together', async () => {
    expect(await tried(() => undefined)).toMatchObject({
      ...{ groups: ['X-A X-B X-C'], alone: '', leaks: [] },
      requests: [expect.stringContaining(JSON.stringify(search.example))],
      aims: [
        'either: the request with the USER token is accepted with the header X-A: 1, the header X-B: 1 and the header X-C: 1, or these are left out',
      ],
    });
  });

  test('are split into what a target treats alike, and then halved', async () => {
    const extensions = Array.from({ length: 8 }, (_, at) => variation(`X-${at}`));
    const others = [
      variation('Range'),
      variation('Via'),
      variation('k', { kind: 'cookie' }),
      variation('p', { kind: 'parameter' }),
    ];
    const forms = [
      variation('NONE', { kind: 'auth-type', values: [] }),
      variation('', { kind: 'content-type', values: ['json'] }),
    ];
    const bundle = [...extensions, ...others, variation('f', { kind: 'field' }), ...forms];
    const refusing =
      (...texts: string[]) =>
      (request: string) =>
        texts.some((text) => has(request, text)) ? ('refuses' as const) : undefined;
    // All; names and forms; of the names four kinds of header and other, of which one is refused; then eight of them.
    const strict = await tried(refusing('X-0', 'X-1', 'X-2', 'X-3', 'X-4', 'X-5', 'X-6', 'X-7'), [bundle]);
    expect(strict.requests).toHaveLength(1 + 2 + 5 + 2 + 4 + 8 + 1);
    expect(strict.groups).toEqual([' NONE Range Via f k p']);
    const formal = await tried(refusing('NONE'), [bundle]);
    expect(formal.requests).toHaveLength(1 + 2 + 2 + 1);
  });

  test.each(['refuses', 'page'] as const)('are found beside one that it %s', async (reply) => {
    const found = await tried((request) => (has(request, 'X-B') ? reply : undefined));
    expect(found).toMatchObject({ groups: ['X-A X-C'], alone: 'X-B' });
  });

  test('leave open what gets no answer', async () => {
    const found = await tried((request) => (has(request, 'X-B') ? 'lost' : undefined));
    expect(found).toMatchObject({ groups: ['X-A X-C'], alone: '' });
  });

  test('look for the document of a stranger, and tell who shows it', async () => {
    const reply = (request: string) => (has(request, 'X-B') ? 'shows' : undefined);
    const found = await tried(reply, [[a], [b]], { stranger });
    expect(found.leaks).toEqual(['X-B']);
    expect(found.requests.every((request) => request.includes(stranger.query))).toBe(true);
    expect(found.aims[0]).toBe(
      'either: the request with the USER token is accepted with the header X-A: 1, and hides $ACT_AS_PRIVATE_MARKER, or these are left out',
    );
    expect((await tried(reply, [[a], [b]])).leaks).toEqual([]);
  });

  test('are not sent if the documented request is refused', async () => {
    expect(await tried(() => 'refuses')).toEqual({ groups: [], alone: '', leaks: [], requests: [], aims: [] });
  });

  test.each([
    [false, 600, 608],
    [true, 700, 700],
  ])('end after 600 refused bundles, not counting what is sent alone: %s', async (alone, least, most) => {
    const bundles = Array.from({ length: 700 }, (_, at) => [variation(`X-${at}`, { alone })]);
    const { requests } = await tried((request) => (has(request, 'X-') ? 'refuses' : undefined), bundles);
    expect(requests.length).toBeGreaterThanOrEqual(least);
    expect(requests.length).toBeLessThanOrEqual(most);
  });
});

describe('what must be refused', () => {
  /** The decision on an expired token, of a target that lets it in as `lifts` says. */
  async function decided(
    lifts: (request: string) => Reply | undefined,
    {
      refusal = expired,
      bundles = [[a, b, c]],
      refused = [] as (typeof a)[],
      held = [] as (typeof a)[],
      operation = search,
    } = {},
  ) {
    const { caller, sent, aims } = await calling((request) => (has(request, 'expired') ? lifts(request) : undefined), {
      operation,
    });
    const { groups } = await acceptedWith(caller, bundles);
    const before = sent.length;
    const result = await staysRefused(caller, refusal, { groups, refused, held });
    return { ...result, requests: sent.slice(before), aims: aims.slice(before) };
  }

  test('passes with the acceptance of the same variations, and counts them', async () => {
    const unit = { requirement: 'token.expired', operation: 'search', kind: 'USER', verdict: 'pass' };
    expect(await decided(() => undefined)).toMatchObject({
      ...unit,
      acceptance: { seq: 2 },
      detail: '3 variations: with none of them, an expired USER token is accepted',
      varied: { law: 'refusal', with: [{ name: 'X-A' }, { name: 'X-B' }, { name: 'X-C' }] },
    });
    expect(await decided(() => undefined, { bundles: [[a]] })).toMatchObject({
      detail: expect.stringMatching(/^1 variation: /),
      aims: ['refused: an expired USER token is refused with the header X-A: 1'],
    });
    expect(await decided(() => undefined, { bundles: [], refused: [b], held: [c] })).toMatchObject({
      ...unit,
      acceptance: { seq: 1 },
      detail: '1 variation: with none of them, an expired USER token is accepted',
      varied: { with: [{ name: 'X-B' }, { name: 'X-C' }] },
    });
  });

  test('proves nothing if the target accepts no variation', async () => {
    expect(await decided(() => undefined, { bundles: [] })).toMatchObject({
      verdict: 'observed',
      detail: 'the target accepts none of the variations, so none can lift a refusal',
    });
  });

  test.each([
    ['one variation', ['X-B'], 'the header X-B: 1'],
    ['two together', ['X-A', 'X-C'], 'the header X-A: 1 and the header X-C: 1'],
  ])('fails with %s that lets it in, and names the fewest', async (_what, headers, shown) => {
    const found = await decided((request) => (has(request, ...headers) ? 'accepts' : undefined));
    expect(found).toMatchObject({ verdict: 'fail', detail: `an expired USER token is accepted with ${shown}` });
  });

  test('only warns if the requirement is advice', async () => {
    const refusal = { ...expired, requirement: 'mcp.accepted' };
    expect(await decided((request) => (has(request, 'X-B') ? 'accepts' : undefined), { refusal })).toMatchObject({
      verdict: 'warn',
    });
  });

  test('is left to the matrix if it is accepted without any variation', async () => {
    expect(await decided(() => 'accepts')).toMatchObject({
      verdict: 'observed',
      detail: 'an expired USER token is accepted without any variation, too',
    });
  });

  test('is not asked with a variation of what is at fault', async () => {
    const authType = variation('OAUTH', { kind: 'auth-type', values: [] });
    const refusal = { ...expired, fault: 'auth-type' } as MustRefuse;
    const found = await decided(() => undefined, { refusal, bundles: [[a, authType]], refused: [authType] });
    expect(found.requests).toHaveLength(1);
    expect(found.requests[0]).not.toContain('OAUTH');
    expect(found.varied?.with).toMatchObject([{ name: 'X-A' }]);
  });

  test('is undecided without an answer to what the target accepts', async () => {
    const found = await decided(() => 'lost', { bundles: [[a], [b], [c]] });
    expect(found).toMatchObject({ verdict: 'inconclusive', detail: expect.stringContaining('ECONNRESET') });
    expect(found.requests).toHaveLength(1);
  });

  test.each([
    [7, 'observed'],
    [8, 'inconclusive'],
  ])('bears %i missing answers to what the target refuses with a token: %s', async (count, verdict) => {
    const refused = Array.from({ length: count }, (_, at) => variation(`X-${at}`));
    expect(await decided(() => 'lost', { bundles: [], refused })).toMatchObject({ verdict });
  });

  test('is undecided if the documented request was refused', async () => {
    const { caller } = await calling(() => 'refuses');
    expect(await staysRefused(caller, expired, { groups: [], refused: [] })).toMatchObject({
      verdict: 'inconclusive',
      detail: 'the documented request with the USER token was not accepted',
    });
  });

  test('counts on another path only if the operation runs there', async () => {
    const lifts = (request: string) => (has(request, '/other') ? 'accepts' : undefined);
    expect(await decided(lifts, { bundles: [[path]] })).toMatchObject({ verdict: 'fail' });
    const elsewhere = await decided(lifts, { bundles: [[path], [a]], operation: chat });
    expect(elsewhere).toMatchObject({
      verdict: 'observed',
      detail: '/other: nothing shows that the operation runs with it',
    });
    expect(elsewhere.requests.some((request) => has(request, 'X-A'))).toBe(true);
    expect(elsewhere.aims).toEqual(
      expect.arrayContaining([
        'either: whether the operation runs with /other, from a request without a query',
        'either: whether the operation runs with /other',
      ]),
    );
  });

  test.each<[string, (request: string) => Reply | undefined, string]>([
    ['needs a query', (request) => (has(request, 'message') || has(request, 'query') ? 'accepts' : 'refuses'), 'fail'],
    ['has words of its own', (request) => ({ says: /\{\}/.test(request) ? 'Hello.' : 'Your roadmap.' }), 'fail'],
    ['repeats its address', (request) => ({ says: /\{\}/.test(request) ? 'Hello.' : 'At other.' }), 'observed'],
    [
      'repeats its body',
      (request) => ({ says: /\{\}/.test(request) ? 'Hello.' : JSON.stringify(chat.example) }),
      'observed',
    ],
  ])('on another path is let in if the answer %s', async (_what, reply, verdict) => {
    const lifts = (request: string) => (has(request, '/other') ? reply(request) : undefined);
    expect(await decided(lifts, { bundles: [[path]], operation: chat })).toMatchObject({ verdict });
  });

  const rewrite = variation('X-Rewrite', { elsewhere: true });
  test('is tried with the rest of a bundle in which one variation leads elsewhere', async () => {
    const bundles = [[rewrite, a]];
    const only = await decided((request) => (has(request, 'X-Rewrite') ? 'accepts' : undefined), {
      bundles,
      operation: chat,
    });
    expect(only).toMatchObject({ verdict: 'observed' });
    expect(only.requests.at(-1)).not.toContain('X-Rewrite');
    const both = await decided((request) => (has(request, 'X-') ? 'accepts' : undefined), { bundles, operation: chat });
    expect(both).toMatchObject({ verdict: 'fail', detail: expect.stringContaining('X-A') });
    const together = (request: string) => (has(request, 'X-Rewrite', 'X-A') ? ('accepts' as const) : undefined);
    const needed = await decided(together, { bundles, operation: chat });
    expect(needed).toMatchObject({ verdict: 'observed', detail: expect.stringContaining('X-Rewrite') });
    expect(needed.aims.at(-1)).toContain('whether the operation runs');
  });
});

describe('the document of a stranger', () => {
  const decided = async (reply: (request: string) => Reply | undefined, changes = {}) => {
    const { caller } = await calling(reply, { stranger });
    const own = { ...caller, ...changes };
    const found = await staysHidden(own, await acceptedWith(own, [[a, b, c]]));
    return found.map(({ verdict, requirement, kind, detail, varied }) => ({
      ...{ verdict, requirement, kind, detail },
      with: varied?.with.length,
    }));
  };

  test('stays hidden with every variation, for each requirement that hides it', async () => {
    const detail = '3 variations: with none of them, $ACT_AS_PRIVATE_MARKER is returned';
    expect(await decided(() => undefined)).toEqual([
      { verdict: 'pass', requirement: 'user.isolation', kind: 'USER', detail, with: 3 },
      { verdict: 'pass', requirement: 'act-as.no-escalation', kind: 'USER', detail, with: 3 },
    ]);
    expect(await decided(() => undefined, { kind: 'GLOBAL' })).toMatchObject([{ requirement: 'act-as.effective' }]);
  });

  test('that a variation shows breaks one requirement, and names the variation', async () => {
    expect(await decided((request) => (has(request, 'X-B') ? 'shows' : undefined))).toMatchObject([
      {
        ...{ verdict: 'fail', requirement: 'user.isolation' },
        detail: 'with the USER token and the header X-B: 1, $ACT_AS_PRIVATE_MARKER was returned',
      },
    ]);
  });

  test('is left to another check if it is shown without a variation, and without a stranger', async () => {
    expect(await decided((request) => (has(request, stranger.query) ? 'shows' : undefined))).toEqual([]);
    expect(await decided(() => undefined, { stranger: undefined })).toEqual([]);
  });

  test('is not decided if the target accepts nothing', async () => {
    expect(await decided((request) => (has(request, stranger.query) ? 'refuses' : undefined))).toEqual([]);
  });
});

test('what is refused alone is observed', async () => {
  const { caller } = await calling(() => undefined);
  expect(refusedAlone(caller, [a, b])).toMatchObject({
    ...{ requirement: 'search.success', operation: 'search', kind: 'USER', verdict: 'observed' },
    detail: 'a request that is accepted otherwise is refused with the header X-A: 1; or with the header X-B: 1',
  });
});

test('variations in words name three at most, each once', () => {
  const words = (...how: string[]) => inWords(how.map((one) => ({ how: one })));
  expect(words()).toBe('no variation');
  expect(words('a')).toBe('a');
  expect(words('a', 'b', 'a')).toBe('a and b');
  expect(words('a', 'b', 'c')).toBe('a, b and c');
  expect(words('a', 'b', 'c', 'd', 'e')).toBe('a, b, c and 2 more');
});
