import { type Html, html } from '../pages/html.ts';

/** Reads a page number from a query. Anything invalid is page 1. */
export function pageNumber(text: unknown): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 && number < 1e6 ? number : 1;
}

/** Links to the newer and older pages; null when there is only one page. */
export function pager(path: string, page: number, hasMore: boolean, query: Record<string, string> = {}): Html | null {
  if (page === 1 && !hasMore) return null;
  const link = (to: number, name: string) =>
    html`<a href="${path}?${String(new URLSearchParams({ ...query, page: String(to) }))}">${name}</a>`;
  return html`<nav class="pager" aria-label="Pages">${page > 1 ? link(page - 1, 'Newer') : null}
<span>Page ${page}</span>${hasMore ? link(page + 1, 'Older') : null}</nav>`;
}
