import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../harness/contract/load-contract.ts';
import { ownContract } from '../harness/contract/package-files.ts';
import { readBaseline } from '../harness/judge/read-baseline.ts';
import { renderHtml } from '../harness/render/page/page.ts';
import { renderHistory, renderSideBySide, renderSince } from '../harness/render/terminal-history.ts';
import { readOrSetAside } from '../harness/render/write-reports.ts';
import { historyRun, numbered, sinceRun, withRun } from '../harness/report/history.ts';
import { historyJson, readReport } from '../harness/report/read-reports.ts';
import { earlierRun, sinceEarlier } from '../harness/report/since.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { readSettings } from '../harness/settings/read-settings.ts';
import { runsBefore } from '../harness/testing/history.ts';
import { reportOf } from '../harness/testing/report.ts';
import { casesAt, catalogue, contract } from '../harness/testing/small-world.ts';
import { anyDamage, anyValue, damaged, folderForFiles, refusal, withValueAt } from './testing/damage.ts';
import { draws } from './testing/draws.ts';

const { folder, fileWith } = folderForFiles();

describe('a report to compare with', () => {
  const good = {
    reportVersion: 1,
    run: 'zero',
    startedAt: '2026-11-20T00:00:00Z',
    target: 'https://target.example',
    embedded: false,
    requirements: [{ id: 'token.expired', undecided: [{ unit: 'chat/USER' }] }],
    findings: [{ verdict: 'fail', requirements: ['token.expired'], cases: ['search/USER/expired'] }],
    expectations: [{ requirements: ['token.expired'] }],
    cases: [{ id: 'search/USER/expired', group: 'search/USER/token.expired', verdict: 'fail', expectation: 0 }],
    checks: [{ requirement: 'user.isolation', operation: 'search', kind: 'USER', verdict: 'pass' }],
  };
  const compare = (text: string) =>
    refusal(() => {
      const report = readReport(fileWith('report.json', text));
      renderSince(sinceEarlier(earlierRun(report), report), pc.createColors(false));
    });

  test('with any other value anywhere, or damaged, is compared or refused by its name', async () => {
    const place = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(place, anyValue, fc.option(anyDamage), async (steps, value, damage) => {
        const text = JSON.stringify(withValueAt(good, steps, value));
        const refused = await compare(damage ? damaged(text, damage) : text);
        if (refused !== undefined) expect(refused).toMatch(/report\.json/);
      }),
      draws(300),
    );
  });
});

describe('a baseline', () => {
  const nameable = { contract, casesAt, checks: ['isolation'] };
  const read = (text: string) => refusal(() => readBaseline(nameable, fileWith('baseline.yaml', text), '2026-11-22'));
  const VALID = `deviations:
  - requirement: token.expired
    reason: the gateway caches tokens
    review: 2027-01-31
gaps:
  - cases: '*/GLOBAL/expired/**'
    reason: the console makes none
    review: 2027-01-31
`;
  const bomb = [
    'a: &a [x, x]',
    ...[...'bcdefghijklmnopqrstuvwxyz'].map(
      (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghijklmnopqrstuvwxyz'[at]}`).join(', ')}]`,
    ),
  ].join('\n');

  test.each<[string, string, RegExp]>([
    ['multiplies aliases', bomb, /baseline\.yaml: line 1: .* aliases/],
    ['refers to itself', 'deviations: &a [*a]', /baseline\.yaml: line 1: /],
    ['is nested deeply', '['.repeat(20_000), /baseline\.yaml: line \d+: /],
    ['is nested deeply in blocks', `- ${'- '.repeat(20_000)}`, /baseline\.yaml: line \d+: /],
    ['is not YAML', 'deviations: [', /baseline\.yaml: line 1: [^\n]+$/],
    ['has a tab', 'deviations:\n\t- x', /baseline\.yaml: line 2: /],
    [
      'lacks a reason',
      VALID.replace('    reason: the gateway caches tokens\n', ''),
      /baseline\.yaml: line 2: \/deviations\/0 lacks "reason"$/,
    ],
    [
      'has a wrong value',
      VALID.replace('2027-01-31\n', 'soon\n'),
      /baseline\.yaml: line 4: \/deviations\/0\/review is .*, wanted a text such as 2027-01-31/,
    ],
    ['has an unknown key', `${VALID}others: []\n`, /baseline\.yaml: line 9: the file has the unknown key "others"/],
    ['is empty', '', /baseline\.yaml: line 1: /],
    ['has an unknown tag', 'deviations: !!js/function "x"', /baseline\.yaml: line 1: /],
    ['has bytes', '\0\u0001\ud800', /baseline\.yaml: line 1: /],
  ])('that %s is refused with its line', async (_what, text, message) => {
    expect(await read(text)).toMatch(message);
  });

  test('that is damaged is read or refused', async () => {
    expect(await read(VALID)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const refused = await read(damages.reduce(damaged, VALID));
        if (refused !== undefined) expect(refused).toMatch(/baseline\.yaml: (line \d+|\/\w+\/\d+)/);
      }),
      draws(200),
    );
  });
});

test('a .env that is damaged is read or refused, and no value is shown', async () => {
  const text = `TARGET_BASE_URL=https://api.example\nUSER_TOKEN='f3q8Zk1LmN0pR5sTuV7w'\nUSER_EMAIL="uma@people.example"\nCONFORMANCE_EXTRA_HEADERS='{"X-Key": "k9QwErTy7UiOp3AsDf5G"}'\nCONFORMANCE_RATE=10\n`;
  await fc.assert(
    fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const file = fileWith('.env', damages.reduce(damaged, text));
      const refused = await refusal(() => readSettings(catalogue, { environment: {}, ...readDotenvFile(file) }));
      expect(refused ?? '').not.toMatch(/f3q8Zk1LmN0p|uma@people|k9QwErTy7UiO/);
    }),
    draws(300),
  );
});

test('a history with any other value anywhere, or damaged, is shown or set aside, and never lost', async () => {
  const report = await reportOf();
  const runs = [...runsBefore(report, [{}]), historyRun(report)];
  const place = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(place, anyValue, fc.option(anyDamage), async (steps, value, damage) => {
      const reportDir = mkdtempSync(join(folder, 'history-'));
      const text = JSON.stringify(withValueAt(JSON.parse(historyJson(runs)), steps, value));
      const written = damage ? damaged(text, damage) : text;
      writeFileSync(join(reportDir, 'history.json'), written);
      const { runs: found, notice } = readOrSetAside(reportDir);
      const known = withRun(found, report);
      const [first = '', ...others] = readdirSync(reportDir);
      expect([others, readFileSync(join(reportDir, first)).equals(Buffer.from(written))]).toEqual([[], true]);
      if (notice !== undefined) expect(notice).toMatch(/history\.json .*history\.unreadable\.json/);
      const [before, now] = [known[0], known.at(-1)];
      renderHtml(report, known);
      renderHistory(numbered(known), reportDir, pc.createColors(false));
      if (before && now) renderSideBySide(before, now, pc.createColors(false));
      if (before && now) sinceRun(before, now);
    }),
    draws(300),
  );
});

test('contract data that is damaged is read or refused with its file', async () => {
  const names = ['matrix.yaml', 'rules.yaml', 'requirements.yaml', 'openapi.yaml'];
  const texts = names.map((name) => readFileSync(join(ownContract, name), 'utf8'));
  for (const [index, name] of names.entries()) fileWith(name, texts[index] ?? '');
  await fc.assert(
    fc.asyncProperty(fc.nat(names.length - 1), anyDamage, async (index, damage) => {
      const name = names[index] ?? '';
      fileWith(name, damaged(texts[index] ?? '', damage));
      const refused = await refusal(() => loadContract(folder));
      fileWith(name, texts[index] ?? '');
      if (refused !== undefined) expect(refused).toMatch(/\.yaml/);
    }),
    draws(40),
  );
});
