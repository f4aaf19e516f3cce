import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { at, type Client, demoService, password, personNamed, signedIn } from '../testing/client.ts';
import { stockClient, type Tokens } from '../testing/stock-client.ts';

let service: RunningService;
beforeAll(async () => {
  service = await demoService();
});
afterAll(() => service?.close());

const searchPath = '/rest/api/v1/search';

/** An application that acts for these people. */
async function application(client_name: string, ...people: readonly string[]) {
  const client = await stockClient(service.apiUrl, { client_name });
  const tokens: Tokens[] = [];
  for (const name of people) tokens.push(await client.signIn({ email: at(name), password }, 'CHAT SEARCH'));
  const works = (index: number) =>
    client
      .post(searchPath, tokens[index] ?? { accessToken: '', refreshToken: '', scope: '' }, { query: 'travel' })
      .then(
        () => true,
        () => false,
      );
  return { id: client.client.client_id, works };
}

/** Opens a page, so that the form has its CSRF token, and sends the form. */
async function confirm(browser: Client, path: string) {
  await browser.get(path);
  return browser.post(path, {});
}

describe('the page of applications', () => {
  test('lists what a person allows, with the address it returns to, and ends it when they ask', async () => {
    const { id, works } = await application('Notes <i>&</i> more', 'priya', 'mei');
    const priya = await signedIn(service, 'priya', '/admin/applications');
    expect(priya.page.text).toContain('<bdi>Notes &#60;i&#62;&#38;&#60;/i&#62; more</bdi>');
    expect(priya.page.text).toContain('a program on this device (127.0.0.1:53682)');
    expect(priya.page.text).toContain('CHAT, SEARCH');
    expect(priya.page.text).not.toContain('All applications');
    const after = await confirm(priya, `/admin/applications/${id}/revoke`);
    expect(after).toMatchObject({ status: 200, url: { pathname: '/admin/applications' } });
    expect(after.text).toContain('No application acts for you');
    expect([await works(0), await works(1)]).toEqual([false, true]);
    expect((await confirm(priya, `/admin/applications/${id}/revoke`)).status).toBe(404);
  });

  test('lets only a Super Admin remove an application', async () => {
    const { id, works } = await application('Calendar', 'priya');
    for (const name of ['tomas', 'mei', 'priya']) {
      const browser = await signedIn(service, name, '/admin');
      expect((await confirm(browser, `/admin/applications/${id}/remove`)).status).toBe(404);
    }
    expect(await works(0)).toBe(true);
    const grace = await signedIn(service, 'grace', '/admin/applications');
    expect(grace.page.text).toContain('All applications');
    await application('Nobody consented');
    const { text: list } = await grace.get('/admin/applications');
    const rows = list.split('<tr>').filter((row) => /Calendar|Nobody consented/.test(row));
    expect(rows.map((row) => /data-name="People">(\d+)</.exec(row)?.[1])).toEqual(['1', '0']);
    const after = await confirm(grace, `/admin/applications/${id}/remove`);
    expect(after.text).not.toContain('Calendar');
    expect(await works(0)).toBe(false);
    const { text } = await grace.get('/admin/audit');
    expect(text).toContain('grace@alder-finch.example removed the application <b><bdi>Calendar</bdi></b>');
  });
});

describe('a person', () => {
  test('is removed by a Super Admin, after a page that says what ends', async () => {
    const samuel = await personNamed(service, 'samuel');
    const path = `/admin/people/${samuel.id}/remove`;
    for (const name of ['tomas', 'mei', 'priya']) {
      const browser = await signedIn(service, name, '/admin');
      expect((await confirm(browser, path)).status).toBe(403);
    }
    const grace = await signedIn(service, 'grace', path);
    expect(grace.page.text).toContain('This cannot be undone');
    const after = await confirm(grace, path);
    expect(after).toMatchObject({ status: 200, url: { pathname: '/admin/people' } });
    expect(after.text).not.toContain(samuel.email);
    expect((await grace.get('/admin/audit')).text).toContain(`grace@alder-finch.example removed ${samuel.email}`);
  });

  test('does not remove themselves', async () => {
    const { id } = await personNamed(service, 'grace');
    const grace = await signedIn(service, 'grace', '/admin/people');
    expect(grace.page.text).not.toContain(`/admin/people/${id}/remove`);
    expect((await confirm(grace, `/admin/people/${id}/remove`)).status).toBe(403);
    expect((await grace.get('/admin')).status).toBe(200);
  });

  test('is not removed by a form of another session', async () => {
    const { id } = await personNamed(service, 'jonas');
    const grace = await signedIn(service, 'grace', '/admin');
    expect((await grace.post(`/admin/people/${id}/remove`, { csrf: 'x'.repeat(43) })).status).toBe(403);
    expect(await service.context.store.people.findById(id)).toBeDefined();
  });
});
