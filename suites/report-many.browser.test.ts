import { afterAll, expect, test } from 'vitest';
import { multiplied } from '../harness/testing/report.ts';
import { brokenTarget, startReader } from './testing/browser.ts';
import { found, number, rows } from './testing/report-page.ts';

const MANY = 20_000;
const report = multiplied(await brokenTarget(), MANY);
const reader = await startReader();
afterAll(() => reader.close());
const address = reader.write(report, 'many');

test('report.html has only the visible cases in the document while a list of 20,000 scrolls', async () => {
  const { page, close } = await reader.visit(address);
  const nodes = () => number(page, 'document.querySelectorAll("*").length');
  expect(await found(page)).toBe('20,000 cases');
  const before = await nodes();
  expect(before).toBeLessThan(5_000);
  await rows(page).locator('a').first().focus();
  await page.keyboard.press('End');
  await expect.poll(() => rows(page).last().getAttribute('aria-posinset')).toBe(String(MANY));
  expect(await rows(page).count()).toBeLessThan(60);
  await page.keyboard.press('Home');
  await page.locator('#window').hover();
  await page.mouse.wheel(0, 400_000);
  // waitForFunction evaluates a string in the page, which the content security policy of the page forbids.
  const first = () => rows(page).first().getAttribute('aria-posinset');
  await expect.poll(async () => Number(await first())).toBeGreaterThan(1000);
  expect(Math.abs((await nodes()) - before)).toBeLessThan(200);
  await close();
});

test('report.html reaches the last of 20,000 cases with End, also after the text grew', async () => {
  const { page, close } = await reader.visit(address);
  await rows(page).locator('a').first().focus();
  await page.evaluate('document.documentElement.style.fontSize = "150%"');
  await page.keyboard.press('End');
  await expect.poll(() => rows(page).last().getAttribute('aria-posinset')).toBe(String(MANY));
  await close();
});
