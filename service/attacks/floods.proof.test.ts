import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { postForm, raw, register, send, statuses, submit } from '../testing/attacker.ts';
import { at, client, demoService, demoServiceForTest, password, personNamed, signedIn } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

let service: RunningService;
beforeAll(async () => {
  service = await demoService();
});
afterAll(() => service?.close());

const formPage = async () => {
  const browser = client(service);
  return { browser, page: await browser.get('/admin') };
};

describe('a large request (ASVS 12.1, 13.2)', () => {
  test.each([
    ['/admin/tokens', 413],
    ['/rest/api/v1/search', 401],
  ])('to %s is refused before it is read', async (path, wanted) => {
    const grace = await signedIn(service, 'grace');
    const { status } = await grace.once(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'x'.repeat(1 << 20),
    });
    expect(status).toBe(wanted);
  });

  test('with a password of nine kilobytes is a refusal and no failure of the server', async () => {
    const { browser, page } = await formPage();
    expect((await submit(browser, page, { email: at('mei'), password: 'x'.repeat(9000) })).status).toBe(413);
    expect((await submit(browser, page, { email: 'x'.repeat(9000), password })).status).toBe(413);
    // The page is still good for the right password.
    expect((await submit(browser, page, { email: at('mei'), password })).headers.get('location')).toContain('code=');
  });

  test.each(['/token', '/reg', '/token/revocation'])('to %s is refused', async (path) => {
    const { status } = await postForm(service, path, { grant_type: 'x'.repeat(100_000) });
    expect(status).toBe(400);
  });

  test.each(['/admin', '/auth', '/rest/api/v1/search'])('with headers of 20 kB to %s gets 431', async (path) => {
    const base = path === '/auth' ? service.authorizationServerUrl : service.apiUrl;
    expect(statuses(await raw(base, `GET ${path} HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`))).toEqual([
      431,
    ]);
  });
});

describe('one request that costs much (ASVS 11.1, CWE-1333)', () => {
  test('a filter of thousands of words is no failure of the console', async () => {
    const grace = await signedIn(service, 'grace');
    expect((await grace.once(`/admin?words=${'a+'.repeat(6000)}`)).status).toBe(200);
    expect((await grace.once(`/admin?${'words=a&'.repeat(1500)}`)).status).toBe(200);
  });

  test('a page number beyond all pages is a page', async () => {
    const grace = await signedIn(service, 'grace');
    for (const page of ['999999', '9007199254740991', '1e308', '-1', '0x10', 'NaN', '1,2'])
      for (const path of ['/admin', '/admin/audit', '/admin/applications'])
        expect((await grace.once(`${path}?page=${page}`)).status).toBe(200);
  });

  test('an email of spaces is answered like any other wrong one', async () => {
    const { browser, page } = await formPage();
    const email = `x${' '.repeat(7000)}x`;
    expect((await submit(browser, page, { email, password: 'x' })).status).toBe(401);
  });

  test('a query of 200 kB counts its first words only', async () => {
    const { store } = service.context;
    const issued = await store.serviceTokens.issue(await personNamed(service, 'grace'), {
      description: 'flood',
      permission: 'USER',
      scopes: ['SEARCH'],
      userEmail: at('grace'),
    });
    const query = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
    const { status } = await send(`${service.apiUrl}/rest/api/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${issued.ok ? issued.secret : ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(status).toBe(200);
  });

  test('a scope, resource or prompt of thousands of values is one refusal', async () => {
    const app = await stockClient(service.apiUrl);
    for (const changes of [
      { scope: 'SEARCH '.repeat(1500).trim() },
      { prompt: 'login '.repeat(1500).trim() },
      { ui_locales: 'en '.repeat(3000).trim() },
    ]) {
      const { url } = await app.begin('SEARCH', changes);
      expect((await send(url.href)).status).toBeLessThan(500);
    }
  });
});

describe('many requests (ASVS 11.1.4)', () => {
  test('of strangers leave one record each at most, and all of them expire', async () => {
    const { store } = service.context;
    const app = await stockClient(service.apiUrl);
    const before = await store.authorization.count();
    for (let count = 0; count < 30; count += 1) await send((await app.begin('SEARCH')).url.href);
    expect((await store.authorization.count()) - before).toBeLessThanOrEqual(30);
  });

  test('of strangers to the token endpoint leave nothing', async () => {
    const { store } = service.context;
    const before = await store.authorization.count();
    for (let count = 0; count < 30; count += 1)
      await postForm(service, '/token', {
        grant_type: 'refresh_token',
        refresh_token: `${count}`,
        client_id: `${count}`,
      });
    expect(await store.authorization.count()).toBe(before);
  });

  test('to register do not stop the clients that are registered', async () => {
    const own = await demoServiceForTest();
    const app = await stockClient(own.apiUrl);
    const answers = await Promise.all(Array.from({ length: 80 }, () => register(own, {})));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(await app.signIn({ email: at('mei'), password }, 'SEARCH')).toHaveProperty('accessToken');
  });

  test('with wrong registrations do not use up the registrations of others', async () => {
    const own = await demoServiceForTest();
    for (let count = 0; count < 80; count += 1) await register(own, { redirect_uris: ['http://attacker.example/'] });
    expect((await register(own, {})).status).toBe(201);
  });
});

describe('guessing (ASVS 2.2.1)', () => {
  test('the limit for one email counts every spelling of it and every address in a header', async () => {
    const own = await demoServiceForTest();
    const statusesOf: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const browser = client(own);
      const email = [at('mei').toUpperCase(), ` ${at('mei')}`, `${at('mei')}\t`, `\r\n${at('mei')} `][count % 4] ?? '';
      const headers = { 'x-forwarded-for': `10.0.0.${count}`, forwarded: `for=10.0.0.${count}` };
      const page = await browser.get('/admin');
      const body = new URLSearchParams({ email, password: 'x' });
      statusesOf.push((await browser.once(page.url.href, { method: 'POST', body, headers })).status);
    }
    expect(statusesOf).toEqual([...Array(10).fill(401), 429, 429]);
  });

  test('a successful sign-in of the attacker does not restore the attempts of another person', async () => {
    const own = await demoServiceForTest();
    const tryIt = async (email: string, secret: string) => {
      const browser = client(own);
      return (await submit(browser, await browser.get('/admin'), { email, password: secret })).status;
    };
    for (let count = 0; count < 10; count += 1) {
      await tryIt(at('grace'), 'x');
      await tryIt(at('mei'), password);
    }
    expect(await tryIt(at('grace'), password)).toBe(429);
  });

  test('a refused sign-in says the same for a person, a stranger, and a person without a password (ASVS 2.2, 3.1)', async () => {
    const { store } = service.context;
    await store.people.add({ email: 'nopass@alder-finch.example', name: 'No', role: 'user' });
    const answers: string[] = [];
    for (const email of [at('priya'), 'stranger@alder-finch.example', 'nopass@alder-finch.example']) {
      const { browser, page } = await formPage();
      const { status, text, headers } = await submit(browser, page, { email, password: 'x' });
      const names = [...headers].filter(([name]) => name !== 'date');
      answers.push(JSON.stringify([status, text.replaceAll(email, ''), names]));
    }
    expect(new Set(answers).size).toBe(1);
  });

  test('an empty password, or the text of a stored hash, signs nobody in', async () => {
    for (const secret of ['', ' ', 'null', 'undefined', '$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA']) {
      const { browser, page } = await formPage();
      expect((await submit(browser, page, { email: 'nopass@alder-finch.example', password: secret })).status).toBe(401);
    }
  });
});
