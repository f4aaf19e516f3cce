import { expect, onTestFinished, test } from 'vitest';
import { cheapPasswordCost } from './password-hash.ts';
import { createPasswordQueue } from './password-queue.ts';
import { openStore } from './store.ts';

test('two passwords are checked at once, sixteen wait, and the others are told to come back', async () => {
  const queue = createPasswordQueue();
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
    return 'checked';
  };
  const results = await Promise.all(Array.from({ length: 60 }, () => queue(work)));
  expect(results.filter((result) => result === 'checked')).toHaveLength(18);
  expect(results.filter((result) => result === undefined)).toHaveLength(42);
  expect(most).toBe(2);
  expect(await queue(work)).toBe('checked');
});

test('work that fails gives its place to the next one', async () => {
  const queue = createPasswordQueue();
  const fail = () => queue(() => Promise.reject(new Error('broken')));
  await Promise.allSettled([fail(), fail(), fail()]);
  expect(await Promise.all([1, 2].map(() => queue(async () => 'checked')))).toEqual(['checked', 'checked']);
});

test('a flood of sign-ins with unknown emails does not queue up without a limit', async () => {
  const { people, close } = await openStore(':memory:', () => 0, { cost: cheapPasswordCost });
  onTestFinished(close);
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, index) => people.signIn(`${index}@example.com`, 'x')),
  );
  expect(results.filter(({ kind }) => kind === 'busy').length).toBeGreaterThan(30);
  expect(await people.signIn('ann@example.com', 'x')).toEqual({ kind: 'wrong' });
});
