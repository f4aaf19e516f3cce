import { amount } from '../../contract/amounts.ts';
import type { Verdict } from '../../judge/judge-cases.ts';
import { type HistoryRun, isSameTarget, type NumberedRun, numbered } from '../../report/history.ts';
import type { Report } from '../../report/report.ts';
import { startOf } from '../../report/since.ts';
import { GRAVITY } from '../../report/verdict-words.ts';
import { durationInWords } from '../amounts.ts';
import { historyCells, notPassing, notPassingInWords, runTitle, timedOperations } from '../terminal-history.ts';
import { type Html, html } from './html.ts';

/** Causes whose runs are counted. */
const MOST_CAUSES = 12;

/** A single run is no trend, and runs against another target are none of this one. */
export function hasTrend(report: Report, runs: readonly HistoryRun[]): boolean {
  return ofTarget(report, runs).length > 1;
}

/** What the report folder remembers of this target, in pictures and as a table. Needs no script. */
export function renderTrend(report: Report, runs: readonly HistoryRun[]): Html | null {
  const lastFirst = ofTarget(report, runs);
  const shown = lastFirst.map(({ run }) => run).reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last || first === last) return null;
  return html`<p class="note">The last ${amount(shown.length)} runs against this target that this report folder remembers, from ${startOf(first)} to ${startOf(last)}, the oldest on the left. <code>compare --history</code> lists them and compares any two.</p>
<div class="trend">
${renderRequirements(shown)}${renderDurations(shown)}${renderLatencies(shown)}</div>
${renderCauses(report, shown)}${renderTable(report, lastFirst)}`;
}

function ofTarget(report: Report, runs: readonly HistoryRun[]): readonly NumberedRun[] {
  return numbered(runs).filter(({ run }) => isSameTarget(report, run));
}

/** What does not pass, by verdict. A run in which all pass has a short bar. */
function renderRequirements(runs: readonly HistoryRun[]): Html {
  const allPass: ReturnType<typeof notPassing> = [{ verdict: 'pass', count: 0 }];
  const counts = runs.map((run) => (notPassing(run).length > 0 ? notPassing(run) : allPass));
  const sums = counts.map((found) => found.reduce((sum, { count }) => sum + count, 0));
  const most = Math.max(...sums);
  const bars = runs.map((run, index) => ({
    title: `${runTitle(run)}: ${notPassingInWords(run)}`,
    parts: (counts[index] ?? allPass).map(({ verdict, count }) => ({ verdict, value: count })),
  }));
  return renderPanel({
    title: 'Requirements that do not pass',
    now: amount(sums.at(-1) ?? 0),
    note: most === 0 ? 'none in any run' : `most: ${amount(most)}`,
    label: sums.map(amount).join(', '),
    bars,
    most,
    verdicts: GRAVITY.filter((verdict) => counts.flat().some((one) => one.verdict === verdict)),
  });
}

function renderDurations(runs: readonly HistoryRun[]): Html {
  const most = Math.max(...runs.map(({ durationMs }) => durationMs ?? 0));
  const words = runs.map(({ durationMs }) => durationInWords(durationMs) ?? 'unknown');
  const bars = runs.map((run, index) => ({
    title: `${runTitle(run)}: ${words[index]}`,
    parts: run.durationMs === null ? [] : [{ part: 'time' as const, value: run.durationMs }],
  }));
  return renderPanel({
    title: 'Duration',
    now: words.at(-1) ?? '',
    note: `longest: ${durationInWords(most)}`,
    label: words.join(', '),
    bars,
    most,
  });
}

/** A picture for each operation: the time within which 95 % of its accepted requests were answered, and the median. */
function renderLatencies(runs: readonly HistoryRun[]): readonly Html[] {
  const operations = [...new Set(runs.flatMap(({ latency }) => latency.map(({ operation }) => operation)))];
  return operations.map((operation) => {
    const times = runs.map(({ latency }) => latency.find((one) => one.operation === operation));
    const most = Math.max(...times.map((found) => found?.percentile95 ?? 0));
    const now = times.at(-1);
    const inMs = (ms: number) => `${amount(ms)} ms`;
    const bars = runs.map((run, index) => {
      const found = times[index];
      return {
        title: `${runTitle(run)}: ${found ? `95 % within ${inMs(found.percentile95)}, median ${inMs(found.median)}` : 'no accepted request'}`,
        parts: found
          ? [
              { part: 'median' as const, value: found.median },
              { part: 'time' as const, value: found.percentile95 - found.median },
            ]
          : [],
      };
    });
    return renderPanel({
      title: `${operation}, 95 % within`,
      now: now ? inMs(now.percentile95) : '–',
      note: `${now ? `median ${inMs(now.median)}, the lower part; ` : ''}longest: ${inMs(most)}`,
      label: times.map((found) => (found ? inMs(found.percentile95) : 'none')).join(', '),
      bars,
      most,
    });
  });
}

/** Since when each failing cause is there. */
function renderCauses({ findings }: Report, runs: readonly HistoryRun[]): Html | null {
  const failing = findings.filter(({ verdict }) => verdict === 'fail').slice(0, MOST_CAUSES);
  if (failing.length === 0) return null;
  const items = failing.map(({ id, key, requirements }) => {
    const having = runs.filter(({ causes }) => causes.some((cause) => cause.key === key && cause.verdict === 'fail'));
    const [first] = having;
    const since =
      first && having.length > 1
        ? `${amount(having.length)} of these runs, first on ${startOf(first)}`
        : 'this run alone';
    return html`<li><a href="#${id}">${id} ${requirements.join(', ')}</a> <span class="quiet">in ${since}</span></li>\n`;
  });
  return html`<ul class="plain trend-causes" aria-label="Causes over time">
${items}</ul>
`;
}

function renderTable(report: Report, lastFirst: readonly NumberedRun[]): Html {
  const operations = timedOperations(lastFirst.map(({ run }) => run).reverse());
  const rows = lastFirst.map(({ number, run }) => {
    const { ending, requirements, causes, duration, times, depth } = historyCells(run, operations);
    const isThis = run.run === report.run && run.startedAt === report.startedAt;
    return html`<tr><td class="count">${number}</td><th scope="row"><time datetime="${run.startedAt}">${startOf(run)}</time> <span class="quiet">${run.run}${isThis ? ', this run' : ''}</span></th><td>${ending}</td><td>${requirements}</td><td class="count">${causes}</td><td class="count">${duration}</td>${times.map((time) => html`<td class="count">${time}</td>`)}<td>${depth}</td></tr>
`;
  });
  return html`<details><summary>These runs as a table</summary>
<div class="scroll" role="group" aria-label="Runs" tabindex="0"><table class="rows history">
<thead><tr><th scope="col" class="count">Number</th><th scope="col">Run</th><th scope="col">Ended</th><th scope="col">Do not pass</th><th scope="col" class="count">Causes</th><th scope="col" class="count">Duration</th>${operations.map((id) => html`<th scope="col" class="count">${id}, 95 %</th>`)}<th scope="col">Depth</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>
`;
}

/** What a run has in a picture, from the bottom: parts of a verdict, or of a time. */
interface Bar {
  /** What a pointer shows. */
  readonly title: string;
  readonly parts: readonly ({ readonly value: number } & (
    | { readonly verdict: Verdict }
    | { readonly part: 'time' | 'median' }
  ))[];
}
interface Panel {
  readonly title: string;
  /** The value of the last run. */
  readonly now: string;
  readonly note: string;
  /** All values, for those who hear the page. */
  readonly label: string;
  readonly bars: readonly Bar[];
  /** The value of a full bar. */
  readonly most: number;
  /** The verdicts whose colours the bars have. */
  readonly verdicts?: readonly Verdict[];
}

const HEIGHT = 100;
/** A value above 0 is seen. */
const LEAST = 4;
/** Two runs fill no picture: their bars would be as wide as a column of text. */
const LEAST_BARS = 12;

/**
 * A picture with the oldest run on the left. Sizes are attributes, because the policy of the page allows no style attributes,
 * and no text is in the picture, because it is stretched.
 */
function renderPanel({ title, now, note, label, bars, most, verdicts = [] }: Panel): Html {
  const columns = bars.map(({ title, parts }, index) => {
    let top = HEIGHT;
    const rects = parts.map((part) => {
      const height = Math.max(LEAST, most === 0 ? 0 : (part.value / most) * (HEIGHT - LEAST * parts.length));
      top -= height;
      const kind = 'verdict' in part ? html`data-verdict="${part.verdict}"` : html`class="${part.part}"`;
      return html`<rect ${kind} x="${index + 0.12}" y="${top.toFixed(1)}" width="0.76" height="${height.toFixed(1)}"/>`;
    });
    return html`<g><title>${title}</title><rect class="column" x="${index}" width="1" height="${HEIGHT}"/>${rects}</g>`;
  });
  return html`<figure><figcaption>${title} <b>${now}</b> <span>${note}</span>${verdicts.map((verdict) => html` <span class="key" data-verdict="${verdict}"><i></i>${verdict}</span>`)}</figcaption>
<svg role="img" aria-label="${title}, from the oldest run to the last one: ${label}" viewBox="0 0 ${Math.max(bars.length, LEAST_BARS)} ${HEIGHT}" preserveAspectRatio="none">${columns}</svg></figure>
`;
}
