import { afterAll, expect, test } from 'vitest';
import { runsBefore } from '../harness/testing/history.ts';
import { accessibilityOf, brokenTarget, DESKTOP, PHONE, STYLES, startReader } from './testing/browser.ts';
import { number } from './testing/report-page.ts';

const report = await brokenTarget();
const reader = await startReader();
afterAll(() => reader.close());

const conforms = { ending: 'conforms', requirements: { pass: 40, observed: 3 }, causes: [] } as const;
const lost = {
  ending: 'inconclusive',
  requirements: { pass: 31, inconclusive: 9 },
  durationMs: null,
  latency: [],
} as const;
const missing = { ending: 'incomplete', requirements: { pass: 38, 'not-testable': 4, warn: 1 } } as const;
const runs = runsBefore(report, Array.from({ length: 11 }, () => [conforms, lost, missing, {}]).flat());
const address = reader.write(report, 'with-history', runs);

test.each([
  ['on a desktop', { colorScheme: 'light', viewport: DESKTOP }],
  ['in dark colours on a phone', { colorScheme: 'dark', viewport: PHONE }],
  ['without scripts', { javaScriptEnabled: false, viewport: DESKTOP }],
] as const)('the trend of a report shows a bar for each run %s, and fits the screen', async (_name, options) => {
  const { page, complaints, close } = await reader.visit(address, options);
  const trend = page.locator('#trend');
  const [picture] = await trend.locator('svg').all();
  expect(await picture?.locator('g').count()).toBe(runs.length + 1);
  const bars = (await picture?.locator('rect[data-verdict]').all()) ?? [];
  for (const bar of bars) {
    const box = await bar.boundingBox();
    expect(box?.height).toBeGreaterThan(1);
    expect(box?.width).toBeGreaterThan(1);
  }
  await trend.locator('summary').click();
  expect(await trend.locator('tbody tr').count()).toBe(runs.length + 1);
  expect(await trend.locator('tbody tr').first().textContent()).toContain(`${report.run}, this run`);
  expect(complaints).toEqual([]);
  if (!('javaScriptEnabled' in options))
    expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await close();
});

test.each(STYLES)('the trend of a report passes axe %s', async (_name, options) => {
  const { page, close } = await reader.visit(address, options);
  await page.locator('#trend summary').click();
  expect((await accessibilityOf(page, '#trend')).violations).toEqual([]);
  await close();
});
