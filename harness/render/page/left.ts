import { leftInWords } from '../../report/left.ts';
import type { Report } from '../../report/report.ts';
import { type Html, html } from './html.ts';

/** What the run created on the target: a row for each kind of thing. */
export function renderLeft({ left }: Report): Html {
  return html`<ul class="plain left">${left.map(
    (one) =>
      html`<li>${leftInWords(one)}${
        one.ids.length === 0
          ? null
          : html` <span class="quiet">${one.ids.map((id, index) => html`${index === 0 ? '' : ', '}<code>${id}</code>`)}${
              one.ids.length < one.created - one.removed ? ', …' : ''
            }</span>`
      }</li>\n`,
  )}</ul>`;
}
