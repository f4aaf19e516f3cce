import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { RunningService } from '../start.ts';
import { at, password } from './client.ts';

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

/** A page of the console after signing in. */
export interface SignedInPage {
  readonly page: Page;
  readonly consoleMessages: readonly string[];
  close(): Promise<void>;
}

/** Launches the browser that fixtures/chromium/ provides. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** Everything in the browser's console from now on, errors of scripts included. */
export function consoleMessagesOf(page: Page): readonly string[] {
  const messages: string[] = [];
  page.on('console', (message) => {
    // A script of the test can set the focus before the browser gets to it. That is no fault of the page.
    if (!message.text().startsWith('Autofocus processing was blocked')) messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(error.message));
  return messages;
}

/** Signs a person of the demo company in, in a new browser context. */
export async function signInWithBrowser(
  browser: Browser,
  { apiUrl }: RunningService,
  name: string,
  options: BrowserContextOptions = {},
): Promise<SignedInPage> {
  const context = await browser.newContext({ viewport: desktop, ...options });
  const page = await context.newPage();
  const consoleMessages = consoleMessagesOf(page);
  await page.goto(`${apiUrl}/admin`);
  await page.getByLabel('Email').fill(at(name));
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${apiUrl}/admin`);
  return { page, consoleMessages, close: () => context.close() };
}

interface Accessibility {
  readonly passes: number;
  readonly violations: readonly string[];
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks the page with axe. The debugger evaluates it, because the page's content security policy blocks other scripts. */
export async function accessibilityOf(page: Page): Promise<Accessibility> {
  await page.evaluate(axe);
  return page.evaluate<Accessibility>(`axe.run().then(({ passes, violations }) => ({
    passes: passes.length,
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
  }))`);
}

/** How many pixels the page is wider than its window. Zero or less: it fits. */
export function overflowWidth(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}

/** Saves a screenshot in the folder that CONSOLE_SHOTS names, for people to look at. Without CONSOLE_SHOTS it does nothing. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
