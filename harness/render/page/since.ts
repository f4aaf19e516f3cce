import type { Report } from '../../report/report.ts';
import { CHANGES, changeInWords, rulesInWords, sinceTitle } from '../../report/since.ts';
import { type Html, html } from './html.ts';
import { requirementLink } from './verdict.ts';

/** What changed since the earlier run: a row for each requirement. */
export function renderSince({ since }: Report): Html {
  if (since === null) return html`<p class="quiet">The run was not compared with another one.</p>`;
  const rows = CHANGES.flatMap((change) =>
    since[change].map(
      ({ requirement, units }) => html`<tr><th scope="row">${changeInWords(since, change)}</th>
<td>${requirementLink(requirement)} <span class="quiet">on ${units.join(', ')}</span></td></tr>
`,
    ),
  );
  const body =
    rows.length === 0
      ? html`<p class="quiet">Nothing changed.</p>`
      : html`<div class="scroll"><table class="rows">
<thead><tr><th scope="col">Change</th><th scope="col">Requirement</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  const rules = rulesInWords(since);
  return html`<p class="note">${sinceTitle(since)}.</p>
${rules === undefined ? null : html`<p class="notice">${rules}</p>\n`}${body}`;
}
