import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { makeStatement, type Statement } from '../harness/statement/statement.ts';
import { renderStatement } from '../harness/statement/statement-page.ts';
import { BASELINE, HOSTILE, hostileReport } from '../harness/testing/report.ts';
import { accessibilityOf, brokenTarget, STYLES, startReader } from './testing/browser.ts';

const FILES = { 'journal.ndjson': 'a'.repeat(64), 'report.json': 'b'.repeat(64) };
const broken = makeStatement(await brokenTarget(), FILES);
const reader = await startReader();
afterAll(() => reader.close());

/** The address of the page of a statement. */
function addressOf(statement: Statement, name: string): string {
  const file = join(reader.folder, `${name}.html`);
  writeFileSync(file, renderStatement(statement));
  return pathToFileURL(file).href;
}

/** The statement of a run in which everything that can be long is long. */
function longest(statement: Statement): Statement {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 40 }, (_, index) => make(index));
  const long = 'A long sentence about what was found in this place. '.repeat(10);
  const names = many((index) => `authorization-server.registration-scope-${index}`);
  const entry = {
    list: 'gap',
    reason: long,
    review: '2027-01-31',
    overdue: true,
    standing: 'occurs',
    covers: 1,
  } as const;
  return {
    ...statement,
    target: `https://staging.example.com/${'path/'.repeat(40)}`,
    run: 'r'.repeat(200),
    narrowed: long,
    stopped: long,
    requirements: Object.fromEntries(Object.keys(statement.requirements).map((verdict) => [verdict, names])) as never,
    causes: many((index) => ({
      id: `F${index}`,
      verdict: 'fail',
      requirements: names,
      text: long,
      where: long,
      got: long,
      listed: true,
    })),
    undecided: many(() => ({
      reason: long,
      status: 'inconclusive',
      accepted: false,
      requirements: names,
      units: names,
    })),
    notTried: many(() => ({ what: 'checks', reason: long, count: 40, checks: names, requirements: names })),
    baseline: { today: '2026-11-22', entries: many(() => ({ ...entry, names: long })) },
    restsOnWord: names,
    freedoms: many((index) => ({ freedom: `freedom ${index} of many`, choice: long })),
    embedded: true,
  };
}

describe('statement.html in a browser', () => {
  test('opens from a file without network access and without violating its own content security policy', async () => {
    const address = addressOf(broken, 'statement');
    const { page, complaints, requests, close } = await reader.visit(address);
    expect(await page.locator('h1').textContent()).toContain('Deviates');
    expect(complaints).toEqual([]);
    expect(requests).toEqual([address]);
    await close();
  });

  test.each(['A4', 'Letter'])('is one page of %s, also if everything in it is long', async (format) => {
    for (const [name, statement] of [
      ['short', broken],
      ['long', longest(broken)],
    ] as const) {
      const { page, close } = await reader.visit(addressOf(statement, name));
      const printed = (await page.pdf({ format })).toString('latin1');
      expect([name, printed.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([name, 1]);
      await close();
    }
  });

  test('shows text of a target and of a baseline as text', async () => {
    const changes = { GLOBAL_TOKEN_EXPIRED: undefined, GLOBAL_TOKEN_EXPIRED_UNSCOPED: undefined };
    const report = await hostileReport({ changes, decisions: [], baseline: BASELINE });
    const statement = { ...makeStatement(report, FILES), target: HOSTILE, run: HOSTILE };
    const { page, complaints, close } = await reader.visit(addressOf(statement, 'hostile'));
    expect(await page.locator('header').textContent()).toContain('\\u{1b}[31m</script><script>');
    expect(await page.locator('script, img').count()).toBe(0);
    expect(await page.evaluate('window.broken')).toBeUndefined();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the accessibility of statement.html', () => {
  test.each(STYLES)('passes axe %s', async (_name, options) => {
    const { page, close } = await reader.visit(addressOf(longest(broken), 'axe'), options);
    const { passes, violations } = await accessibilityOf(page);
    expect(passes).toBeGreaterThan(12);
    expect(violations).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await close();
  });
});
