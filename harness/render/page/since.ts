import type { Report } from '../../report/report.ts';
import { CHANGES, changeInWords, rulesInWords, type Since, sinceTitle } from '../../report/since.ts';
import { type Html, html } from './html.ts';
import { requirementLink } from './verdict.ts';

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
