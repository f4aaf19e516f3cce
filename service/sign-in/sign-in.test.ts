import { describe, expect, test, vi } from 'vitest';
import type { Page } from '../embedded/browser.ts';
import { at, client, demoServiceForTest, password, signedIn } from '../testing/client.ts';

async function signInForm() {
  const clock = { ahead: 0 };
  const service = await demoServiceForTest(() => Date.now() + clock.ahead);
  /** A sign-in page of its own, where passwords are sent. */
  const openPage = async () => {
    const browser = client(service);
    const form = await browser.get('/admin');
    return (email: string, secret: string): Promise<Page> =>
      browser.once(form.url.href, { method: 'POST', body: new URLSearchParams({ email, password: secret }) });
  };
  const attempt = async (email: string, secret: string) => (await openPage())(email, secret);
  const fail = async (email: string, times: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < times; count += 1) statuses.push((await attempt(email, `guess ${count} of it`)).status);
    return statuses;
  };
  return { service, clock, openPage, attempt, fail };
}

describe('after ten wrong passwords', () => {
  test('even the right password is refused for a minute, and the page says so', async () => {
    const { clock, attempt, fail } = await signInForm();
    expect(await fail(at('priya'), 11)).toEqual([...Array(10).fill(401), 429]);
    const refused = await attempt(at('priya').toUpperCase(), password);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.text).toContain(`too many attempts with this email. Wait ${wait} seconds, then try again.`);
    clock.ahead += wait * 1000;
    expect((await attempt(at('priya'), password)).status).toBe(303);
  });

  test('other people can sign in, and that does not lift the limit', async () => {
    const { service, attempt, fail } = await signInForm();
    await fail(at('priya'), 10);
    expect((await signedIn(service, 'mei')).page.status).toBe(200);
    expect((await attempt(at('priya'), password)).status).toBe(429);
  });

  test('the answer for an unknown email is the same', async () => {
    const { attempt, fail } = await signInForm();
    expect(await fail('nobody@alder-finch.example', 11)).toEqual([...Array(10).fill(401), 429]);
    const [nobody, somebody] = ['nobody@alder-finch.example', at('priya')];
    await fail(somebody, 10);
    const texts = await Promise.all(
      [nobody, somebody].map(async (email) => (await attempt(email, 'x')).text.replace(email, '')),
    );
    const [forNobody = '', forSomebody] = texts.map((text) => text.replace(/Wait \d+/, ''));
    expect(forSomebody).toBe(forNobody);
    expect(forNobody).toContain('too many attempts');
  });

  test('parallel attempts are limited too', async () => {
    const { attempt } = await signInForm();
    const answers = await Promise.all(Array.from({ length: 15 }, () => attempt(at('priya'), 'guess')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });
});

test('successful sign-ins are not limited', async () => {
  const { service } = await signInForm();
  for (let count = 0; count < 12; count += 1) expect((await signedIn(service, 'mei')).page.status).toBe(200);
});

test('the audit trail has failed sign-ins, without the text that was typed', async () => {
  const { service, fail } = await signInForm();
  await fail(at('priya'), 1);
  await fail('swordfish', 1);
  const grace = await signedIn(service, 'grace');
  // The failure is recorded after the answer, so the test waits for it.
  const trail = await vi.waitUntil(
    async () => {
      const { text } = await grace.get('/admin/audit');
      return text.includes(`A sign-in as ${at('priya')} failed`) && text;
    },
    { timeout: 30_000 },
  );
  expect(trail).not.toMatch(/guess 0 of it|swordfish/);
});

describe('one sign-in page', () => {
  test('takes ten wrong passwords, whatever the emails are', async () => {
    const { openPage, attempt } = await signInForm();
    const onePage = await openPage();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await onePage(`${count}@example.com`, 'x')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const refused = await onePage(at('priya'), password);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('too many attempts on this page');
    expect((await attempt(at('priya'), password)).status).toBe(303);
  });
});

test('when too many passwords wait to be checked, the page says so, and the attempt does not count', async () => {
  const { service, attempt } = await signInForm();
  const { people } = service.context.store;
  const busy = vi.spyOn(people, 'signIn').mockResolvedValue({ kind: 'busy' });
  for (let count = 0; count < 11; count += 1) {
    const { status, headers, text } = await attempt(at('priya'), password);
    expect({ status, wait: headers.get('retry-after') }).toEqual({ status: 503, wait: '5' });
    expect(text).toContain('Too many people are signing in');
  }
  busy.mockRestore();
  expect((await attempt(at('priya'), password)).status).toBe(303);
});
