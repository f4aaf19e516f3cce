import { expect, test } from 'vitest';
import { openHandover } from './handover.ts';

test('a secret is handed over once', () => {
  const handover = openHandover<number>(() => 0);
  handover.leave('ann token-1', 'swordfish');
  expect(handover.take('eve token-1')).toBeUndefined();
  expect(handover.take('ann token-1')).toBe('swordfish');
  expect(handover.take('ann token-1')).toBeUndefined();
});

test('a secret that nobody fetches is gone after ten minutes', () => {
  let now = 0;
  const handover = openHandover<number>(() => now);
  handover.leave('ann token-1', 'swordfish');
  now = 10 * 60 * 1000;
  expect(handover.take('ann token-1')).toBeUndefined();
});

test('a form sent twice has one effect', async () => {
  let now = 0;
  let effects = 0;
  const handover = openHandover<number>(() => now);
  const work = async () => {
    effects += 1;
    return effects;
  };
  expect(await Promise.all([handover.once('form', work), handover.once('form', work)])).toEqual([1, 1]);
  expect(await handover.once('other form', work)).toBe(2);
  now = 10 * 60 * 1000;
  expect(await handover.once('form', work)).toBe(3);
});
