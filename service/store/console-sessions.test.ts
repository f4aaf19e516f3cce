import { expect, onTestFinished, test } from 'vitest';
import { sessionSeconds } from './console-sessions.ts';
import { openStore } from './store.ts';

async function opened() {
  const clock = { now: 0 };
  const store = await openStore(':memory:', () => clock.now);
  onTestFinished(() => store.close());
  const ann = await store.people.add({ email: 'ann@example.com', name: 'Ann', role: 'admin' });
  return { sessions: store.consoleSessions, clock, ann };
}

test('a session belongs to one person until it ends', async () => {
  const { sessions, ann } = await opened();
  const [one, other] = [await sessions.begin(ann), await sessions.begin(ann)];
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(await sessions.find(one)).toEqual(ann);
  await sessions.end(one);
  expect(await sessions.find(one)).toBeUndefined();
  expect(await sessions.find(other)).toEqual(ann);
  expect(await sessions.find('')).toBeUndefined();
});

test('a session expires after a working day', async () => {
  const { sessions, clock, ann } = await opened();
  const secret = await sessions.begin(ann);
  clock.now = sessionSeconds * 1000 - 1;
  expect(await sessions.find(secret)).toEqual(ann);
  clock.now += 1;
  expect(await sessions.find(secret)).toBeUndefined();
  await sessions.begin(ann);
  clock.now = 0;
  // It is deleted from the database, not only ignored.
  expect(await sessions.find(secret)).toBeUndefined();
});
