import { counted, firstShown } from '../../contract/amounts.ts';
import { given } from '../../contract/collections.ts';
import type { Report, ReportedRequirement } from '../../report/report.ts';
import { CHANGES, changeInWords, rulesInWords, type Since, sinceTitle } from '../../report/since.ts';
import { GRAVITY, SYMBOLS, UNDECIDED } from '../../report/verdict-words.ts';
import { viewOf } from '../finding-view.ts';
import { isPartly, placesInWords } from '../run-figures.ts';
import { type Html, html } from './html.ts';
import { badge, prose, reasonOf, requirementLink } from './verdict.ts';

/** The ledger with the verdict on each requirement: the gravest first, then in the order of the specification. */
export function renderRequirements({ requirements, checks }: Report): Html {
  const decidedChecks = (id: string) =>
    checks.filter(({ requirement, verdict }) => requirement === id && !UNDECIDED.includes(verdict)).length;
  const rank = ({ verdict, undecided }: ReportedRequirement) =>
    Math.min(GRAVITY.indexOf(verdict), undecided.length > 0 ? GRAVITY.indexOf('not-testable') : GRAVITY.length);
  const sorted = [...requirements].sort((a, b) => rank(a) - rank(b));
  return html`<div class="scroll"><table class="rows marked requirements">
<thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col" class="count">Decided by</th></tr></thead>
<tbody>${sorted.map((one) => renderRequirement(one, decidedChecks(one.id)))}</tbody></table></div>`;
}

function renderRequirement(requirement: ReportedRequirement, decidedChecks: number): Html {
  const { id, verdict, text, source, level, decidedCases, undecided } = requirement;
  const partly = isPartly(requirement)
    ? html`<p class="quiet">Decided in ${placesInWords(requirement)} operations and kinds of token.</p>`
    : null;
  const by = [decidedCases > 0 && counted(decidedCases, 'case'), decidedChecks > 0 && counted(decidedChecks, 'check')];
  const deciding = given(by).join(', ');
  return html`<tr id="requirement-${id}"><td>${badge(verdict)}</td>
<th scope="row"><a href="#requirement-${id}"><code>${id}</code></a> <span class="quiet">${source}, ${level}</span><p>${prose(text)}</p>${partly}${
    undecided.length === 0
      ? null
      : html`<ul class="undecided">${undecided.map(
          ({ unit, ...lack }) => html`<li>undecided on <b>${unit}</b>: ${reasonOf(lack)}</li>`,
        )}</ul>`
  }</th>
<td class="count">${deciding === '' ? '–' : html`<a href="#requirement=${id}">${deciding}</a>`}</td></tr>
`;
}

/** What the run did not decide: tokens that could not be verified, cases that were skipped, excluded requirements. */
export function renderLimits({ restsOnWord, outOfPlan, excluded }: Report): Html {
  return html`${listed(
    'unverified',
    `${counted(restsOnWord.length, 'token')} not verified: no request with them was accepted`,
    restsOnWord.map((name) => html`<code>${name}</code>`),
  )}${listed(
    'skipped',
    `${counted(outOfPlan.length, 'optional token')} not set, with the cases that each would add`,
    outOfPlan.map(({ cases, ...lack }) => html`${reasonOf(lack)}: ${counted(cases, 'case')}`),
  )}<details id="excluded"><summary>${counted(excluded.length, 'requirement')} that no request can test</summary>
<div class="scroll"><table class="rows">
<thead><tr><th scope="col">Requirement</th><th scope="col">Reason</th></tr></thead>
<tbody>${excluded.map(
    ({ id, source, reason }) =>
      html`<tr><th scope="row"><code>${id}</code> <span class="quiet">${source}</span></th><td>${reason}</td></tr>\n`,
  )}</tbody></table></div></details>
`;
}

function listed(id: string, title: string, items: readonly Html[]): Html {
  if (items.length === 0) return html``;
  return html`<details id="${id}"><summary>${title}</summary><ul class="plain columns">${items.map(
    (item) => html`<li>${item}</li>`,
  )}</ul></details>
`;
}

/** Causes that the first screen names. */
const MOST_CAUSES = 12;

/** The causes in a line each, and what changed, on the first screen. A single cause is on it anyway. */
export function renderOverview(report: Report): Html {
  const { findings, since } = report;
  const rest = (more: number) => html`<li><a href="#causes">${counted(more, 'more cause')}</a></li>\n`;
  const causes = findings.map((finding) => {
    const { id, verdict, requirements } = finding;
    return html`<li><a href="#${id}" data-verdict="${verdict}"><i aria-hidden="true">${SYMBOLS[verdict]}</i>${id} ${requirements.join(', ')}</a> <span class="quiet">${verdict}, ${viewOf(finding, report).amount}</span></li>
`;
  });
  return html`${
    findings.length < 2
      ? null
      : html`<ol class="overview" aria-label="Causes">
${firstShown(causes, MOST_CAUSES, rest)}</ol>\n`
  }${since === null ? null : html`<p class="overview-since">${changesAnything(since) ? html`<a href="#since">${sinceTitle(since)}</a>` : sinceTitle(since)}: ${changesInWords(since)}</p>\n`}`;
}

/** `2 new, 1 fixed`. */
function changesInWords(since: Since): string {
  const changed = CHANGES.filter((change) => since[change].length > 0);
  if (changed.length === 0) return 'nothing changed';
  return changed.map((change) => `${since[change].length} ${changeInWords(since, change)}`).join(', ');
}

/** Whether there is more to say than that nothing changed. */
function changesAnything(since: Since): boolean {
  return since.rules !== null || CHANGES.some((change) => since[change].length > 0);
}

/** What changed since the earlier run: a row for each requirement. */
export function renderSince({ since }: Report): Html | null {
  if (since === null || !changesAnything(since)) return null;
  const rows = CHANGES.flatMap((change) =>
    since[change].map(
      ({ requirement, units }) => html`<tr><th scope="row">${changeInWords(since, change)}</th>
<td>${requirementLink(requirement)} <span class="quiet">on ${units.join(', ')}</span></td></tr>
`,
    ),
  );
  const rules = rulesInWords(since);
  return html`<p class="note">${sinceTitle(since)}.</p>
${rules === undefined ? null : html`<p class="notice">${rules}</p>\n`}${
  rows.length === 0
    ? null
    : html`<div class="scroll"><table class="rows">
<thead><tr><th scope="col">Change</th><th scope="col">Requirement</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}`;
}
