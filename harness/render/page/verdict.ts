import { amount, counted } from '../../contract/amounts.ts';
import { given, tallied } from '../../contract/collections.ts';
import type { Verdict } from '../../judge/judge-cases.ts';
import { exceededInWords } from '../../report/latency.ts';
import type { ReportedLack } from '../../report/limits.ts';
import { refusedInWords } from '../../report/refused-tokens.ts';
import type { Report } from '../../report/report.ts';
import { COUNTED_IN_FRAMES, sightInWords, unseenInWords } from '../../report/sight.ts';
import {
  contractInWords,
  decidedInWords,
  ENDING_WORDS,
  endingWords,
  GRAVITY,
  MEANINGS,
  SYMBOLS,
  subjectOf,
  targetName,
  undecidedCount,
  undecidedDecisions,
} from '../../report/verdict-words.ts';
import { notTriedInWords } from '../not-tried-words.ts';
import { claimedIn, figuresOf } from '../run-figures.ts';
import { type Html, html } from './html.ts';

/** How the run ended, in a heading and a sentence; below it what stopped or disturbed the run. */
export function renderVerdict(report: Report): Html {
  const ending = endingWords(report);
  const { looks } = ENDING_WORDS[report.ending];
  return html`<header class="verdict" data-verdict="${looks}">
<p class="overline">${capitalized(subjectOf(report))} of ${targetName(report)}</p>
<h1><i class="seal" aria-hidden="true">${SYMBOLS[looks]}</i>${capitalized(ending)}</h1>
<p class="lede">${sentence(report)}</p>
${report.refusedTokens.map((token) => html`<p class="notice"><strong>${refusedInWords(token)}</strong> <code>${token.curl}</code></p>\n`)}${report.stopped === null ? null : html`<p class="notice"><strong>The run was stopped:</strong> ${report.stopped}</p>\n`}${report.trouble.map((sentence) => html`<p class="notice"><strong>Trouble:</strong> ${sentence}</p>\n`)}${notTriedInWords(report.notTried).map(({ what }) => html`<p class="quiet"><a href="#not-tried">Not tried:</a> ${what}</p>\n`)}</header>
`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function renderCounts({ counts, requirements, checks }: Report): Html {
  return html`<div class="counts">
${renderTally('Requirements', tally(requirements))}
${renderTally('Cases', counts.verdicts)}
${renderTally('Hand-written checks', tally(checks))}
</div>
`;
}

/** Whether the page begins with the figures: nothing in it needs somebody to act. */
export function beginsWithFigures({ findings, undecided }: Report): boolean {
  return findings.length + undecided.length === 0;
}

/** The figures of the run: claims, requirements, depth, tokens, duration and date. */
export function renderFigures(report: Report): Html {
  return renderFacts(figuresOf(report).map(([name, value]) => [linkOf(name), html`${value}`]));
}

/** The section that has more about a figure. */
const SECTIONS: Readonly<Record<string, string>> = {
  requirements: 'requirements',
  tokens: 'limits',
  duration: 'latency',
};

function linkOf(name: string): Html {
  return name in SECTIONS ? html`<a href="#${SECTIONS[name] ?? ''}">${name}</a>` : html`${name}`;
}

/** What was tested, by what. */
export function renderAbout({ target, embedded, narrowed, sight, suite, ...report }: Report): Html {
  return renderFacts(
    given<readonly [Html, Html]>([
      [html`target`, html`<code>${target}</code>${embedded ? ', with credentials made for this run' : ''}`],
      narrowed !== null && [html`narrowed`, html`<code>${narrowed}</code>`],
      sight !== null && [html`would catch`, html`${sightInWords(sight).join('; ')}; ${COUNTED_IN_FRAMES}`],
      sight !== null && narrowed !== null && [html`would miss`, html`${unseenInWords(sight)}`],
      [html`suite`, html`client-api-conformance ${suite}, ${contractInWords(report)}`],
    ]),
  );
}

function renderFacts(rows: readonly (readonly [name: Html, value: Html])[]): Html {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

export function renderLegend(): Html {
  return html`<ul class="legend">${GRAVITY.map(
    (verdict) => html`<li>${badge(verdict)} ${MEANINGS[verdict]}</li>\n`,
  )}</ul>`;
}

export function badge(verdict: Verdict): Html {
  return html`<span class="badge" data-verdict="${verdict}"><i aria-hidden="true">${SYMBOLS[verdict]}</i>${verdict}</span>`;
}

export function requirementLink(id: string): Html {
  return html`<a href="#requirement-${id}"><code>${id}</code></a>`;
}

/** A text of ours in which code is between backticks. */
export function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

/** A reason in words: the variable to set, or what went wrong. */
export function reasonOf({ reason, variable }: ReportedLack): Html {
  return variable === undefined ? html`${reason}` : html`set <code>${variable}</code>`;
}

function sentence(report: Report): string {
  const { ending, findings } = report;
  const requirements = claimedIn(report);
  const broken = requirements.filter(({ verdict }) => verdict === 'fail').length;
  const undecided = undecidedCount(report);
  const causes = findings.filter(({ verdict }) => verdict === 'fail').length;
  switch (ending) {
    case 'conforms':
      return `${decidedInWords(undecidedDecisions(report))}. Nothing deviates.`;
    case 'conforms-except':
      return `${decidedInWords(undecidedDecisions(report), ' or is an accepted gap')}. The baseline lists everything that deviates.`;
    case 'partial':
      return `Nothing deviates in the part that was run${broken === 0 ? '' : ', except what the baseline lists'}.`;
    case 'deviates': {
      const failing = `${broken} of ${counted(requirements.length, 'claimed requirement')} ${broken === 1 ? 'fails' : 'fail'}`;
      const rest =
        undecided === 0
          ? ''
          : ` ${counted(undecided, 'requirement')} ${undecided === 1 ? 'is' : 'are'} not fully decided.`;
      return `${failing} (${counted(causes, 'cause')}, shown below).${rest}`;
    }
    case 'incomplete':
      return `Nothing that was decided deviates, but ${counted(undecided, 'requirement')} cannot be decided with the variables that are set.`;
    case 'inconclusive':
      return `Nothing that was decided deviates, but ${counted(undecided, 'requirement')} could not be decided.`;
    case 'too-slow':
      return `Accepted requests took too long: ${exceededInWords(report.maxLatency)}. ${sentence({ ...report, ending: report.byContract.ending })}`;
  }
}

function tally(found: readonly { readonly verdict: string }[]): Readonly<Record<string, number>> {
  return Object.fromEntries(tallied(found.map(({ verdict }) => verdict)));
}

/** The counts as a bar and as a list. The widths are SVG attributes, because the policy allows no style attributes. */
function renderTally(title: string, counts: Readonly<Record<string, number>>): Html {
  const present = GRAVITY.filter((verdict) => (counts[verdict] ?? 0) > 0);
  const total = present.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0);
  if (total === 0) return html``;
  let from = 0;
  const bars = present.map((verdict) => {
    const width = Math.max(0.6, ((counts[verdict] ?? 0) / total) * 100);
    const bar = html`<rect data-verdict="${verdict}" x="${from.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`;
    from += width;
    return bar;
  });
  return html`<section class="tally" aria-label="${title} by verdict"><h3>${title} <b>${amount(total)}</b></h3>
<svg viewBox="0 0 ${from.toFixed(2)} 8" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<ul>${present.map(
    (verdict) => html`<li data-verdict="${verdict}"><b>${amount(counts[verdict] ?? 0)}</b> ${badge(verdict)}</li>\n`,
  )}</ul></section>`;
}
