import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { accessibilityOf, launchBrowser, screenshot, signInWithBrowser } from '../testing/browser.ts';
import { at, demoService, personNamed } from '../testing/client.ts';

let service: RunningService;
let browser: Browser;
beforeAll(async () => {
  service = await demoService();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const signInAs = (name: string, options?: BrowserContextOptions) => signInWithBrowser(browser, service, name, options);
const create = (page: Page) => page.getByRole('button', { name: 'Create token' }).click();
const secretOf = async (page: Page) => (await page.locator('#secret').textContent()) ?? '';

// A string, because the types of this package have no DOM.
const ticked = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[name="scopes"]:checked')].map((box) => box.value)`);

const run = promisify(execFile);
/** Runs a command in a shell and returns its output. */
const paste = async (command: string) => (await run('sh', ['-c', command], { timeout: 20_000 })).stdout;

describe('creating a token', () => {
  test('needs a description and a suggested set, and the shown command gets 200', async () => {
    const { page, consoleMessages, close } = await signInAs('grace');
    await page.getByRole('link', { name: 'Create token' }).click();
    expect(await page.getByRole('radio', { name: 'USER' }).isChecked()).toBe(true);
    expect(await page.locator('[name="scopes"]').count()).toBe(19);
    await page.getByLabel('Description').fill('Search box of the intranet');
    await page.getByRole('button', { name: 'Search application' }).click();
    expect(await ticked(page)).toEqual(['DOCUMENTS', 'SEARCH']);
    await screenshot(page, 'new');
    await create(page);
    await page.getByRole('heading', { name: 'Token created' }).waitFor();
    const secret = await secretOf(page);
    expect(secret).toMatch(/^svc_[\w-]{43}$/);
    await screenshot(page, 'created');
    const output = await paste((await page.locator('#curl').textContent()) ?? '');
    expect(output).toMatch(/^HTTP\/1\.1 200 /);
    expect(output).toContain('Travel policy');

    await page.reload();
    expect(await page.content()).not.toContain(secret.slice(4));
    expect(await page.locator('main').textContent()).toContain('cannot be shown again');
    await screenshot(page, 'token');
    await page.goBack();
    await page.goForward();
    expect(await page.content()).not.toContain(secret.slice(4));
    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    const row = page.getByRole('row', { name: /Search box of the intranet/ });
    expect(await row.textContent()).toContain('Active');
    expect(await row.locator('time').count()).toBe(1);
    expect(await page.content()).not.toContain(secret.slice(4));
    await screenshot(page, 'list');
    expect(consoleMessages).toEqual([]);
    await close();
  });

  test('with GLOBAL hides the user, and the shown command acts as the creator', async () => {
    const { page, close } = await signInAs('grace');
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    await page.getByLabel('Description').fill('Chat of the intranet');
    await page.getByRole('radio', { name: 'GLOBAL' }).check();
    expect(await page.getByLabel('User email').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Chat integration' }).click();
    await create(page);
    const command = (await page.locator('#curl').textContent()) ?? '';
    expect(command).toContain(`X-Service-ActAs: ${at('grace')}`);
    expect(await paste(command)).toMatch(/^HTTP\/1\.1 200 /);
    await close();
  });

  test('with MCP shows a line that connects an MCP client', async () => {
    const { page, consoleMessages, close } = await signInAs('mei');
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    await page.getByLabel('Description').fill('My editor');
    for (const name of ['MCP', 'SEARCH']) await page.getByRole('checkbox', { name }).check();
    await page.getByText('What is MCP for?').click();
    const address = JSON.parse((await page.locator('#mcp-sign-in').textContent()) ?? '');
    expect(address.mcpServers['client-api']).toEqual({ type: 'http', url: `${service.apiUrl}/mcp` });
    await screenshot(page, 'new-mcp');
    await create(page);
    const { url, headers } = JSON.parse((await page.locator('#mcp').textContent()) ?? '').mcpServers['client-api'];
    const client = new Client({ name: 'editor', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const found = await client.callTool({ name: 'search', arguments: { query: 'travel' } });
    expect(JSON.stringify(found.structuredContent)).toContain('Travel policy');
    await client.close();
    expect(consoleMessages).toEqual([]);
    await close();
  });

  test('works with the keyboard alone, and Enter creates the token', async () => {
    const { page, close } = await signInAs('mei');
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Description').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Search application');
    await page.keyboard.press('Enter');
    expect(await page.locator('[name="scopes"]:checked').count()).toBe(2);
    await page.getByLabel('Description').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Token created' }).waitFor();
    await close();
  });

  test('works without scripts', async () => {
    const { page, close } = await signInAs('mei', { javaScriptEnabled: false });
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    await page.getByLabel('Description').fill('Without scripts');
    await page.getByRole('button', { name: 'Analytics dashboard' }).click();
    expect(await page.locator('[name="scopes"]:checked').count()).toBe(2);
    expect(await page.getByLabel('Description').inputValue()).toBe('Without scripts');
    await page.getByLabel('Expires').fill('2099-12-31');
    await create(page);
    expect(await secretOf(page)).toMatch(/^svc_/);
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    expect(await page.locator('main').textContent()).toContain('at the end of 31 Dec 2099');
    await close();
  });

  test('is refused to an Admin for another user, even with a changed form', async () => {
    const { page, close } = await signInAs('tomas');
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    expect(await page.getByRole('radio', { name: 'GLOBAL' }).isDisabled()).toBe(true);
    await page.getByLabel('Description').fill('Not mine');
    await page.getByRole('button', { name: 'Search application' }).click();
    await page.evaluate('document.querySelector("#userEmail").readOnly = false');
    await page.getByLabel('User email').fill(at('grace'));
    await create(page);
    expect(await page.getByRole('alert').textContent()).toContain('You may create tokens for yourself only');
    // The browser sets the focus with the first frame, which may come after the text is found.
    await page.locator('#problems:focus').waitFor();
    await screenshot(page, 'refused');
    expect((await accessibilityOf(page)).violations).toEqual([]);
    const { tokens } = await service.context.store.tokenList.read(await personNamed(service, 'grace'), {
      words: 'mine',
      page: 1,
    });
    expect(tokens).toEqual([]);
    await close();
  });

  test('ends with a page that copies the secret with one click', async () => {
    const { page, close } = await signInAs('mei', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${service.apiUrl}/admin/tokens/new`);
    await page.getByLabel('Description').fill('To be copied');
    await page.getByRole('button', { name: 'Search application' }).click();
    await create(page);
    await page.getByRole('button', { name: 'Copy secret' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await secretOf(page));
    await close();
  });
});

test('a token is found with the filter, revoked after a confirmation, and then gets 401', async () => {
  const { page, close } = await signInAs('grace');
  await page.goto(`${service.apiUrl}/admin/tokens/new`);
  await page.getByLabel('Description').fill('Short-lived script');
  await page.getByLabel('User email').fill(at('jonas'));
  await page.getByRole('checkbox', { name: 'SEARCH' }).check();
  await create(page);
  const command = (await page.locator('#curl').textContent()) ?? '';
  expect(await paste(command)).toMatch(/^HTTP\/1\.1 200 /);
  await page.getByRole('link', { name: 'Tokens', exact: true }).click();
  await page.getByLabel('Find').fill('jonas');
  await page.getByRole('button', { name: 'Filter' }).click();
  expect(await page.locator('tbody tr').count()).toBe(1);
  await page.getByRole('link', { name: 'Short-lived script' }).click();
  await page.getByRole('link', { name: 'Revoke' }).click();
  await screenshot(page, 'revoke');
  await page.getByRole('link', { name: 'Keep it' }).click();
  expect(await paste(command)).toMatch(/^HTTP\/1\.1 200 /);
  await page.getByRole('link', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke this token' }).click();
  expect(await page.locator('.badge').textContent()).toBe('Revoked');
  expect(await paste(command)).toMatch(/^HTTP\/1\.1 401 /);
  await page.goto(`${service.apiUrl}/admin?state=revoked`);
  expect(await page.locator('tbody tr').first().textContent()).toContain('Short-lived script');
  await page.getByRole('link', { name: 'Audit trail' }).click();
  expect(await page.locator('.events li').first().textContent()).toContain(
    `${at('grace')} revoked the token Short-lived script`,
  );
  await close();
});
