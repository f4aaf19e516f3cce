import { adviceOn } from '../../report/baseline.ts';
import type { Report } from '../../report/report.ts';
import { listedInWords } from '../amounts.ts';
import { type Html, html } from './html.ts';
import { badge } from './verdict.ts';

/** The entries of the baseline, and how many cases of this run each covers. */
export function renderBaseline({ baseline }: Report): Html {
  if (baseline === null) return html`<p class="quiet">The run had no baseline.</p>`;
  if (baseline.entries.length === 0) return html`<p class="quiet">The baseline is empty.</p>`;
  return html`<div class="scroll"><table class="rows marked">
<thead><tr><th scope="col">Excuses</th><th scope="col">Entry, reason and review date</th><th scope="col" class="count">Covers</th></tr></thead>
<tbody>${baseline.entries.map(
    (entry) => html`<tr><td>${badge(entry.list === 'gap' ? 'not-testable' : 'fail')}</td>
<th scope="row"><code>${entry.names}</code><p>${entry.reason} <span class="quiet">review by <time datetime="${entry.review}">${entry.review}</time></span></p>${adviceOn(
      entry,
    ).map((advice) => html`<p class="notice">${advice}</p>`)}</th>
<td class="count">${entry.covers === 0 ? '–' : listedInWords(entry.covers)}</td></tr>
`,
  )}</tbody></table></div>`;
}
