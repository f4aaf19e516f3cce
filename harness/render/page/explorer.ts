import { readGroup } from '../../plan/group.ts';
import type { Report } from '../../report/report.ts';
import { CHANGE_WORDS, ROW_CHANGES } from '../../report/since.ts';
import { GRAVITY } from '../../report/verdict-words.ts';
import { counted } from '../amounts.ts';
import { type Html, html } from './html.ts';

/** Search, filters, the list of cases and one case in full. The script fills it, so it is hidden without JavaScript. */
export function renderExplorer({ cases, checks, matrix, since }: Report): Html {
  const kinds = [...new Set([...cases.map(({ group }) => readGroup(group).kind), ...checks.map(({ kind }) => kind)])];
  const verdicts = GRAVITY.filter((verdict) => [...cases, ...checks].some((found) => found.verdict === verdict));
  const operations = [
    ...new Set([...matrix.operations.map(({ id }) => id), ...checks.map((found) => found.operation)]),
  ];
  return html`<noscript><p class="notice">The list of ${counted(cases.length, 'case')} needs JavaScript, which is off in this viewer. The file report.json has the same cases.</p></noscript>
<div id="explorer" hidden>
<form id="filters" role="search" aria-label="Cases">
<label class="wide"><span>Search <kbd title="Press / to search">/</kbd></span> <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="expired, act-as:blank, 401 …" aria-keyshortcuts="/"></label>
${choice('verdict', 'Verdict', verdicts)}
${choice('operation', 'Operation', operations)}
${choice('kind', 'Token', kinds)}
${
  since === null
    ? null
    : choice(
        'change',
        'Since last time',
        ROW_CHANGES.map((change) => CHANGE_WORDS[change]),
      )
}
<label>Order <select id="order"><option value="">gravest first</option><option>slowest first</option></select></label>
</form>
<p class="found"><span id="found" role="status"></span> <span id="filtered" hidden>· <span id="narrowed"></span><button type="button" class="link" id="clear">clear all filters</button> · <a id="filters-address" href="#cases">link to this list</a> <button type="button" class="link" id="back"></button></span></p>
<div class="panes">
<div id="window"><ol id="list" aria-label="Cases found" tabindex="-1"></ol></div>
<article id="case" aria-label="Selected case"><p class="quiet">Select a case to see what was sent, what was wanted and what came.</p></article>
</div>
</div>
`;
}

function choice(id: string, label: string, values: readonly string[]): Html {
  return html`<label>${label} <select id="${id}"><option value="">all</option>${values.map(
    (value) => html`<option>${value}</option>`,
  )}</select></label>`;
}
