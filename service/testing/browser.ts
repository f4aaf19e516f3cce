import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { RunningService } from '../start.ts';
import { at, password } from './client.ts';

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/** A page of somebody who is signed in, and what the browser complained of. */
export interface SignedInPage {
  readonly page: Page;
  readonly consoleMessages: string[];
  close(): Promise<void>;
}

/** The browser that fixtures/chromium/ provides; playwright says so where there is none. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** Signs somebody in, as a person would, with a window of their own. */
export async function signInWithBrowser(
  browser: Browser,
  { apiUrl }: RunningService,
  name: string,
  options: BrowserContextOptions = {},
): Promise<SignedInPage> {
  const context = await browser.newContext({ viewport: desktop, ...options });
  const page = await context.newPage();
  const consoleMessages: string[] = [];
  page.on('console', (message) => consoleMessages.push(message.text()));
  page.on('pageerror', (error) => consoleMessages.push(error.message));
  await page.goto(`${apiUrl}/admin`);
  await page.getByLabel('Email').fill(at(name));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${apiUrl}/admin`);
  return { page, consoleMessages, close: () => context.close() };
}

interface Findings {
  readonly passes: number;
  readonly violations: readonly string[];
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page. Evaluated by the debugger: the page's own policy would not let it in. */
export async function accessibilityOf(page: Page): Promise<Findings> {
  await page.evaluate(axe);
  return page.evaluate<Findings>(`axe.run().then(({ passes, violations }) => ({
    passes: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
  }))`);
}

/** How far the page is wider than its window, in pixels. */
export function overflowWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Keeps a picture for people to look at, when CONSOLE_SHOTS names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
