import { expect, test } from 'vitest';
import type { Page } from '../embedded/browser.ts';
import { at, type Client, client, demoServiceForTest, password } from '../testing/client.ts';
import { createThrottle } from './sign-in-throttle.ts';

const minute = 60_000;

function throttle(maxSubjects?: number) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const { attempt, takeBack } = createThrottle({
    now: () => clock.now,
    ...(maxSubjects !== undefined && { maxSubjects }),
  });
  /** Fails this many times and returns the answer to the last attempt. */
  const fail = (email: string, times = 1) => Array.from({ length: times }, () => attempt(email)).at(-1);
  return { clock, attempt, takeBack, fail };
}

test('ten failures are allowed, and the next attempt must wait', () => {
  const { fail } = throttle();
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('one attempt is available after a minute, and all ten after ten minutes', () => {
  const { clock, fail } = throttle();
  fail('ann@example.com', 11);
  clock.now += minute - 1;
  expect(fail('ann@example.com')).toBe(1);
  clock.now += 1;
  expect(fail('ann@example.com')).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
  clock.now += 10 * minute;
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('spellings of one email count together, and emails count separately', () => {
  const { fail } = throttle();
  fail('ann@example.com', 10);
  expect(fail(' Ann@EXAMPLE.com ')).toBe(60);
  expect(fail('bob@example.com')).toBeUndefined();
});

test('successful sign-ins do not count', () => {
  const { attempt, takeBack, fail } = throttle();
  for (let count = 0; count < 100; count += 1) {
    expect(attempt('ann@example.com')).toBeUndefined();
    takeBack('ann@example.com');
  }
  expect(fail('ann@example.com', 10)).toBeUndefined();
  expect(fail('ann@example.com')).toBe(60);
});

test('the wait is not longer when the clock is set back', () => {
  const { clock, fail } = throttle();
  fail('ann@example.com', 10);
  clock.now -= 24 * 60 * minute;
  expect(fail('ann@example.com')).toBe(60);
});

test('a flood of emails does not reset an email without attempts', () => {
  const { fail } = throttle(100);
  fail('ann@example.com', 10);
  for (let count = 0; count < 1000; count += 1) fail(`guess-${count}@example.com`);
  expect(fail('ann@example.com')).toBe(60);
});

test('a full throttle forgets the email with the most attempts left', () => {
  const { fail } = throttle(100);
  for (let count = 0; count < 101; count += 1) fail(`guess-${count}@example.com`, count === 0 ? 1 : 2);
  // The first email had the most attempts left, so it was forgotten and has ten again.
  expect(fail('guess-0@example.com', 10)).toBeUndefined();
  expect(fail('guess-100@example.com', 9)).toBe(60);
});

async function attackedPriya() {
  const service = await demoServiceForTest();
  const post = async (browser: Client, email: string, secret: string): Promise<Page> => {
    const page = await browser.get('/admin');
    return browser.once(page.url.href, { method: 'POST', body: new URLSearchParams({ email, password: secret }) });
  };
  const known = client(service);
  expect((await post(known, at('priya'), password)).status).toBe(303);
  const attack = async () => {
    for (let count = 0; count < 11; count += 1) await post(client(service), at('priya'), 'wrong');
    expect((await post(client(service), at('priya'), password)).status).toBe(429);
  };
  return { service, known, post, attack };
}

test('wrong passwords of strangers do not lock out a browser that the person signed in with', async () => {
  const { known, post, attack } = await attackedPriya();
  await attack();
  expect((await post(known, at('PRIYA'), password)).status).toBe(303);
});

test('wrong passwords in such a browser are limited as well, and lock out no other', async () => {
  const { service, known, post } = await attackedPriya();
  const other = client(service);
  await post(other, at('priya'), password);
  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) statuses.push((await post(known, at('priya'), 'wrong')).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  expect((await post(other, at('priya'), password)).status).toBe(303);
  expect((await post(client(service), at('priya'), password)).status).toBe(303);
});

test('such a browser is not known to other people, and the cookie of a browser cannot be given to another person', async () => {
  const { service, known, post, attack } = await attackedPriya();
  await attack();
  const mei = client(service);
  await post(mei, at('mei'), password);
  expect((await post(mei, at('priya'), password)).status).toBe(429);
  const names = (browser: Client) => [...browser.cookies.keys()].filter((name) => name.startsWith('known-')).sort();
  for (const [index, name] of names(known).entries())
    mei.cookies.set(name, mei.cookies.get(names(mei)[index] ?? '') ?? '');
  expect((await post(mei, at('priya'), password)).status).toBe(429);
});

test('a new password ends it, and so does a change of its cookie', async () => {
  const { service, known, post, attack } = await attackedPriya();
  const changed = client(service);
  await post(changed, at('priya'), password);
  for (const [name, value] of changed.cookies)
    if (/^known-\w+$/.test(name))
      changed.cookies.set(
        name,
        value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      );
  await attack();
  expect((await post(changed, at('priya'), password)).status).toBe(429);
  await service.context.store.people.setPassword(at('priya'), 'another horse');
  expect((await post(known, at('priya'), 'another horse')).status).toBe(429);
});
