import type { Report, ReportedRequirement } from '../../report/report.ts';
import { GRAVITY } from '../../report/verdict-words.ts';
import { counted } from '../amounts.ts';
import { isPartly, placesInWords } from '../requirement-rows.ts';
import { type Html, html } from './html.ts';
import { badge, prose, reasonOf } from './verdict.ts';

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

const UNDECIDED: readonly string[] = ['not-testable', 'inconclusive'];

function renderRequirement(requirement: ReportedRequirement, decidedChecks: number): Html {
  const { id, verdict, text, source, level, decidedCases, undecided } = requirement;
  const partly = isPartly(requirement)
    ? html`<p class="quiet">Decided in ${placesInWords(requirement)} operations and kinds of token.</p>`
    : null;
  const deciding = [...countedIf(decidedCases, 'case'), ...countedIf(decidedChecks, 'check')].join(', ');
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

function countedIf(count: number, noun: string): readonly string[] {
  return count === 0 ? [] : [counted(count, noun)];
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
