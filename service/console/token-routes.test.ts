import { expect, test } from 'vitest';
import { createFormSubmissions, createOneTimeSecrets } from './token-routes.ts';

test('a form submitted twice has one effect', async () => {
  let now = 0;
  let effects = 0;
  const submissions = createFormSubmissions<number>(() => now);
  const work = async () => {
    effects += 1;
    return effects;
  };
  expect(await Promise.all([submissions.once('form', work), submissions.once('form', work)])).toEqual([1, 1]);
  expect(await submissions.once('other form', work)).toBe(2);
  now = 10 * 60 * 1000;
  expect(await submissions.once('form', work)).toBe(3);
});

test('a secret can be taken once, with its key', () => {
  const secrets = createOneTimeSecrets(() => 0);
  secrets.put('ann token-1', 'swordfish');
  expect(secrets.take('eve token-1')).toBeUndefined();
  expect(secrets.take('ann token-1')).toBe('swordfish');
  expect(secrets.take('ann token-1')).toBeUndefined();
});

test('a secret expires after ten minutes', () => {
  let now = 0;
  const secrets = createOneTimeSecrets(() => now);
  secrets.put('ann token-1', 'swordfish');
  now = 10 * 60 * 1000;
  expect(secrets.take('ann token-1')).toBeUndefined();
});
