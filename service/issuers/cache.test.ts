import { describe, expect, test } from 'vitest';
import { keepAnswers, keepValue } from './cache.ts';

describe('a value that is kept', () => {
  function kept() {
    const clock = { now: 0 };
    const source = { fetched: 0, broken: false };
    const get = keepValue(
      async () => {
        if (source.broken) throw new Error('nobody there');
        source.fetched += 1;
        return source.fetched;
      },
      { now: () => clock.now, longest: 1000 },
    );
    return { clock, source, get };
  }

  test('is fetched once until it is as old as allowed', async () => {
    const { clock, get } = kept();
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    clock.now = 999;
    expect(await get()).toBe(1);
    clock.now = 1000;
    expect(await get()).toBe(2);
  });

  test('is fetched earlier for who wants it younger, never later for who would take it older', async () => {
    const { clock, get } = kept();
    await get();
    clock.now = 500;
    expect(await get(501)).toBe(1);
    expect(await get(500)).toBe(2);
    clock.now = 1500;
    expect(await get(1_000_000)).toBe(3);
  });

  test('outlives a failure to renew it early, but not its own time', async () => {
    const { clock, source, get } = kept();
    await get();
    source.broken = true;
    clock.now = 999;
    await expect(get(0)).rejects.toThrow('nobody there');
    expect(await get()).toBe(1);
    clock.now = 1000;
    await expect(get()).rejects.toThrow('nobody there');
    source.broken = false;
    expect(await get()).toBe(2);
  });

  test('is fetched anew when the clock was set back', async () => {
    const { clock, get } = kept();
    clock.now = 5000;
    await get();
    clock.now = 4999;
    expect(await get()).toBe(2);
  });
});

describe('an answer about a token', () => {
  function kept({ end = 1_000_000, most = 2 } = {}) {
    const clock = { now: 0 };
    const asked: string[] = [];
    const valid = new Set(['a', 'b', 'c']);
    const ask = keepAnswers(
      async (token) => {
        asked.push(token);
        return valid.has(token) ? `of ${token}` : undefined;
      },
      { now: () => clock.now, longest: 1000, most, refusals: { longest: 10, most: 2 }, endOf: () => end },
    );
    return { clock, asked, valid, ask };
  }

  test('is kept until its time is over, and not a moment longer', async () => {
    const { clock, asked, valid, ask } = kept();
    expect(await Promise.all([ask('a'), ask('a')])).toEqual(['of a', 'of a']);
    valid.delete('a');
    clock.now = 999;
    expect(await ask('a')).toBe('of a');
    clock.now = 1000;
    expect(await ask('a')).toBeUndefined();
    expect(asked).toEqual(['a', 'a']);
  });

  test.each([
    ['ends before that', 400, 400],
    ['has ended', -1, 0],
    ['ends nobody knows when', Number.NaN, 0],
  ])('is kept no longer than the token when that %s', async (_what, end, over) => {
    const { clock, asked, ask } = kept({ end });
    await ask('a');
    clock.now = Math.max(over - 1, 0);
    await ask('a');
    expect(asked).toHaveLength(over === 0 ? 2 : 1);
    clock.now = over;
    await ask('a');
    expect(asked).toHaveLength(over === 0 ? 3 : 2);
  });

  test('is not shared with another token', async () => {
    const { ask } = kept();
    expect([await ask('a'), await ask('b'), await ask('x')]).toEqual(['of a', 'of b', undefined]);
  });

  test('is kept for less long when it is a refusal', async () => {
    const { clock, asked, valid, ask } = kept();
    expect(await ask('x')).toBeUndefined();
    valid.add('x');
    clock.now = 9;
    expect(await ask('x')).toBeUndefined();
    clock.now = 10;
    expect(await ask('x')).toBe('of x');
    expect(asked).toEqual(['x', 'x']);
  });

  test('that is a refusal makes room for newer ones too', async () => {
    const { asked, ask } = kept();
    for (const token of ['x', 'y', 'z', 'y', 'z', 'x']) await ask(token);
    expect(asked).toEqual(['x', 'y', 'z', 'x']);
  });

  test('makes room for newer ones, which refusals never need', async () => {
    const { asked, ask } = kept({ most: 2 });
    for (const token of ['a', 'b', 'x', 'y', 'z', 'a', 'b']) await ask(token);
    expect(asked).toEqual(['a', 'b', 'x', 'y', 'z']);
    for (const token of ['c', 'b', 'a']) await ask(token);
    expect(asked.slice(5)).toEqual(['c', 'a']);
  });

  test('that does not come is asked for again', async () => {
    let broken = true;
    const ask = keepAnswers(
      async () => {
        if (broken) throw new Error('nobody there');
        return 'here';
      },
      { now: () => 0, longest: 1000, most: 2, refusals: { longest: 10, most: 2 }, endOf: () => 1000 },
    );
    await expect(Promise.all([ask('a'), ask('a')])).rejects.toThrow('nobody there');
    broken = false;
    expect(await ask('a')).toBe('here');
  });

  test('is not kept from before the clock was set back', async () => {
    const { clock, asked, ask } = kept();
    clock.now = 5000;
    await ask('a');
    clock.now = 4999;
    await ask('a');
    expect(asked).toHaveLength(2);
  });
});
