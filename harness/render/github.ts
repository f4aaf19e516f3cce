import { counted, firstShown } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { calledAs } from '../contract/package-files.ts';
import { visible } from '../contract/visible-text.ts';
import { VERDICTS } from '../judge/judge-cases.ts';
import type { ReportedFinding } from '../report/findings.ts';
import { exceededInWords, measuredInWords } from '../report/latency.ts';
import { refusedInWords } from '../report/refused-tokens.ts';
import type { Report } from '../report/report.ts';
import { CHANGES, changeInWords, rulesInWords, sinceTitle } from '../report/since.ts';
import { hasWarnings, verdictLine } from '../report/verdict-words.ts';
import { type FindingView, headOf, viewOf } from './finding-view.ts';
import { notTriedInWords } from './not-tried-words.ts';
import { figuresOf, leftRows } from './run-figures.ts';
import { SHORT } from './step-lines.ts';
import { changeLines } from './terminal-history.ts';
import { MOST_CHARACTERS, workflowCommand } from './workflow-commands.ts';

/** GitHub shows at most ten annotations of each level for a step, and takes at most one megabyte of summary or outputs. */
const MOST_ANNOTATIONS = 10;
const MOST_CAUSES = 50;
const replayOf = (id: string) => `${calledAs} replay ${id}`;

/** One workflow command per line for each cause. Text that a target chose cannot begin a line of its own. */
export function githubAnnotations(report: Report): readonly string[] {
  const { findings, refusedTokens, undecided, line, exitCode, maxLatency } = report;
  const isSlow = maxLatency.some(({ exceeded }) => exceeded);
  const refused = refusedTokens.map((token) =>
    workflowCommand('error', refusedInWords(token), `reproduce: ${token.curl}`),
  );
  // What the baseline lists must not take the place of something new.
  const unlistedFirst = [...findings].sort((a, b) => Number(a.listed) - Number(b.listed));
  const causes = unlistedFirst.map((finding) => {
    const view = viewOf(finding, report, replayOf);
    const { curl, response } = view;
    const lines = given([
      ...aboutLines(view),
      curl !== undefined && `reproduce: ${curl}`,
      ...response(SHORT).map((line) => `response: ${line}`),
    ]);
    const title = `${view.id} ${view.requirements.join(', ')} (${view.support})`;
    return workflowCommand(levelOf(finding), title, lines.join('\n'));
  });
  const most = Math.max(0, MOST_ANNOTATIONS - 1 - refused.length - Number(isSlow));
  const gaps = undecided.flatMap(({ accepted, reason, requirements }) =>
    accepted ? [] : [`${reason}: ${requirements.join(', ')}`],
  );
  const figures = figuresOf(report).map(([name, value]) => `${name}: ${value}`);
  const notTried = notTriedInWords(report.notTried).map(({ what }) => `not tried: ${what}`);
  return given([
    ...refused,
    isSlow && workflowCommand('error', 'too slow', exceededInWords(maxLatency)),
    ...firstShown(causes, most, (more) => workflowCommand('warning', counted(more, 'more cause'), 'See the report.')),
    workflowCommand('notice', verdictLine(report), [...figures, ...notTried].join('\n')),
    exitCode > 1 && gaps.length > 0 && workflowCommand('warning', line, gaps.join('\n')),
  ]);
}

function levelOf({ verdict, listed }: ReportedFinding): 'error' | 'warning' | 'notice' {
  if (listed) return 'notice';
  return verdict === 'fail' ? 'error' : 'warning';
}

function aboutLines({ text, facts }: FindingView): readonly string[] {
  return [text, ...facts.map(([name, value]) => `${name}: ${value}`)];
}

/** The summary of the step, in Markdown. */
export function githubSummary(report: Report): string {
  const { findings, refusedTokens, counts, undecided } = report;
  const verdicts = VERDICTS.filter((verdict) => counts.verdicts[verdict] > 0);
  const shown = undecided.slice(0, MOST_CAUSES);
  const causes = findings.map((finding) => causeOf(viewOf(finding, report, replayOf)));
  const notTried = notTriedInWords(report.notTried).map(({ what, bearing }) => `${plain(what)}; ${plain(bearing)}`);
  const left = leftRows(report.left).map(({ words, names }) => plain(names === '' ? words : `${words} (${names})`));
  return [
    `## ${signOf(report)} ${plain(verdictLine(report))}`,
    ...refusedTokens.map((token) => `❌ ${plain(refusedInWords(token))}\n`),
    ...report.maxLatency.map((limit) => `${limit.exceeded ? '❌' : '✅'} ${plain(measuredInWords(limit))}\n`),
    ...figuresOf(report).map(([name, value]) => `- ${name}: ${plain(value)}`),
    '',
    row(verdicts),
    row(verdicts.map(() => '---:')),
    `${row(verdicts.map((verdict) => String(counts.verdicts[verdict])))}\n`,
    ...(findings.length > 0 ? ['### Causes'] : []),
    ...firstShown(causes, MOST_CAUSES, (more) => `${counted(more, 'more cause')} in the report.\n`),
    ...changesSince(report),
    ...(shown.length > 0 ? ['### Undecided\n', row(['reason', 'requirements']), row(['---', '---'])] : []),
    ...shown.map(({ reason, requirements }) => row([plain(reason), plain(requirements.join(', '))])),
    ...items('Not tried', notTried),
    // What an operator may want to remove.
    ...items('Left on the target', left),
    '',
  ].join('\n');
}

function changesSince({ since }: Report): readonly string[] {
  if (since === null) return [];
  const rows = CHANGES.flatMap((change) =>
    changeLines(since[change]).map((line) => row([changeInWords(since, change), plain(line)])),
  );
  const table = [row(['change', 'requirement']), row(['---', '---']), ...rows];
  const rules = rulesInWords(since);
  const title = [`### ${plain(sinceTitle(since))}\n`, ...(rules === undefined ? [] : [`${plain(rules)}\n`])];
  return [...title, ...(rows.length === 0 ? ['Nothing changed.'] : table), ''];
}

function items(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`\n### ${title}\n`, ...lines.map((line) => `- ${line}`)];
}

function signOf(report: Report): string {
  if (report.exitCode === 0 && !hasWarnings(report)) return '✅';
  return report.exitCode === 1 ? '❌' : '⚠️';
}

/** The command line is in a block of its own, which GitHub neither folds nor wraps, and gives a button to copy it. */
function causeOf(view: FindingView): string {
  const { curl } = view;
  const response = view.response(SHORT);
  return given([
    `#### ${plain(headOf(view))}\n`,
    aboutLines(view)
      .map((line) => `<div>${plain(line)}</div>`)
      .join(''),
    curl !== undefined && `\n<pre><code>${plain(curl)}</code></pre>`,
    response.length > 0 &&
      `\n<details><summary>Response</summary><pre>${response.map(plain).join('<br>')}</pre></details>`,
    '',
  ]).join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text that cannot become Markdown, HTML or a link: all but letters, digits and spaces are character references. */
function plain(text: string): string {
  return [...visible(text).slice(0, MOST_CHARACTERS)]
    .map((character) => (/[\p{L}\p{N} ]/u.test(character) ? character : `&#${character.codePointAt(0)};`))
    .join('');
}

/**
 * The outputs of the step, one line each: `ending`, and `causes` as JSON. They hold only names of the contract and no
 * text of the target, because a later step may paste an output into a shell. JSON writes a line feed as `\n`, so no value
 * can begin a line of its own.
 */
export function githubOutputs({ ending, findings }: Report): string {
  const causes = findings
    .slice(0, MOST_CAUSES)
    .map(({ id, verdict, requirements, listed }) => ({ id, verdict, requirements, listed }));
  return `ending=${ending}\ncauses=${JSON.stringify(causes)}\n`;
}
