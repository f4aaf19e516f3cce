import { adviceOn } from '../../report/baseline.ts';
import type { Report } from '../../report/report.ts';
import { type Html, html } from './html.ts';
import { amount, badge } from './verdict.ts';

/** What is listed, and what this run makes of it. */
export function renderBaseline({ baseline }: Report): Html {
  if (baseline === null) return html`<p class="quiet">The run was held against none.</p>`;
  if (baseline.entries.length === 0) return html`<p class="quiet">It lists nothing.</p>`;
  return html`<div class="scroll"><table class="rows marked">
<thead><tr><th scope="col">Accepted</th><th scope="col">What, why, and until when</th><th scope="col" class="count">Lists</th></tr></thead>
<tbody>${baseline.entries.map(
    (entry) => html`<tr><td>${badge(entry.list === 'gap' ? 'not-testable' : 'fail')}</td>
<th scope="row"><code>${entry.names}</code><p>${entry.reason} <span class="quiet">to be reviewed by <time datetime="${entry.review}">${entry.review}</time></span></p>${adviceOn(
      entry,
    ).map((advice) => html`<p class="notice">${advice}</p>`)}</th>
<td class="count">${
      entry.covers === 0 ? '–' : `${amount(entry.covers)} ${entry.covers === 1 ? 'case' : 'cases'}`
    }</td></tr>
`,
  )}</tbody></table></div>`;
}
