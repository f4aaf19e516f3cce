import { expect, onTestFinished, test } from 'vitest';
import { openStore } from './store.ts';

async function opened() {
  const { people, close } = await openStore(':memory:', () => 0);
  onTestFinished(close);
  const ann = await people.add({ email: ' Ann@Example.com ', name: 'Ann', role: 'user', password: 'correct horse' });
  return { people, ann };
}

test('an email names one person in any case', async () => {
  const { people, ann } = await opened();
  expect(ann.email).toBe('ann@example.com');
  expect(await people.find('ANN@example.COM')).toEqual(ann);
  await expect(people.add({ email: 'ann@EXAMPLE.com', name: 'Another', role: 'user' })).rejects.toThrow();
});

test('signing in takes the email and the password together', async () => {
  const { people, ann } = await opened();
  await people.add({ email: 'bob@example.com', name: 'Bob', role: 'user' });
  expect(await people.signIn('ann@example.com', 'correct horse')).toEqual(ann);
  expect(await people.signIn('ann@example.com', 'Correct horse')).toBeUndefined();
  expect(await people.signIn('nobody@example.com', 'correct horse')).toBeUndefined();
  // Without a password nobody signs in, not even with none.
  expect(await people.signIn('bob@example.com', '')).toBeUndefined();
});

test('a new password ends the old one', async () => {
  const { people, ann } = await opened();
  await people.setPassword('ANN@example.com', 'battery staple');
  expect(await people.signIn('ann@example.com', 'battery staple')).toEqual(ann);
  expect(await people.signIn('ann@example.com', 'correct horse')).toBeUndefined();
  await expect(people.setPassword('nobody@example.com', 'x')).rejects.toThrow(/Nobody here has the address/);
});
