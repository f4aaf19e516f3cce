import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { counted } from '../harness/contract/amounts.ts';
import { earlierRun, sinceEarlier } from '../harness/report/since.ts';
import { multiplied } from '../harness/testing/report.ts';
import { brokenTarget, startReader } from './testing/browser.ts';
import { FAILING, focused, found, number, rows, shown } from './testing/report-page.ts';

const MANY = 20_000;
const report = await brokenTarget();
const reader = await startReader();
afterAll(() => reader.close());
const address = reader.write(report, 'broken');

/** Where an element begins: 0 is the top of the window, 1 its bottom. */
const topOf = (page: Page, selector: string) =>
  number(page, `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top / innerHeight`);

describe('report.html has an address for', () => {
  const requirement = 'token.expired';
  const cell = '#operation=search&kind=USER&act-as=absent&auth-type=absent';

  test('a case, and shows it although nothing else is chosen', async () => {
    const { page, complaints, close } = await reader.visit(`${address}#case=${FAILING}`);
    expect(await page.locator('#case h3').textContent()).toBe(FAILING);
    expect(await focused(page, '#case h3')).toBe(true);
    expect(await rows(page).locator('a[aria-current] .id').textContent()).toBe(FAILING);
    expect(await topOf(page, '#case h3')).toBeLessThan(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test('the last of 20,000 cases', async () => {
    const many = multiplied(report, MANY);
    const last = many.cases.at(-1)?.id ?? '';
    const { page, close } = await reader.visit(`${reader.write(many, 'many')}#case=${last}`);
    expect(await page.locator('#case h3').textContent()).toBe(last);
    await expect.poll(() => rows(page).locator('a[aria-current] .id').textContent()).toBe(last);
    await close();
  });

  test('a cell, which the field and the words above the list say as well', async () => {
    const { page, close } = await reader.visit(address + cell);
    const planned = report.cases.filter(({ id }) => /^search\/USER\/.*act-as:absent\/auth-type:absent/.test(id));
    expect(await found(page)).toBe(`${planned.length} cases`);
    expect(await page.inputValue('#kind')).toBe('USER');
    expect(await page.locator('#narrowed').textContent()).toContain('act-as absent, auth-type absent');
    await page.getByRole('button', { name: 'clear all filters' }).click();
    expect(await found(page)).toBe(`${report.cases.length} cases`);
    await close();
  });

  test('a filter', async () => {
    const { page, close } = await reader.visit(`${address}#search=expired&verdict=fail&operation=chat`);
    const failing = report.cases.filter(({ id, verdict }) => verdict === 'fail' && id.startsWith('chat/'));
    expect(await found(page)).toBe(counted(failing.length, 'case'));
    expect(await page.inputValue('#search')).toBe('expired');
    await close();
  });

  test.each([
    ['new', 'chat/USER/'],
    ['still failing', 'search/USER/'],
  ])('what is %s since the earlier run', async (change, unit) => {
    const earlier = { ...earlierRun(report), failing: { 'token.expired search/USER': [] } };
    const file = reader.write({ ...report, since: sinceEarlier(earlier, report) }, 'compared');
    const { page, close } = await reader.visit(`${file}#change=${change.replace(' ', '+')}`);
    const failing = report.cases.filter(({ id, verdict }) => verdict === 'fail' && id.startsWith(unit));
    expect(await found(page)).toBe(counted(failing.length, 'case'));
    expect(await rows(page).first().locator('.time').textContent()).toContain(change);
    await close();
  });

  test('the slowest cases', async () => {
    const { page, close } = await reader.visit(`${address}#order=slowest+first`);
    const slowest = Math.max(...report.cases.map(({ ms = 0 }) => ms));
    expect(await rows(page).first().locator('.time').textContent()).toBe(`${slowest} ms`);
    await close();
  });

  test('the cases of a cause and of a requirement', async () => {
    for (const fragment of ['#cause=F1', `#requirement=${requirement}`]) {
      const { page, close } = await reader.visit(address + fragment);
      expect(await page.locator('#narrowed').textContent()).toContain(fragment.slice(1).replace('=', ' '));
      expect(await shown(page)).toContain(requirement);
      await close();
    }
  });

  test.each(['#F1', `#requirement-${requirement}`])('a part of the page: %s', async (fragment) => {
    const { page, close } = await reader.visit(address);
    await page.locator(`a[href="${fragment}"]`).first().click();
    const top = await topOf(page, fragment.replace('.', '\\.'));
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(1);
    expect(page.url()).toBe(address + fragment);
    await close();
  });

  test('no case of another report, and says so', async () => {
    const { page, close } = await reader.visit(`${address}#case=search/NOBODY/"]<img src=x>`);
    expect(await shown(page)).toBe('This report has no case search/NOBODY/"]<img src=x>.');
    await close();
  });
});

test('report.html says that it lacks a cause of another report, when it opens and while it is open', async () => {
  const { page, close } = await reader.visit(`${address}#F99`);
  expect(await shown(page)).toBe('This report has no F99.');
  expect(await topOf(page, '#case')).toBeLessThan(1);
  await page.goto(`${address}#F98`);
  await expect.poll(() => shown(page)).toBe('This report has no F98.');
  await close();
  const known = await reader.visit(`${address}#F1`);
  expect(await shown(known.page)).not.toContain('This report has no');
  await known.close();
});

test('report.html goes back and forward between what was chosen', async () => {
  const { page, close } = await reader.visit(address);
  await page.locator('.cell[data-verdict="fail"]').first().click();
  const ofCell = await found(page);
  await rows(page).locator('a').nth(1).click();
  const second = await page.locator('#case h3').textContent();
  expect(page.url()).toContain(`case=${second}`);
  await page.selectOption('#verdict', 'pass');
  const passing = await found(page);
  const back = async () => {
    await page.goBack();
    return found(page);
  };
  await expect.poll(back).toBe(ofCell);
  expect(await page.locator('#case h3').textContent()).toBe(second);
  await page.goBack();
  await expect.poll(() => page.locator('#case h3').textContent()).not.toBe(second);
  expect(await found(page)).toBe(ofCell);
  await page.goBack();
  await expect.poll(() => found(page)).toBe(`${report.cases.length} cases`);
  for (const _step of [1, 2, 3]) await page.goForward();
  await expect.poll(() => found(page)).toBe(passing);
  await close();
});

test('report.html follows an address that somebody types into the open page', async () => {
  const { page, close } = await reader.visit(address);
  await page.goto(`${address}#case=${FAILING}`);
  await expect.poll(() => page.locator('#case h3').textContent()).toBe(FAILING);
  expect(await focused(page, '#case h3')).toBe(true);
  await close();
});

test('report.html moves the focus to the search by a slash, but not while somebody types', async () => {
  const { page, close } = await reader.visit(address);
  await page.keyboard.press('/');
  expect(await focused(page, '#search')).toBe(true);
  await page.keyboard.type('act-as:blank/');
  expect(await page.inputValue('#search')).toBe('act-as:blank/');
  await page.locator('#verdict').focus();
  await page.keyboard.press('/');
  expect(await focused(page, '#verdict')).toBe(true);
  await close();
});
