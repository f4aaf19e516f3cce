import { afterAll, expect, test } from 'vitest';
import type { Report } from '../harness/report/report.ts';
import { brokenTarget, PHONE, startReader } from './testing/browser.ts';
import { number } from './testing/report-page.ts';

const report = await brokenTarget();
const reader = await startReader();
afterAll(() => reader.close());

/** Everything was tried in part. */
const inPart: Report = {
  ...report,
  varied: report.varied.map((one) => ({
    ...one,
    tried: one.known - 1,
    why: 'the others name what is not set, or are no variation of this request',
  })),
  notTried: [
    {
      what: 'checks',
      count: 1,
      checks: ['optional-fields'],
      reason: 'not-applicable: this contract has no private documents',
      requirements: report.requirements.map(({ id }) => id),
    },
  ],
};

/** What scrolls sideways, and neither says what it is nor takes the keyboard. */
const HIDDEN = `[...document.querySelectorAll('.scroll:not([tabindex="0"][aria-label])')].flatMap((one) =>
  one.scrollWidth > one.clientWidth
    ? [one.closest('section').id + ': ' + one.scrollWidth + ' of ' + one.clientWidth]
    : [])`;

test.each([320, 360, 480, 560, 700, 768, 1024, 1400])(
  'at a width of %d px the report hides nothing beside the screen or a table',
  async (width) => {
    const { page, close } = await reader.visit(reader.write(inPart, 'in-part'), { viewport: { width, height: 800 } });
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    expect(await page.evaluate<string[]>(HIDDEN)).toEqual([]);
    expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await close();
  },
);

test('text from a target stays on a phone, however long a word of it is', async () => {
  const trouble = ['3 requests got no answer (no usable answer (UND_ERR_RES_CONTENT_LENGTH_MISMATCH))'];
  const { page, close } = await reader.visit(reader.write({ ...report, trouble }, 'long'), { viewport: PHONE });
  expect(await number(page, 'document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await close();
});
