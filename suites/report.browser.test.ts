import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { amount, counted } from '../harness/contract/amounts.ts';
import { hostileReport } from '../harness/testing/report.ts';
import { accessibilityOf, brokenTarget, DESKTOP, STYLES, startReader } from './testing/browser.ts';
import { FAILING, focused, found, number, rows, shown } from './testing/report-page.ts';

/** The inside of the margins of a sheet of A4, in CSS pixels. */
const A4 = { width: 688, height: 1017 };

const report = await brokenTarget();
const reader = await startReader();
afterAll(() => reader.close());
const address = reader.write(report, 'broken');

async function press(page: Page, key: string, until: string, most = 60): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    await page.keyboard.press(key);
    if (await focused(page, until)) return;
  }
  throw new Error(`wanted the focus on ${until}, but it was not there after pressing ${key} ${most} times`);
}

describe('report.html in a browser', () => {
  test('opens from a file without network access and without violating its own content security policy', async () => {
    const { page, complaints, requests, close } = await reader.visit(address);
    await page.locator('.cell').first().click();
    await page.locator('.copy').first().click();
    expect(await page.locator('h1').textContent()).toContain('Deviates');
    expect(complaints).toEqual([]);
    expect(requests).toEqual([address]);
    await close();
  });

  test('shows the first cause on the first screen, and its links stay in view', async () => {
    const { page, close } = await reader.visit(address);
    await page.setViewportSize(DESKTOP);
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y;
    expect(await topOf('article.cause h3')).toBeLessThan(DESKTOP.height);
    await page.locator('nav a[href="#limits"]').click();
    expect(await topOf('nav')).toBe(0);
    expect(await topOf('#limits h2')).toBeGreaterThan(0);
    await close();
  });

  test('shows a failing cell, its cases and the details of one within three clicks', async () => {
    const { page, close } = await reader.visit(address);
    await page.locator('.cell[data-verdict="fail"]').first().click();
    await rows(page).locator('a', { hasText: FAILING }).first().click();
    const text = await shown(page);
    for (const part of [FAILING, 'Authorization: Bearer ‹$USER_TOKEN_EXPIRED›', 'Wanted401', 'Got200', 'spec 3'])
      expect(text).toContain(part);
    expect(text).toContain('curl -sS -i "$TARGET_BASE_URL');
    await page.getByRole('button', { name: 'back to the matrix' }).click();
    expect(await focused(page, '.cell[data-verdict="fail"]')).toBe(true);
    await close();
  });

  test('links a cause and a requirement to their cases', async () => {
    const { page, close } = await reader.visit(address);
    const [cause] = report.findings;
    await page.locator('a[href="#cause=F1"]').click();
    expect(await found(page)).toBe(`${cause?.cases.length} cases`);
    await page.locator('a[href="#requirement=act-as.missing"]').click();
    expect(await found(page)).toMatch(/^\d+ cases$/);
    expect(await shown(page)).toContain('act-as.missing');
    await close();
  });

  test('filters cases by verdict, operation, token and words', async () => {
    const { page, close } = await reader.visit(address);
    const failing = report.cases.filter(({ verdict }) => verdict === 'fail');
    await page.selectOption('#verdict', 'fail');
    expect(await found(page)).toBe(counted(failing.length, 'case'));
    await page.selectOption('#operation', 'chat');
    expect(await found(page)).toBe(counted(failing.filter(({ id }) => id.startsWith('chat/')).length, 'case'));
    await page.selectOption('#verdict', '');
    await page.selectOption('#kind', 'GLOBAL');
    await page.fill('#search', 'act-as:blank Identity');
    for (const id of await rows(page).locator('.id').allTextContents())
      expect(id).toMatch(/^chat\/GLOBAL\/.*act-as:blank/);
    await page.fill('#search', 'no such words anywhere');
    expect(await found(page)).toBe('No cases match.');
    await close();
  });

  test('shows beside each case the request and the response, as far as they are recorded', async () => {
    const passing = 'search/USER/valid/only:CHAT/act-as:absent/auth-type:absent';
    const { page, close } = await reader.visit(`${address}#case=${passing}`);
    const sent = await page.locator('#case .request').textContent();
    expect(sent).toMatch(/^POST \/rest\/api\/v1\/search\nAuthorization: Bearer ‹\$USER_TOKEN_CHAT›\n/);
    expect(sent).toMatch(/\nContent-Type: application\/json\n\n\{"/);
    expect(await page.locator('#case .response').textContent()).toMatch(
      /^Response after \d+ ms403\nContent-Type: .*\| The token lacks the scope/s,
    );
    await close();
  });

  test('shows the latency of each operation and outcome', async () => {
    const { page, close } = await reader.visit(address);
    const table = await page.locator('#latency tbody').textContent();
    expect(report.latency.map(({ operation, outcome }) => `${operation} ${outcome}`).sort()).toEqual([
      'chat accepted',
      'chat refused',
      'search accepted',
      'search refused',
    ]);
    for (const { slowest } of report.latency) expect(table).toContain(`${amount(slowest)} ms`);
    await close();
  });

  test('can be used with the keyboard alone', async () => {
    const { page, close } = await reader.visit(address);
    await page.keyboard.press('Tab');
    expect(await focused(page, '.skip')).toBe(true);
    await page.keyboard.press('Enter');
    await press(page, 'Tab', '.cell[data-verdict="fail"]');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page, '.cell[href*="kind=GLOBAL"]')).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    expect(await focused(page, '#list li:first-child a[aria-current]')).toBe(true);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page, '#list li:nth-child(2) a')).toBe(true);
    await page.keyboard.press('Enter');
    expect(await focused(page, '#case h3')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await focused(page, '#list li:nth-child(2) a')).toBe(true);
    await press(page, 'Shift+Tab', '#search');
    await page.keyboard.type('only:CHAT');
    expect(await rows(page).first().textContent()).toContain('only:CHAT');
    await close();
  });

  test('shows verdict, causes, picture and requirements without JavaScript', async () => {
    const { page, close } = await reader.visit(address, { javaScriptEnabled: false });
    const text = await page.locator('main').textContent();
    for (const part of ['token.expired', 'curl -sS -i', 'GLOBAL_TOKEN_EXPIRED']) expect(text).toContain(part);
    expect(await page.locator('.cell').count()).toBeGreaterThan(100);
    await close();
  });

  test('prints causes, picture, requirements and folded sections, but no interactive parts', async () => {
    const { page, close } = await reader.visit(address, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    for (const part of ['#causes .cause', '#picture .cell', '#requirements tbody tr', '#excluded td'])
      expect(await page.locator(part).first().isVisible()).toBe(true);
    for (const part of ['#cases', '.copy', 'nav']) expect(await page.locator(part).first().isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe('rgb(31, 30, 27)');
    await close();
  });

  test('prints nothing in one piece that would leave a large part of a page empty', async () => {
    const { page, close } = await reader.visit(address, { viewport: A4 });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    const tall = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')].filter((element) =>
      getComputedStyle(element).breakInside === 'avoid' && element.offsetHeight > ${A4.height / 4}
    ).map(({ className, tagName }) => tagName + ' ' + className)`);
    expect(tall).toEqual([]);
    await close();
  });
});

describe('the accessibility of report.html', () => {
  test.each(STYLES)('passes axe %s', async (_name, options) => {
    const { page, close } = await reader.visit(address, options);
    await page.locator('.cell[data-verdict="fail"]').first().click();
    const { passes, violations } = await accessibilityOf(page);
    expect(passes).toBeGreaterThan(20);
    expect(violations).toEqual([]);
    expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await close();
  });
});

describe('text from a target', () => {
  test('is shown as text in the page and in its list', async () => {
    const { page, complaints, close } = await reader.visit(reader.write(await hostileReport(), 'hostile'));
    await page.selectOption('#verdict', 'fail');
    for (const row of ['isolation/search/USER', FAILING]) {
      await page.fill('#search', row);
      await rows(page).locator('a').first().click();
      expect(await shown(page)).toContain('<script>window.broken');
    }
    expect(await page.locator('#causes').textContent()).toContain('\\u{1b}[31m</script><script>window.broken');
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.evaluate('window.broken')).toBeUndefined();
    expect(complaints).toEqual([]);
    await close();
  });

  test('keeps junit.xml well-formed', async () => {
    reader.write(await hostileReport(), 'hostile');
    const xml = readFileSync(join(reader.folder, 'hostile', 'junit.xml'), 'utf8');
    const { page, close } = await reader.visit(address);
    const parsed = await page.evaluate<{ errors: number; failure: string }>(`(() => {
      const parsed = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
      return { errors: parsed.querySelectorAll('parsererror').length, failure: parsed.querySelector('failure').textContent };
    })()`);
    expect(parsed.errors).toBe(0);
    expect(parsed.failure).toContain('<script>window.broken');
    await close();
  });
});
