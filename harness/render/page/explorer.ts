import { readGroup } from '../../plan/group.ts';
import type { Report } from '../../report/report.ts';
import { GRAVITY } from '../../report/verdict-words.ts';
import { type Html, html } from './html.ts';
import { amount } from './verdict.ts';

/** Search, filters, list and one case in full. The page's script fills it, so it stays hidden without one. */
export function renderExplorer({ cases, checks, matrix }: Report): Html {
  const kinds = [...new Set([...cases.map(({ group }) => readGroup(group).kind), ...checks.map(({ kind }) => kind)])];
  const verdicts = GRAVITY.filter((verdict) => [...cases, ...checks].some((found) => found.verdict === verdict));
  const operations = [
    ...new Set([...matrix.operations.map(({ id }) => id), ...checks.map((found) => found.operation)]),
  ];
  return html`<noscript><p class="notice">The list of ${amount(cases.length)} cases needs this page's own script, which this viewer does not run. The same is in report.json.</p></noscript>
<div id="explorer" hidden>
<form id="filters" role="search" aria-label="Cases">
<label class="wide">Search <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="expired, act-as:blank, 401 …"></label>
${choice('verdict', 'Verdict', verdicts)}
${choice('operation', 'Operation', operations)}
${choice('kind', 'Token', kinds)}
</form>
<p class="found"><span id="found" role="status"></span> <span id="narrowed" hidden><span id="narrowed-to"></span> <button type="button" class="link" id="widen">show all</button> <button type="button" class="link" id="back">back</button></span></p>
<div class="panes">
<div id="window"><ol id="list" aria-label="Cases found" tabindex="-1"></ol></div>
<article id="case" aria-label="The chosen case"><p class="quiet">Choose a case to see what was sent, what was wanted and what came.</p></article>
</div>
</div>
`;
}

function choice(id: string, label: string, values: readonly string[]): Html {
  return html`<label>${label} <select id="${id}"><option value="">all</option>${values.map(
    (value) => html`<option>${value}</option>`,
  )}</select></label>`;
}
