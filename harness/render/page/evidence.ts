import type { ReportedFinding } from '../../report/report.ts';
import { type ReportedStep, wantedInWords } from '../../report/steps.ts';
import { counted } from '../amounts.ts';
import type { FindingView } from '../finding-view.ts';
import { responseLines, WHOLE } from '../step-lines.ts';
import { type Html, html } from './html.ts';
import { prose } from './verdict.ts';

/** The evidence of a finding: the request that failed with its response, every step, and the sections that it cites. */
export function renderEvidence(finding: ReportedFinding, { curl, steps, response }: FindingView): Html {
  const { example } = finding;
  const lines = response(WHOLE);
  return html`${curl === undefined ? null : renderCommand(curl, html`Reproduce <a href="#case=${example}">${example}</a>`)}
${lines.length === 0 ? null : renderResponse(lines)}
${
  steps.length < 2
    ? null
    : html`<details class="steps"><summary>All ${counted(steps.length, 'step')}</summary>
<ol>${steps.map(renderStep)}</ol></details>\n`
}${renderSections(finding)}`;
}

/** A text with a button that copies it. The text is shown in full, because the button needs JavaScript. */
export function renderCommand(text: string, label: string | Html): Html {
  const [first = '', ...others] = text.split('\n');
  const lines = html`${first}${others.map((line) => html`\n${line}`)}`;
  return html`<figure class="command"><figcaption>${label}</figcaption><pre><code>${lines}</code></pre><button type="button" class="copy needs-script">Copy</button></figure>`;
}

function renderResponse(lines: readonly string[]): Html {
  return html`<figure class="response"><figcaption>Response</figcaption><pre>${lines.map((line) => html`${line}\n`)}</pre></figure>`;
}

function renderStep(step: ReportedStep): Html {
  const { shows, wanted, curl, failed } = step;
  return html`<li><p>${failed ? html`<b class="got">✕ failed:</b> ` : null}${shows} <span class="quiet">(wanted: ${wantedInWords(wanted)})</span></p>
${curl === undefined ? null : renderCommand(curl, 'Request')}${renderResponse(responseLines(step.response, WHOLE))}</li>
`;
}

/** An RFC is named with its address as text: the report loads nothing and leads nowhere. */
function renderSections({ sections }: ReportedFinding): Html {
  return html`${sections.map((section) =>
    'link' in section
      ? html`<p class="quiet">${section.source}: ${section.link}</p>\n`
      : html`<details class="section"><summary>${section.source} ${section.title}</summary>
${section.lines.map((line) => html`<p>${prose(line)}</p>\n`)}</details>\n`,
  )}`;
}
