import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { replaceCheck } from '../../fixtures/plain/checks.ts';
import { startPlainTarget } from '../../fixtures/plain/target.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { writeHistory, writeReports } from '../../harness/render/write-reports.ts';
import type { HistoryRun } from '../../harness/report/history.ts';
import { makeReport, type Report } from '../../harness/report/report.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { readSettings } from '../../harness/settings/read-settings.ts';
import { casesAt, catalogue } from '../../harness/testing/contract.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** An open page, with its console messages, errors and requests. */
export interface Visit {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
  close(): Promise<void>;
}
/** A browser with a new, empty user data folder, and a folder for the files that it opens. */
export interface Reader {
  readonly folder: string;
  /** Writes the reports of a run into a folder, which may remember other runs, and returns the address of its page. */
  write(report: Report, name: string, runs?: readonly HistoryRun[]): string;
  visit(address: string, options?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** Starts the browser that fixtures/chromium/ provides. */
export async function startReader(): Promise<Reader> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '', args: ARGUMENTS });
  const folder = mkdtempSync(join(tmpdir(), 'report-browser-'));
  return {
    folder,
    write(report, name, runs = []) {
      const reportDir = join(folder, name);
      mkdirSync(reportDir, { recursive: true });
      writeHistory(reportDir, runs);
      const [page = ''] = writeReports(reportDir, report);
      return pathToFileURL(page).href;
    },
    async visit(address, options = {}) {
      const context = await browser.newContext({ viewport: DESKTOP, offline: true, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(address);
      return { page, complaints, requests, close: () => context.close() };
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No style depends on both the colours and the width, so that two visits show every style. */
export const STYLES = [
  ['in light colours', { colorScheme: 'light', viewport: DESKTOP }],
  ['in dark colours on a phone', { colorScheme: 'dark', viewport: PHONE }],
] as const;

/** How many rules of axe a page passes, or a part of it, and what violates one. */
export async function accessibilityOf(
  page: Page,
  part = 'html',
): Promise<{ readonly passes: number; readonly violations: readonly string[] }> {
  // The debugger evaluates this. The content security policy of the page would forbid a script tag.
  await page.evaluate(AXE);
  return page.evaluate(`axe.run('${part}').then(({ passes, violations }) => ({
    passes: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
  }))`);
}

/** The report of a real run. The target accepts expired USER tokens, and the expired GLOBAL tokens are not set. */
export async function brokenTarget(): Promise<Report> {
  const checks = replaceCheck('token.expired', (request, original) =>
    request.record?.kind === 'USER' ? undefined : original(request),
  );
  const target = await startPlainTarget({ checks });
  const { GLOBAL_TOKEN_EXPIRED: _1, GLOBAL_TOKEN_EXPIRED_UNSCOPED: _2, ...environment } = target.env;
  const session = startSession(readSettings(catalogue, { environment, dotenv: {} }), { casesAt, journal: noJournal });
  await session.sendMatrix();
  const report = makeReport(session, session.judge(), null);
  await session.close();
  await target.close();
  return report;
}
