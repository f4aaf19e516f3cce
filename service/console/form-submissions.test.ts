import { expect, test } from 'vitest';
import { createFormSubmissions } from './form-submissions.ts';

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
