import { describe, expect, test } from 'vitest';
import type { Observation } from '../record/observation.ts';
import { answer, exchangeOf, plannedCase, planWith, SEARCH_BODY } from '../testing/small-world.ts';
import { appearanceOf, growingLooks, lookOf, looksOf } from './looks.ts';

const plan = planWith();
const search = plannedCase(plan, 'search', 'USER');
const chat = plannedCase(plan, 'chat', 'USER');
const expired = plannedCase(plan, 'chat', 'USER', { validity: 'expired' });
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const page = (operation: string) => answer(200, '<h1>Sign in</h1>', HTML, operation);
const reply = (text: string) => answer(200, JSON.stringify({ text }), undefined, 'chat');

type Sent = readonly [typeof search, Observation];
const looks = (...sent: readonly Sent[]) =>
  looksOf(
    plan,
    sent.map(([planned, seen], index) => exchangeOf(planned, seen, index + 1)),
  );
const appearance = (seen: Observation, operation: string, ...sent: readonly Sent[]) =>
  appearanceOf(() => looks(...sent), operation, seen);

describe('a 2xx looks usual', () => {
  test('if it has the documented body, even before anything was accepted', () => {
    expect(appearance(answer(200, SEARCH_BODY), 'search')).toBe('usual');
  });

  test('if it has the content type and the fields of an acceptance of the same operation, of any length', () => {
    expect(appearance(reply('a longer answer'), 'chat', [chat, reply('short')])).toBe('usual');
  });

  test('if it was not read to its end, as that of a slow chat, or others were not', () => {
    const cut = { ...reply('the beginning of'), skeleton: 'text of 16 characters', truncated: true } as const;
    expect(appearance(cut, 'chat', [chat, reply('short')])).toBe('usual');
    expect(appearance(reply('short'), 'chat', [chat, cut], [chat, cut])).toBe('usual');
    expect(appearance(page('chat'), 'chat', [chat, cut])).toBe('unusual');
  });

  test('if the target accepts everything with it', () => {
    expect(appearance(page('search'), 'search', [search, page('search')])).toBe('usual');
    expect(appearance(page('chat'), 'chat', [search, page('search')], [chat, page('chat')])).toBe('usual');
  });
});

describe('a 2xx looks unusual', () => {
  test('if the target accepts with another content type or other fields', () => {
    expect(appearance(page('chat'), 'chat', [chat, reply('a')])).toBe('unusual');
    expect(appearance(answer(200, '{"error":""}', undefined, 'chat'), 'chat', [chat, reply('a')])).toBe('unusual');
  });

  test('if it is not what the target mostly accepts with, where nothing documents the body', () => {
    const sent: Sent[] = [1, 2, 3].map(() => [chat, reply('a')]);
    expect(appearance(page('chat'), 'chat', ...sent, [expired, page('chat')])).toBe('unusual');
  });

  test('if it came for an operation whose documented body it lacks, although it is all that came for this one', () => {
    const sent: Sent[] = [
      [search, answer(200, SEARCH_BODY)],
      [plannedCase(plan, 'search', 'GLOBAL'), page('search')],
      [chat, page('chat')],
    ];
    expect(appearance(page('chat'), 'chat', ...sent)).toBe('unusual');
  });
});

describe('two answers look alike', () => {
  const first = answer(200, '{"text":"a"}', { 'content-type': 'Application/JSON ; charset=utf-8' }, 'chat');

  test('if they have the same content type, whatever its case and parameters', () => {
    expect(lookOf(first)).toBe(lookOf(reply('another')));
  });

  test('but not if only one has a content type, or if only one was read to its end', () => {
    const bare = answer(200, '{"text":"a"}', {}, 'chat');
    expect(lookOf(bare)).not.toBe(lookOf(first));
    expect(lookOf({ ...first, truncated: true })).not.toBe(lookOf(first));
    const empty = answer(200, '', { 'content-type': 'application/json' }, 'chat');
    expect(lookOf({ ...first, truncated: true })).not.toBe(lookOf(empty));
    expect(lookOf({ ...first, truncated: true })).toBe(lookOf({ ...reply('b'), skeleton: 'other', truncated: true }));
  });

  test('but not if their content types differ', () => {
    const other = answer(200, '{"text":"a"}', { 'content-type': 'application/problem+json' }, 'chat');
    expect(lookOf(other)).not.toBe(lookOf(first));
  });

  test('but not if one of them has no body', () => {
    expect(lookOf(answer(200, '', { 'content-type': 'application/json' }, 'chat'))).not.toBe(lookOf(first));
  });
});

test('the usual look is the most frequent one, wherever it comes first', () => {
  const replies: Sent[] = [1, 2].map(() => [chat, reply('a')]);
  for (const sent of [
    [[chat, page('chat')] as const, ...replies],
    [...replies, [chat, page('chat')] as const],
  ]) {
    expect(appearance(reply('b'), 'chat', ...sent)).toBe('usual');
    expect(appearance(page('chat'), 'chat', ...sent)).toBe('fickle');
  }
});

test('refusals are no look, however many come', () => {
  const refusals: Sent[] = ['USER', 'GLOBAL', 'OKTA'].map((kind) => [plannedCase(plan, 'chat', kind), answer(401)]);
  expect(appearance(reply('b'), 'chat', ...refusals, [plannedCase(plan, 'chat', 'AZURE'), reply('a')])).toBe('usual');
});

test('a look is fickle if a request got it once and another answer at another time', () => {
  const sent: Sent[] = [
    [chat, reply('a')],
    [chat, reply('a')],
    [expired, page('chat')],
  ];
  expect(appearance(page('chat'), 'chat', ...sent)).toBe('unusual');
  expect(appearance(page('chat'), 'chat', ...sent, [expired, answer(401)])).toBe('fickle');
  expect(appearance(page('search'), 'search', ...sent, [expired, answer(401)])).toBe('fickle');
});

test('a look is not fickle because no answer or a gateway error came at another time', () => {
  const sent: Sent[] = [
    [chat, reply('a')],
    [chat, reply('a')],
    [expired, page('chat')],
  ];
  for (const seen of [answer(502), answer(429), { kind: 'failure', failure: 'reset', detail: 'reset' } as const])
    expect(appearance(page('chat'), 'chat', ...sent, [expired, seen])).toBe('unusual');
});

test('the answers of checks have no look', () => {
  const [ofCheck, ofCase] = [page('chat'), reply('a')].map((seen, index) => exchangeOf(chat, seen, index + 1));
  if (!ofCheck || !ofCase) throw new Error('no exchange');
  const found = looksOf(plan, [{ ...ofCheck, case: 'isolation' }, ofCase]);
  expect([found.isUsual('chat', page('chat')), found.isUsual('chat', reply('b'))]).toEqual([false, true]);
});

test('a refusal and a failure look usual', () => {
  expect(appearance(answer(401, '<h1>401</h1>', HTML), 'search', [search, answer(200, SEARCH_BODY)])).toBe('usual');
  expect(appearance({ kind: 'failure', failure: 'reset', detail: 'reset' }, 'search')).toBe('usual');
});

describe('the looks of exchanges that grow', () => {
  const [accepted, refused] = [answer(200, '{"hits":[]}'), answer(401)].map((seen, index) =>
    exchangeOf(expired, seen, index + 1),
  );
  if (!accepted || !refused) throw new Error('no exchange');
  const failure = { kind: 'failure', failure: 'locked-out', detail: 'locked out' } as const;

  test('are those of all exchanges until now', () => {
    const exchanges = [accepted];
    const looks = growingLooks(plan, exchanges);
    const seen = answer(200, '{"hits":[]}');
    expect(looks().isFickle(seen)).toBe(false);
    exchanges.push(refused);
    expect(looks().isFickle(seen)).toBe(true);
  });

  test('are those without a refusal that turns out to be a lockout', () => {
    const exchanges = [accepted, refused];
    const looks = growingLooks(plan, exchanges);
    const seen = answer(200, '{"hits":[]}');
    expect(looks().isFickle(seen)).toBe(true);
    exchanges[1] = { ...refused, observation: failure };
    expect(looks().isFickle(seen)).toBe(false);
  });
});
