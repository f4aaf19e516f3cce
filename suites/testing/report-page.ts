import type { Page } from 'playwright-core';

/** A case that fails in the report of `brokenTarget`. */
export const FAILING = 'search/USER/expired/all/act-as:absent/auth-type:absent';

/** What a reader sees on a page of a report: the listed cases, the shown case, and the count above the list. */
export const rows = (page: Page) => page.locator('#list li');
export const shown = (page: Page) => page.locator('#case').textContent();
export const found = (page: Page) => page.locator('#found').textContent();
export const focused = async (page: Page, selector: string) => (await page.locator(`${selector}:focus`).count()) > 0;
/** Evaluates an expression in the page. It is a string, because the types of this project do not include the DOM. */
export const number = (page: Page, expression: string): Promise<number> => page.evaluate<number>(expression);
