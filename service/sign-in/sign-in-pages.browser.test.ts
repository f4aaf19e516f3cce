import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import {
  accessibilityOf,
  consoleMessagesOf,
  desktop,
  launchBrowser,
  overflowWidth,
  phone,
  screenshot,
} from '../testing/browser.ts';
import { at, demoService, password } from '../testing/client.ts';
import { redirectUri, type StockClient, stockClient } from '../testing/stock-client.ts';

let service: RunningService;
let browser: Browser;
let client: StockClient;
beforeAll(async () => {
  service = await demoService();
  browser = await launchBrowser();
  client = await stockClient(service.apiUrl, { client_name: 'Notes & <b>Queries</b>' });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Opens the sign-in page of a stock client in a new browser context. */
async function signInPage(options: BrowserContextOptions = {}, scope = 'SEARCH CHAT DOCUMENTS') {
  const context = await browser.newContext({ viewport: desktop, ...options });
  const page = await context.newPage();
  const consoleMessages = consoleMessagesOf(page);
  const begun = await client.begin(scope);
  await page.goto(begun.url.href);
  return { page, begun, consoleMessages, close: () => context.close() };
}

async function signIn(page: Page, secret = password, name = 'priya'): Promise<void> {
  await page.getByLabel('Email').fill(at(name));
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Returns the redirect to the client. Nothing listens there. */
async function redirectAfter(page: Page, decision: 'Allow' | 'Deny'): Promise<URL> {
  const redirect = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  await page.getByRole('button', { name: decision }).click();
  return new URL((await redirect).url());
}

describe('signing in for a client', () => {
  test('names the client, takes email and password, asks for consent and redirects with a code', async () => {
    const { page, begun, consoleMessages, close } = await signInPage();
    expect(await page.locator('main').textContent()).toContain('to continue to Notes & <b>Queries</b>');
    await screenshot(page, 'sign-in');
    await signIn(page);
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    const text = await page.locator('main').textContent();
    for (const part of ['Notes & <b>Queries</b>', 'Priya Nair', at('priya'), 'SEARCH', 'Chat and conversations'])
      expect(text).toContain(part);
    expect(text).toContain(new URL(redirectUri).host);
    await screenshot(page, 'consent');
    expect(consoleMessages).toEqual([]);
    const tokens = await client.redeem(await redirectAfter(page, 'Allow'), begun);
    expect(await client.post('/rest/api/v1/search', tokens, { query: 'travel' })).toHaveProperty('results');
    await close();
  });

  test('shows the email and the reason after a wrong password', async () => {
    const { page, close } = await signInPage();
    await signIn(page, 'wrong');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(at('priya'));
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await page.locator('#password:focus').waitFor();
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await screenshot(page, 'sign-in-wrong');
    await close();
  });

  test('shows how long to wait after too many wrong passwords', async () => {
    const { page, close } = await signInPage();
    for (let count = 0; count < 11; count += 1) {
      await signIn(page, 'wrong', 'tomas');
      await page.getByRole('alert').waitFor();
    }
    expect(await page.getByRole('alert').textContent()).toMatch(/too many attempts .* Wait \d+ seconds/);
    expect((await accessibilityOf(page)).violations).toEqual([]);
    await screenshot(page, 'sign-in-too-often');
    await close();
  });

  test('works with the keyboard alone, and access can be denied', async () => {
    const { page, close } = await signInPage();
    // The browser sets the focus with the first frame, which may come after the page has loaded.
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(at('priya'));
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    expect((await redirectAfter(page, 'Deny')).searchParams.get('error')).toBe('access_denied');
    await close();
  });
});

// No style depends on both the colours and the width, so that two visits show every style.
describe.each([
  ['light', { colorScheme: 'light' }],
  ['phone-dark', { viewport: phone, colorScheme: 'dark' }],
] satisfies [string, BrowserContextOptions][])('every page (%s)', (name, options) => {
  test('has no accessibility violations and fits the width of the window', async () => {
    const { page, close } = await signInPage(options, 'SEARCH CHAT DOCUMENTS INSIGHTS DOCPERMISSIONS');
    const looksRight = async (what: string) => {
      const { passes, violations } = await accessibilityOf(page);
      expect(violations).toEqual([]);
      expect(passes).toBeGreaterThan(10);
      expect(await overflowWidth(page)).toBeLessThanOrEqual(0);
      await screenshot(page, `${what}-${name}`);
    };
    await looksRight('sign-in');
    await signIn(page);
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    await looksRight('consent');
    await page.goto(`${service.authorizationServerUrl}/auth?client_id=nobody`);
    await page.getByRole('heading', { name: 'This did not work' }).waitFor();
    await looksRight('error');
    await close();
  });
});
