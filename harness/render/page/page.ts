import { amount } from '../../contract/amounts.ts';
import { readAsset } from '../../contract/yaml-file.ts';
import { adviceOn } from '../../report/baseline.ts';
import type { HistoryRun } from '../../report/history.ts';
import { type Latency, type MeasuredLimit, measuredInWords } from '../../report/latency.ts';
import { leftInWords } from '../../report/left.ts';
import type { Report } from '../../report/report.ts';
import { endingWords, subjectOf } from '../../report/verdict-words.ts';
import { listedInWords } from '../amounts.ts';
import { renderCauses, renderFreedoms, renderNotTried, renderUndecided, renderVariedTable } from './causes.ts';
import { asset, type Html, html, raw, renderHead } from './html.ts';
import { picturesOf, renderPicture } from './matrix-picture.ts';
import { packCases, renderExplorer } from './packed-data.ts';
import { renderLimits, renderOverview, renderRequirements, renderSince } from './requirements.ts';
import { renderTrend } from './trend.ts';
import {
  badge,
  beginsWithFigures,
  renderAbout,
  renderCounts,
  renderFigures,
  renderLegend,
  renderVerdict,
} from './verdict.ts';

const STYLES = ['page.css', 'verdict.css', 'sections.css', 'trend.css', 'picture.css', 'cases.css', 'print.css'];
// In the order of their imports: the page has one script, in which each part uses what the parts before it declare.
const SCRIPTS = ['data.js', 'address.js', 'find.js', 'case.js', 'list.js', 'page.js', 'picture.js', 'document.js'];

/** report.html as one file that loads nothing. @param runs what the report folder remembers, the oldest first. */
export function renderHtml(report: Report, runs: readonly HistoryRun[] = []): string {
  const sections = sectionsOf(report, runs);
  const style = STYLES.map(asset).join('\n');
  const script = `'use strict';\n(() => {\n${SCRIPTS.map(asset).map(asPart).join('\n')}\n})();\n`;
  const title = `${endingWords(report)} – ${subjectOf(report)} of ${report.target}`;
  const page = html`${renderHead({ title, style, script })}<body>
<a class="skip" href="#main">Skip to the report</a>
${renderVerdict(report)}
${beginsWithFigures(report) ? renderFigures(report) : null}${renderOverview(report)}<nav aria-label="Sections"><ul>${sections.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${sections.map(renderSection)}</main>
<footer><p class="quiet">client-api-conformance ${report.suite}. This file is self-contained and loads nothing.</p></footer>
<script type="application/json" id="data">${raw(packCases(report))}</script>
<script>${raw(script)}</script>
</body>
</html>
`;
  return page.markup;
}

/** What each section shows; null for a report that does not have it. What failed and what changed come first: they are why somebody opens the page. */
const BODIES = {
  causes: renderCauses,
  since: renderSince,
  trend: renderTrend,
  baseline: renderBaseline,
  undecided: renderUndecided,
  varied: renderVariedTable,
  'not-tried': renderNotTried,
  about: (report) =>
    html`${beginsWithFigures(report) ? null : renderFigures(report)}${renderAbout(report)}\n${renderCounts(report)}`,
  picture: ({ matrix, cases }) =>
    html`<div class="pictures">${picturesOf(matrix, cases).map((picture) => renderPicture(matrix, picture))}</div>\n${renderLegend()}`,
  cases: renderExplorer,
  requirements: renderRequirements,
  latency: renderLatency,
  freedoms: renderFreedoms,
  left: renderLeft,
  limits: renderLimits,
} as const satisfies Readonly<Record<string, (report: Report, runs: readonly HistoryRun[]) => Html | null>>;

interface Section {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly body: Html;
}
/** The sections in their order, with titles and notes. */
function sectionsOf(report: Report, runs: readonly HistoryRun[]): readonly Section[] {
  const heads = readAsset<Record<keyof typeof BODIES, Pick<Section, 'title' | 'note'>>>(
    import.meta.url,
    'page-sections',
  );
  const ids = Object.keys(BODIES) as (keyof typeof BODIES)[];
  return ids.flatMap((id): readonly Section[] => {
    const body = BODIES[id](report, runs);
    return body ? [{ id, ...heads[id], body }] : [];
  });
}

function renderSection({ id, title, note, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title" tabindex="-1">
<h2 id="${id}-title">${title}</h2>
${note === undefined ? null : html`<p class="note">${note}</p>\n`}${body}
</section>
`;
}

/** A module as a part of one script: without its imports, which are declared before it, and without `export`. */
function asPart(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

/** What the run created on the target: a row for each kind of thing. */
function renderLeft({ left }: Report): Html | null {
  if (left.length === 0) return null;
  return html`<ul class="plain left">${left.map(
    (one) =>
      html`<li>${leftInWords(one)}${
        one.ids.length === 0
          ? null
          : html` <span class="quiet">${one.ids.map((id, index) => html`${index === 0 ? '' : ', '}<code>${id}</code>`)}${
              one.ids.length < one.created - one.removed ? ', …' : ''
            }</span>`
      }</li>\n`,
  )}</ul>`;
}

export function renderBaseline({ baseline }: Report): Html | null {
  if (baseline === null) return null;
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

/** How long requests took: a row for each operation and outcome. */
function renderLatency({ latency, maxLatency }: Report): Html {
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
