import { describe, expect, test } from 'vitest';
import { calling, has, type Reply, search, variation } from '../../testing/engine.ts';
import { describe as inWords } from './caller.ts';
import type { Person } from './private-documents.ts';
import { acceptedWith, staysHidden } from './vary.ts';

const [a, b, c] = [variation('X-A'), variation('X-B'), variation('X-C')];
const stranger: Person = { owner: 'ACT_AS', email: 'mei@people.example', query: 'what Mei wrote' };

const names = (items: readonly { readonly name: string }[]) =>
  items
    .map(({ name }) => name)
    .sort()
    .join(' ');

describe('variations that the target accepts', () => {
  const tried = async (reply: Parameters<typeof calling>[0], bundles = [[a, b, c]], more = {}) => {
    const { caller, sent, aims } = await calling(reply, more);
    const { groups, alone, leaks, otherForms, failed } = await acceptedWith(caller, bundles);
    const of = (found: typeof groups) => found.map(({ items }) => names(items));
    return {
      groups: of(groups),
      alone: names(alone),
      leaks: of(leaks),
      otherForms: names(otherForms),
      failed: names(failed),
      requests: sent.slice(1),
      aims: aims.slice(1),
    };
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

  test.each([
    ['refuses', {}],
    ['page', { otherForms: 'X-B' }],
    ['fails', { failed: 'X-B' }],
  ] as const)('are found beside one that gets another answer: %s', async (reply, found) => {
    expect(await tried((request) => (has(request, 'X-B') ? reply : undefined))).toMatchObject({
      ...{ groups: ['X-A X-C'], alone: 'X-B', otherForms: '', failed: '' },
      ...found,
    });
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
    expect(await tried(() => 'refuses')).toEqual({
      groups: [],
      alone: '',
      leaks: [],
      otherForms: '',
      failed: '',
      requests: [],
      aims: [],
    });
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

describe('the document of a stranger', () => {
  const decided = async (reply: (request: string) => Reply | undefined, changes = {}, third = c) => {
    const { caller } = await calling(reply, { stranger });
    const own = { ...caller, ...changes };
    const found = await staysHidden(own, await acceptedWith(own, [[a, b, third]]));
    return found.map(({ verdict, requirement, kind, detail, varied }) => ({
      ...{ verdict, requirement, kind, detail },
      with: varied?.with.length,
    }));
  };

  test('stays hidden with every variation, and although it is named if one was accepted that names it', async () => {
    const detail = '3 variations: with none of them, $ACT_AS_PRIVATE_MARKER is returned';
    const hidden = { verdict: 'pass', requirement: 'user.isolation', kind: 'USER', detail, with: 0 };
    expect(await decided(() => undefined)).toEqual([hidden]);
    // It counts as tried only where somebody finds their own.
    const finding = (request: string) =>
      has(request, 'USER_PRIVATE_QUERY') ? { says: '', markers: ['USER_PRIVATE_MARKER'] } : undefined;
    expect(await decided(finding)).toEqual([{ ...hidden, with: 3 }]);
    const naming = variation('X-Person', { values: [stranger.email] });
    const named = { ...hidden, requirement: 'act-as.no-escalation' };
    expect(await decided(() => undefined, {}, naming)).toEqual([hidden, named]);
    const refusing = (request: string) => (has(request, stranger.email) ? 'refuses' : undefined);
    expect(await decided(refusing, {}, naming)).toMatchObject([{ requirement: 'user.isolation' }]);
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

test('variations in words name three at most, each once', () => {
  const words = (...how: string[]) => inWords(how.map((one) => ({ how: one })));
  expect(words()).toBe('no variation');
  expect(words('a')).toBe('a');
  expect(words('a', 'b', 'a')).toBe('a and b');
  expect(words('a', 'b', 'c')).toBe('a, b and c');
  expect(words('a', 'b', 'c', 'd', 'e')).toBe('a, b, c and 2 more');
});
