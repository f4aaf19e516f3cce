import { describe, expect, test } from 'vitest';
import { cacheAnswers, cacheValue, limitConcurrency } from './cache.ts';

describe('a cached value', () => {
  function cached() {
    const clock = { now: 0 };
    const source = { fetched: 0, broken: false };
    const get = cacheValue(
      async () => {
        if (source.broken) throw new Error('unreachable');
        source.fetched += 1;
        return source.fetched;
      },
      { now: () => clock.now, maxAge: 1000 },
    );
    return { clock, source, get };
  }

  test('is fetched once until it reaches its maximum age', async () => {
    const { clock, get } = cached();
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    clock.now = 999;
    expect(await get()).toBe(1);
    clock.now = 1000;
    expect(await get()).toBe(2);
  });

  test('is fetched earlier for a caller with a lower maximum age, and never later', async () => {
    const { clock, get } = cached();
    await get();
    clock.now = 500;
    expect(await get(501)).toBe(1);
    expect(await get(500)).toBe(2);
    clock.now = 1500;
    expect(await get(1_000_000)).toBe(3);
  });

  test('survives a failed early refresh, but not its maximum age', async () => {
    const { clock, source, get } = cached();
    await get();
    source.broken = true;
    clock.now = 999;
    await expect(get(0)).rejects.toThrow('unreachable');
    expect(await get()).toBe(1);
    clock.now = 1000;
    await expect(get()).rejects.toThrow('unreachable');
    source.broken = false;
    expect(await get()).toBe(2);
  });

  test('is fetched again when the clock is set back', async () => {
    const { clock, get } = cached();
    clock.now = 5000;
    await get();
    clock.now = 4999;
    expect(await get()).toBe(2);
  });
});

describe('a cached answer about a token', () => {
  function cached({ expiry = 1_000_000, maxEntries = 2 } = {}) {
    const clock = { now: 0 };
    const asked: string[] = [];
    const valid = new Set(['a', 'b', 'c']);
    const ask = cacheAnswers(
      async (token) => {
        asked.push(token);
        return valid.has(token) ? `of ${token}` : undefined;
      },
      {
        now: () => clock.now,
        maxAge: 1000,
        maxEntries,
        refusals: { maxAge: 10, maxEntries: 2 },
        expiryOf: () => expiry,
      },
    );
    return { clock, asked, valid, ask };
  }

  test('is used until its maximum age', async () => {
    const { clock, asked, valid, ask } = cached();
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['of a', 'of a']);
    valid.delete('a');
    clock.now = 999;
    expect(await ask('a')).toBe('of a');
    clock.now = 1000;
    expect(await ask('a')).toBeUndefined();
    expect(asked).toEqual(['a', 'a']);
  });

  test.each([
    ['expires before that', 400, 400],
    ['has expired', -1, 0],
    ['has no known expiry', Number.NaN, 0],
  ])('is used no longer than the token when the token %s', async (_what, expiry, until) => {
    const { clock, asked, ask } = cached({ expiry });
    await ask('a');
    clock.now = Math.max(until - 1, 0);
    await ask('a');
    expect(asked).toHaveLength(until === 0 ? 2 : 1);
    clock.now = until;
    await ask('a');
    expect(asked).toHaveLength(until === 0 ? 3 : 2);
  });

  test('is not shared with another token', async () => {
    const { ask } = cached();
    expect([await ask('a'), await ask('b'), await ask('x')]).toEqual(['of a', 'of b', undefined]);
  });

  test('has a lower maximum age when it is a refusal', async () => {
    const { clock, asked, valid, ask } = cached();
    expect(await ask('x')).toBeUndefined();
    valid.add('x');
    clock.now = 9;
    expect(await ask('x')).toBeUndefined();
    clock.now = 10;
    expect(await ask('x')).toBe('of x');
    expect(asked).toEqual(['x', 'x']);
  });

  test('is removed for a newer refusal when it is the oldest refusal', async () => {
    const { asked, ask } = cached();
    for (const token of ['x', 'y', 'z', 'y', 'z', 'x']) await ask(token);
    expect(asked).toEqual(['x', 'y', 'z', 'x']);
  });

  test('is removed for a newer answer when it is the oldest, and never for a refusal', async () => {
    const { asked, ask } = cached({ maxEntries: 2 });
    for (const token of ['a', 'b', 'x', 'y', 'z', 'a', 'b']) await ask(token);
    expect(asked).toEqual(['a', 'b', 'x', 'y', 'z']);
    for (const token of ['c', 'b', 'a']) await ask(token);
    expect(asked.slice(5)).toEqual(['c', 'a']);
  });

  test('is fetched again after a failure', async () => {
    let broken = true;
    const ask = cacheAnswers(
      async () => {
        if (broken) throw new Error('unreachable');
        return 'answer';
      },
      {
        now: () => 0,
        maxAge: 1000,
        maxEntries: 2,
        refusals: { maxAge: 10, maxEntries: 2 },
        expiryOf: () => 1000,
      },
    );
    await expect(Promise.all([ask('a'), ask('a')])).rejects.toThrow('unreachable');
    broken = false;
    expect(await ask('a')).toBe('answer');
  });

  test('is fetched again when the clock is set back', async () => {
    const { clock, asked, ask } = cached();
    clock.now = 5000;
    await ask('a');
    clock.now = 4999;
    await ask('a');
    expect(asked).toHaveLength(2);
  });
});

test('a call above the limit fails until a pending call resolves or rejects', async () => {
  const bounded = limitConcurrency(2, () => new Error('too many'));
  let end: (value: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const first = bounded(() => new Promise<string>((resolve) => (end = resolve)));
  const second = bounded(() => new Promise<string>((_, reject) => (fail = reject)));
  await expect(bounded(async () => 'third')).rejects.toThrow('too many');
  end('first');
  expect(await first).toBe('first');
  expect(await bounded(async () => 'fourth')).toBe('fourth');
  fail(new Error('broken'));
  await expect(second).rejects.toThrow('broken');
  expect(await Promise.all([bounded(async () => 'fifth'), bounded(async () => 'sixth')])).toEqual(['fifth', 'sixth']);
});
