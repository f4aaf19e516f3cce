import type { Report } from '../../report/report.ts';
import { CHANGES, changeInWords, type Since, sinceTitle } from '../../report/since.ts';
import { asVerdict, SYMBOLS } from '../../report/verdict-words.ts';
import { counted } from '../amounts.ts';
import { viewOf } from '../finding-view.ts';
import { type Html, html } from './html.ts';
import { changesAnything } from './since.ts';

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
