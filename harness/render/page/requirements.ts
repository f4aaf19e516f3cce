import type { Report, ReportedRequirement } from '../../report/report.ts';
import { GRAVITY } from '../../report/verdict-words.ts';
import { type Html, html } from './html.ts';
import { amount, badge, prose, setting } from './verdict.ts';

/** The ledger with what was decided of each entry, the gravest first and otherwise in the order of the specification. */
export function renderRequirements({ requirements }: Report): Html {
  const rank = ({ verdict, undecided }: ReportedRequirement) =>
    Math.min(GRAVITY.indexOf(verdict), undecided.length > 0 ? GRAVITY.indexOf('not-testable') : GRAVITY.length);
  const sorted = [...requirements].sort((a, b) => rank(a) - rank(b));
  return html`<div class="scroll"><table class="rows marked requirements">
<thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col" class="count">Decided by</th></tr></thead>
<tbody>${sorted.map(renderRequirement)}</tbody></table></div>`;
}

function renderRequirement({ id, verdict, text, source, level, decidedCases, undecided }: ReportedRequirement): Html {
  return html`<tr id="requirement-${id}"><td>${badge(verdict)}</td>
<th scope="row"><button type="button" class="link" data-requirement="${id}"><code>${id}</code></button> <span class="quiet">${source}, ${level}</span><p>${prose(text)}</p>${
    undecided.length === 0
      ? null
      : html`<ul class="undecided">${undecided.map(
          ({ unit, reason }) => html`<li>undecided on <b>${unit}</b>: ${setting(reason)}</li>`,
        )}</ul>`
  }</th>
<td class="count">${
    decidedCases === 0 ? '–' : `${amount(decidedCases)} ${decidedCases === 1 ? 'case' : 'cases'}`
  }</td></tr>
`;
}

/** The lists behind the small numbers: what was believed, what was not asked, what no request could decide. */
export function renderLimits({ restsOnWord, outOfPlan, excluded }: Report): Html {
  return html`${listed(
    'word',
    `${amount(restsOnWord.length)} tokens on the operator's word`,
    restsOnWord.map((name) => html`<code>${name}</code>`),
  )}${listed(
    'unasked',
    `${amount(outOfPlan.length)} further tokens, and how many cases each would add`,
    outOfPlan.map(({ reason, cases }) => html`${setting(reason)}: ${amount(cases)}`),
  )}<details id="excluded"><summary>${amount(excluded.length)} sentences of the specification that no request can decide</summary>
<div class="scroll"><table class="rows">
<thead><tr><th scope="col">Requirement</th><th scope="col">Why it is left out</th></tr></thead>
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
