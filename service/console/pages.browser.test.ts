import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { scopes } from '../terms/operations.ts';
import {
  accessibilityOf,
  desktop,
  launchBrowser,
  overflowWidth,
  phone,
  screenshot,
  signInWithBrowser,
} from '../testing/browser.ts';
import { at, demoService, password, personNamed } from '../testing/client.ts';
import { redirectUri, stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let browser: Browser;
/** The id of an application that acts for Grace. */
let application: string;
beforeAll(async () => {
  service = await demoService();
  browser = await launchBrowser();
  const uris = ['https://notes.example.com/signed-in', redirectUri];
  const client = await stockClient(service.apiUrl, { client_name: 'Notes & Queries', redirect_uris: uris });
  await client.signIn({ email: at('grace'), password }, scopes.join(' '));
  application = client.client.client_id;
  await stockClient(service.apiUrl, { client_name: `${'A very long name '.repeat(5)}\u05E9\u05DC\u05D5\u05DD` });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

describe('every page of the console', () => {
  // No style depends on both the colours and the width, so that two visits show every style.
  test.each([
    ['light', { colorScheme: 'light', viewport: desktop }],
    ['dark on a phone', { colorScheme: 'dark', viewport: phone }],
  ] as const)('has no accessibility violations and fits the width of the window (%s)', async (name, options) => {
    const { page, consoleMessages, close } = await signInWithBrowser(browser, service, 'grace', options);
    const check = async (what: string) => {
      const { passes, violations } = await accessibilityOf(page);
      expect(violations, what).toEqual([]);
      expect(passes).toBeGreaterThan(10);
      expect(await overflowWidth(page), what).toBeLessThanOrEqual(0);
      await screenshot(page, `${what} ${name}`);
    };
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    await page.getByLabel('Description').fill(`Accessibility: ${name}`);
    await page.getByRole('button', { name: 'Content management' }).click();
    await page.getByRole('checkbox', { name: 'SEARCH' }).check();
    await page.getByLabel('Expires').fill('2099-12-31');
    await check('form');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { name: 'Token created' }).waitFor();
    await check('secret');
    await page.reload();
    await check('one token');
    await page.getByRole('link', { name: 'Revoke' }).click();
    await check('confirmation');
    for (const [what, path] of [
      ['tokens', '/admin'],
      ['nothing found', '/admin?words=nothing-like-that'],
      ['audit trail', '/admin/audit'],
      ['people', '/admin/people'],
      ['removing a person', `/admin/people/${(await personNamed(service, 'jonas')).id}/remove`],
      ['applications', '/admin/applications'],
      ['revoking access', `/admin/applications/${application}/revoke`],
      ['removing an application', `/admin/applications/${application}/remove`],
    ] as const) {
      await page.goto(service.apiUrl + path);
      await check(what);
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await check('signed out');
    expect(consoleMessages).toEqual([]);
    await close();
  });
});
