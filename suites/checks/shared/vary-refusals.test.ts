import { describe, expect, test } from 'vitest';
import type { CheckAnswer } from '../../../harness/checks/check.ts';
import { calling, chat, has, type Reply, search, variation } from '../../testing/engine.ts';
import { acceptedWith, type MustRefuse, staysRefused } from './vary.ts';

const [a, b, c] = [variation('X-A'), variation('X-B'), variation('X-C')];
const path = variation('/other', { kind: 'path', values: ['/other'] });
const expired: MustRefuse = {
  ...{ requirement: 'token.expired', kind: 'USER', what: 'an expired USER token' },
  ...{ credential: undefined, authorization: 'Bearer expired', headers: [] },
};

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
      seen = undefined as CheckAnswer | undefined,
    } = {},
  ) {
    const { caller, sent, aims } = await calling((request) => (has(request, 'expired') ? lifts(request) : undefined), {
      ...{ operation, seen },
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

  test('counts without any variation, too, where the matrix did not send it or got a refusal', async () => {
    const always = () => 'accepts' as const;
    const unsent = { ...expired, planned: { id: 'unsent' } as NonNullable<MustRefuse['planned']> };
    expect(await decided(always, { refusal: unsent })).toMatchObject({
      verdict: 'fail',
      detail: 'an expired USER token is accepted without any variation',
    });
    const sent = (accepted: boolean) => decided(always, { refusal: unsent, seen: { accepted } as CheckAnswer });
    expect(await sent(false)).toMatchObject({
      verdict: 'fail',
      detail: 'an expired USER token is accepted without any variation, though it was refused before',
    });
    expect(await sent(true)).toMatchObject({ verdict: 'observed' });
    expect(await decided(always)).toMatchObject({
      verdict: 'observed',
      detail: 'an expired USER token is accepted without any variation, too',
    });
  });

  test.each<[Reply, string, string]>([
    ['table', 'observed', 'the header X-B: 1: nothing shows that the operation runs with it'],
    ['page', 'pass', '1 variation: with none of them, an expired USER token is accepted'],
  ])('is not said of a success in another form, but of a page: %s', async (reply, verdict, detail) => {
    const found = await decided((request) => (has(request, 'X-B') ? reply : undefined), {
      bundles: [[a]],
      refused: [b],
    });
    expect(found).toMatchObject({ verdict, detail });
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
    // A target that refuses nothing accepts nothing either (outcomes 2).
    const open = await calling((request) => (has(request, 'expired') ? 'refuses' : undefined));
    const unproven = await staysRefused({ ...open.caller, control: undefined }, expired, { groups: [], refused: [a] });
    expect(unproven).toMatchObject({ verdict: 'inconclusive', detail: 'no request to search was refused' });
  });

  test('says why the documented request got no answer', async () => {
    const { caller } = await calling(() => 'lost');
    const found = await staysRefused(caller, expired, { groups: [], refused: [] });
    expect(found).toMatchObject({ verdict: 'inconclusive', detail: expect.stringContaining('ECONNRESET') });
  });

  test.each<[string, Reply, nowhere: Reply, verdict: string]>([
    ['what the documented request gets', { says: '{"login":"uma","at":7}' }, 'refuses', 'fail'],
    ['something else', { says: '{"login":"guest","at":7}' }, 'refuses', 'observed'],
    ['what every path gets', { says: '{"login":"uma","at":7}' }, { says: '{"login":"uma","at":8}' }, 'observed'],
    ['nothing', { says: '' }, 'refuses', 'observed'],
  ])('of a request without a body counts on another path if it gets %s', async (_what, other, nowhere, verdict) => {
    const reply = (request: string) => {
      if (has(request, 'nowhere')) return nowhere;
      if (has(request, '/other')) return other;
      return has(request, 'expired') ? 'refuses' : { says: '{"login":"uma","at":9}' };
    };
    const { caller } = await calling(reply, { operation: { ...chat, example: undefined } });
    expect(await staysRefused(caller, expired, { groups: [], refused: [path] })).toMatchObject({ verdict });
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
