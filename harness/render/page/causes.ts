import { counted } from '../../contract/amounts.ts';
import { LAWS } from '../../contract/variations.ts';
import type { ReportedVaried } from '../../report/not-tried.ts';
import type { Report, ReportedFinding } from '../../report/report.ts';
import type { Change, Since } from '../../report/since.ts';
import { type ReportedStep, wantedInWords } from '../../report/steps.ts';
import { type FindingView, ticketOf, viewOf } from '../finding-view.ts';
import { KIND_WORDS, LAW_WORDS, notTriedInWords, variedAmount } from '../not-tried-words.ts';
import { responseLines, WHOLE } from '../step-lines.ts';
import { type Html, html } from './html.ts';
import { badge, prose, reasonOf, requirementLink } from './verdict.ts';

/** The causes, the gravest first. */
export function renderCauses(report: Report): Html | null {
  const { findings } = report;
  if (findings.length === 0) return null;
  return html`<p class="note">Wrong answers with the same cause are shown once, with the smallest condition that they share.</p>
${findings.map((finding) => renderCause(finding, report))}`;
}

function renderCause(finding: ReportedFinding, report: Report): Html {
  const view = viewOf(finding, report);
  const { id, verdict, requirements, support, listed, text, facts, amount } = view;
  return html`<article class="cause" data-verdict="${verdict}" aria-labelledby="${id}">
<p class="overline">${badge(verdict)} ${support}${listed ? html`; <a href="#baseline">listed in the baseline</a>` : null}${changeOf(finding, report.since)}</p>
<h3 id="${id}"><a class="number" href="#${id}" title="Link to this cause">${id}</a> ${prose(text)}</h3>
<p class="ids">${requirementLinks(requirements)}</p>
<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd${name === 'got' ? html` class="got"` : null}>${prose(value)}</dd></div>\n`)}</dl>
${renderEvidence(finding, view)}
${renderTicket(finding, report)}
<p class="more"><a class="needs-script" href="#cause=${id}">Show ${amount}</a></p>
</article>
`;
}

/** The cause as Markdown, to copy into an issue tracker. It can be read without JavaScript. */
function renderTicket(finding: ReportedFinding, report: Report): Html {
  return html`<details class="ticket"><summary>Copy as ticket</summary>${renderCommand(ticketOf(finding, report), 'Markdown')}</details>`;
}

/** Whether something in a cause is new since the earlier run, or all of it failed before. */
function changeOf({ requirements }: ReportedFinding, since: Since | null): Html | null {
  const isOf = ({ requirement }: Change) => requirements.includes(requirement);
  if (since?.new.some(isOf)) return html`<a class="change" href="#since">new since last time</a>`;
  return since?.stillFailing.some(isOf) ? html`<a class="change" href="#since">still failing</a>` : null;
}

/** What is claimed and undecided, with the reason: a variable to set, or what went wrong. */
export function renderUndecided({ undecided }: Report): Html | null {
  if (undecided.length === 0) return null;
  return html`<div class="scroll"><table class="rows marked">
<thead><tr><th scope="col">Verdict</th><th scope="col">Reason</th><th scope="col">Undecided requirements</th></tr></thead>
<tbody>${undecided.map(
    ({ status, accepted, requirements, units, ...lack }) => html`<tr>
<td>${badge(status)}</td><th scope="row">${reasonOf(lack)}</th>
<td>${requirementLinks(requirements)} <span class="quiet">on ${units.join(', ')}</span>${accepted ? html` <a href="#baseline">accepted in the baseline</a>` : null}</td></tr>
`,
  )}</tbody></table></div>`;
}

/** What was varied: a row for each kind of variation, and a column for each law. On a small screen, each cell names its law. */
export function renderVariedTable({ varied }: Report): Html | null {
  if (varied.every(({ tried }) => tried === 0)) return null;
  const kinds = [...new Set(varied.map(({ variation }) => variation))];
  const cell = ({ why, ...one }: ReportedVaried) =>
    html`<td data-law="${LAW_WORDS[one.law]}">${variedAmount(one)}${why === null ? null : html` <span class="quiet">${why}</span>`}</td>`;
  return html`<div class="scroll"><table class="rows varied">
<thead><tr><th scope="col">Varied</th>${LAWS.map((law) => html`<th scope="col">must be ${LAW_WORDS[law]}</th>`)}</tr></thead>
<tbody>${kinds.map(
    (kind) =>
      html`<tr><th scope="row">${KIND_WORDS[kind]}</th>${varied.filter((one) => one.variation === kind).map(cell)}</tr>\n`,
  )}</tbody></table></div>`;
}

/** What the run did not try, with the reason and the requirements that it bears on. */
export function renderNotTried({ notTried }: Report): Html | null {
  if (notTried.length === 0) return null;
  return html`<div class="scroll"><table class="rows">
<thead><tr><th scope="col">What</th><th scope="col">Bears on</th></tr></thead>
<tbody>${notTriedInWords(notTried).map(
    ({ what, requirements }) => html`<tr><th scope="row">${what}</th><td>${requirementLinks(requirements)}</td></tr>\n`,
  )}</tbody></table></div>`;
}

export function renderFreedoms({ freedoms }: Report): Html | null {
  if (freedoms.length === 0) return null;
  return html`<div class="scroll"><table class="rows">
<thead><tr><th scope="col">What is left open</th><th scope="col">What this target does</th></tr></thead>
<tbody>${freedoms.map(
    ({ freedom, choice }) => html`<tr><th scope="row">${freedom}</th><td>${choice}</td></tr>\n`,
  )}</tbody></table></div>`;
}

function requirementLinks(ids: readonly string[]): readonly Html[] {
  return ids.map((id, index) => html`${index === 0 ? '' : ', '}${requirementLink(id)}`);
}

/** The evidence of a finding: the request that failed with its response, every step, and the sections that it cites. */
function renderEvidence(finding: ReportedFinding, { curl, steps, response }: FindingView): Html {
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
function renderCommand(text: string, label: string | Html): Html {
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
