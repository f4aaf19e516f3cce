import type { Latency } from '../../report/latency.ts';
import { type MeasuredLimit, measuredInWords } from '../../report/latency-limits.ts';
import type { Report } from '../../report/report.ts';
import { amount } from '../amounts.ts';
import { type Html, html } from './html.ts';

/** How long requests took: a row for each operation and outcome. */
export function renderLatency({ latency, maxLatency }: Report): Html {
  if (latency.length === 0) return html`<p class="quiet">The journal has no times.</p>`;
  return html`${maxLatency.map(renderLimit)}<div class="scroll" role="group" aria-label="Times" tabindex="0"><table class="rows times">
<thead><tr><th scope="col">Operation</th><th scope="col">Outcome</th><th scope="col" class="count">Requests</th><th scope="col" class="count">Median</th><th scope="col" class="count">95 % within</th><th scope="col" class="count">99 % within</th><th scope="col" class="count">Slowest</th></tr></thead>
<tbody>${latency.map(renderRow)}</tbody></table></div>`;
}

function renderLimit(limit: MeasuredLimit): Html {
  return html`<p${limit.exceeded ? html` class="notice"` : null}><code>--max-latency</code> ${measuredInWords(limit)}${limit.exceeded ? html`: <strong>exceeded</strong>` : null}</p>
`;
}

function renderRow({ operation, outcome, requests, median, percentile95, percentile99, slowest }: Latency): Html {
  return html`<tr><th scope="row">${operation}</th><td>${outcome}</td><td class="count">${amount(requests)}</td>${[
    median,
    percentile95,
    percentile99,
    slowest,
  ].map((ms) => html`<td class="count">${amount(ms)} ms</td>`)}</tr>
`;
}
