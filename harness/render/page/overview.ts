import type { Report } from '../../report/report.ts';
import { CHANGES, changeInWords, rulesInWords, type Since, sinceTitle } from '../../report/since.ts';
import { asVerdict, SYMBOLS } from '../../report/verdict-words.ts';
import { counted } from '../amounts.ts';
import { viewOf } from '../finding-view.ts';
import { type Html, html } from './html.ts';
import { requirementLink } from './verdict.ts';

/** Causes that the first screen names. */
const MOST_CAUSES = 12;

/** The causes in a line each, and what changed, on the first screen. A single cause is on it anyway. */
export function renderOverview(report: Report): Html {
  const { findings, since } = report;
  const more = findings.length - MOST_CAUSES;
  const causes = findings.slice(0, MOST_CAUSES).map((finding) => {
    const { id, verdict, requirements } = finding;
    return html`<li><a href="#${id}" data-verdict="${asVerdict(verdict)}"><i aria-hidden="true">${SYMBOLS[asVerdict(verdict)]}</i>${id} ${requirements.join(', ')}</a> <span class="quiet">${verdict}, ${viewOf(finding, report).amount}</span></li>
`;
  });
  return html`${
    findings.length < 2
      ? null
      : html`<ol class="overview" aria-label="Causes">
${causes}${more > 0 ? html`<li><a href="#causes">${counted(more, 'more cause')}</a></li>\n` : null}</ol>\n`
  }${since === null ? null : html`<p class="overview-since">${changesAnything(since) ? html`<a href="#since">${sinceTitle(since)}</a>` : sinceTitle(since)}: ${changesInWords(since)}</p>\n`}`;
}

/** `2 new, 1 fixed`. */
function changesInWords(since: Since): string {
  const changed = CHANGES.filter((change) => since[change].length > 0);
  if (changed.length === 0) return 'nothing changed';
  return changed.map((change) => `${since[change].length} ${changeInWords(since, change)}`).join(', ');
}

/** Whether there is more to say than that nothing changed. */
export function changesAnything(since: Since): boolean {
  return since.rules !== null || CHANGES.some((change) => since[change].length > 0);
}

/** What changed since the earlier run: a row for each requirement. */
export function renderSince({ since }: Report): Html {
  if (since === null) return html``;
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
