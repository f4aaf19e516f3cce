import { expect, test } from 'vitest';
import { type Answer, at, type Client, client, demoServiceForTest, password } from '../testing/client.ts';

async function attackedPriya() {
  const service = await demoServiceForTest();
  const post = async (browser: Client, email: string, secret: string): Promise<Answer> => {
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
