import { endingInWords, inUse } from '../../judge/ending.ts';
import type { Verdict } from '../../judge/judge-cases.ts';
import type { Report } from '../../report/report.ts';
import { asVerdict, GRAVITY, MEANINGS, SYMBOLS } from '../../report/verdict-words.ts';
import { type Html, html } from './html.ts';

/** The verdict in one word and one sentence, and everything that it rests on. */
export function renderVerdict(report: Report): Html {
  const words = wordsOf(report);
  return html`<header class="verdict" data-verdict="${colourOf(report)}">
<p class="overline">Client API conformance</p>
<h1><i class="seal" aria-hidden="true">${SYMBOLS[colourOf(report)]}</i>${words.charAt(0).toUpperCase() + words.slice(1)}</h1>
<p class="lede">${sentence(report)}</p>
${report.stopped === null ? null : html`<p class="notice"><strong>The run was stopped:</strong> ${report.stopped}</p>\n`}${report.trouble.map((sentence) => html`<p class="notice"><strong>Trouble on the way:</strong> ${sentence}</p>\n`)}</header>
`;
}

/** How the run ended, in a few words. */
export function wordsOf({ ending, baseline }: Report): string {
  return endingInWords(ending, inUse(baseline));
}

export function renderCounts({ counts, requirements, checks }: Report): Html {
  const ofRequirements = tally(requirements.map(({ verdict }) => verdict));
  const ofChecks = tally(checks.map(({ verdict }) => verdict));
  return html`<div class="counts">
${renderTally('Requirements', ofRequirements)}
${renderTally('Cases', counts.verdicts)}
${renderTally('Hand-written checks', ofChecks)}
</div>
`;
}

/** What was asked and of whom, and how much of it nobody but the operator vouches for. */
export function renderGround(report: Report): Html {
  const { claims, counts, restsOnWord, outOfPlan } = report;
  const unplanned = outOfPlan.reduce((sum, { cases }) => sum + cases, 0);
  const basis = claims.inferred ? 'inferred from the variables that are set' : 'as CONFORMANCE_CLAIMS states';
  const word =
    restsOnWord.length === 0
      ? html`nothing rests on it: every credential was seen to work, or was made for this run`
      : html`<a href="#word">${many(restsOnWord.length, 'token')}</a> taken to be what the names say: no request could show that they ever lived`;
  const rows: readonly (readonly [string, Html])[] = [
    ['Target', html`<code>${report.target}</code>${report.embedded ? ', with credentials made for this run' : ''}`],
    ['Claims', html`${[...claims.kinds, ...claims.capabilities].join(', ')}; ${basis}`],
    [
      'Depth',
      html`${report.depth}: ${amount(counts.planned)} cases planned, ${amount(counts.executed)} executed in ${amount(counts.requests)} requests${
        unplanned === 0
          ? null
          : html`; <a href="#unasked">${amount(unplanned)} more</a> would need tokens on which nothing claimed rests`
      }`,
    ],
    ...(report.narrowed === null ? [] : [['Narrowed', html`<code>${report.narrowed}</code>`] as const]),
    ["Operator's word", word],
    [
      'Run',
      html`<time datetime="${report.startedAt}">${report.startedAt.slice(0, 16).replace('T', ' ')} UTC</time> by client-api-conformance ${report.suite}, contract <code>${report.contract}</code>, id <code>${report.run}</code>`,
    ],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** What each symbol means; the picture and the lists speak in them. */
export function renderLegend(): Html {
  return html`<ul class="legend">${GRAVITY.map(
    (verdict) => html`<li>${badge(verdict)} ${MEANINGS[verdict]}</li>\n`,
  )}</ul>`;
}

export function badge(verdict: Verdict): Html {
  return html`<span class="badge" data-verdict="${verdict}"><i aria-hidden="true">${SYMBOLS[verdict]}</i>${verdict}</span>`;
}

export function amount(count: number): string {
  return count.toLocaleString('en');
}

/** Words of ours, in which backticks set off what is code. */
export function prose(text: string): readonly Html[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}

// report.json says whether something is a variable by its text alone: a field would change its form.
/** A reason that is a variable says what to do; any other is words already. */
export function setting(reason: string): Html {
  return /^[A-Z_]+$/.test(reason) ? html`set <code>${reason}</code>` : html`${reason}`;
}

function sentence({ ending, line, findings, requirements }: Report): string {
  const broken = requirements.filter(({ verdict }) => verdict === 'fail').length;
  const lacking = requirements.filter(({ undecided }) => undecided.length > 0).length;
  const causes = findings.filter(({ verdict }) => verdict === 'fail').length;
  const still =
    lacking === 0 ? '' : ` ${many(lacking, 'requirement')} ${lacking === 1 ? 'is' : 'are'} not fully decided.`;
  switch (ending) {
    case 'conforms':
      return 'Everything that is claimed is decided, and nothing deviates.';
    case 'conforms-except':
      return 'Everything that is claimed is decided or accepted as a gap, and nothing deviates but what is listed in the baseline.';
    case 'partial':
      return `Nothing deviates in the part that was run${broken === 0 ? '' : ', but what is listed in the baseline'}.`;
    case 'deviates':
      return `${broken} of ${many(requirements.length, 'requirement')} ${broken === 1 ? 'fails' : 'fail'}, for ${many(causes, 'cause')} shown below.${still}`;
    case 'incomplete':
      return `Nothing that was decided deviates, but ${many(lacking, 'requirement')} cannot be decided with what is set.`;
    case 'inconclusive':
      return `Nothing that was decided deviates, but ${many(lacking, 'requirement')} stayed undecided.`;
    default:
      return line;
  }
}

function many(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function colourOf({ exitCode, ending }: Report): Verdict {
  if (exitCode === 0) return 'pass';
  return asVerdict(ending === 'deviates' ? 'fail' : ending === 'incomplete' ? 'not-testable' : 'inconclusive');
}

function tally(verdicts: readonly Verdict[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

/** A bar for the eye and the same in words. Widths are attributes of SVG: the policy allows no style of an element. */
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
