import { expect, test } from 'vitest';
import { limitConcurrency } from './concurrency-limit.ts';

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
