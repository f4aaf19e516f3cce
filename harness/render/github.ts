import { randomBytes } from 'node:crypto';
import { VERDICTS } from '../judge/judge-cases.ts';
import type { ReportedFinding } from '../report/findings.ts';
import type { Report } from '../report/report.ts';
import { visible } from '../report/visible-text.ts';

/** GitHub shows no more annotations of a kind for a step, and a summary of at most a megabyte. */
const MOST_ANNOTATIONS = 10;
const MOST_CAUSES = 50;
const MOST_CHARACTERS = 2_000;

/** Workflow commands that mark each cause, one to a line; what a target said stays inside its own line. */
export function githubAnnotations({ findings, undecided, line, exitCode }: Report): readonly string[] {
  const causes = findings.slice(0, MOST_ANNOTATIONS - 1).map((finding) => {
    const title = `${finding.id} ${finding.requirements.join(', ')} (${finding.sources.join('; ')})`;
    return command(levelOf(finding), title, linesOf(finding).join('\n'));
  });
  const more = findings.length - causes.length;
  const unlisted = undecided.filter(({ accepted }) => !accepted);
  return [
    ...causes,
    ...(more > 0 ? [command('warning', `${more} more causes`, 'They are in the report.')] : []),
    ...(exitCode > 1 && unlisted.length > 0
      ? [
          command(
            'warning',
            line,
            unlisted.map(({ reason, requirements }) => `${reason}: ${requirements.join(', ')}`).join('\n'),
          ),
        ]
      : []),
  ];
}

function levelOf({ verdict, listed }: ReportedFinding): 'error' | 'warning' | 'notice' {
  if (listed) return 'notice';
  return verdict === 'fail' ? 'error' : 'warning';
}

function linesOf({ text, where, cases, wanted, got, curl }: ReportedFinding): readonly string[] {
  return [text, `where: ${where} (${cases.length})`, `wanted: ${wanted}`, `got: ${got}`, `again: ${curl}`];
}

/** A message may have line feeds, written as the runner wants them; a title must end before the next `::`. */
function command(level: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const lines = message.split('\n').map((line) => visible(line).slice(0, MOST_CHARACTERS));
  return `::${level} title=${property(visible(title).slice(0, 200))}::${data(lines.join('\n'))}`;
}

function data(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function property(text: string): string {
  return data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}

/** What else is printed may hold a command that a target wrote; between these lines the runner reads none. */
export function withoutCommands(): { readonly stop: string; readonly resume: string } {
  const token = randomBytes(16).toString('hex');
  return { stop: `::stop-commands::${token}`, resume: `::${token}::` };
}

/** The summary of a step, in Markdown. */
export function githubSummary(report: Report): string {
  const { findings, counts, undecided, line, target, depth, run, exitCode } = report;
  const sign = exitCode === 0 ? '✅' : exitCode === 1 ? '❌' : '⚠️';
  const verdicts = VERDICTS.filter((verdict) => counts.verdicts[verdict] > 0);
  const shown = undecided.slice(0, MOST_CAUSES);
  return [
    `## ${sign} ${plain(line)}`,
    `${plain(target)}, depth ${plain(depth)}, run ${plain(run)}: ${counts.executed} of ${counts.planned} cases in ${counts.requests} requests`,
    row(verdicts),
    row(verdicts.map(() => '---:')),
    `${row(verdicts.map((verdict) => String(counts.verdicts[verdict])))}\n`,
    ...(findings.length > 0 ? ['### Causes'] : []),
    ...findings.slice(0, MOST_CAUSES).map(causeOf),
    ...(findings.length > MOST_CAUSES ? [`${findings.length - MOST_CAUSES} more are in the report.\n`] : []),
    ...(shown.length > 0
      ? ['### Undecided\n', row(['what would decide it', 'requirements']), row(['---', '---'])]
      : []),
    ...shown.map(({ reason, requirements }) => row([plain(reason), plain(requirements.join(', '))])),
    '',
  ].join('\n');
}

function causeOf(finding: ReportedFinding): string {
  const { id, verdict, requirements, sources, listed } = finding;
  const head = `${id} ${verdict}${listed ? ', listed' : ''}: ${requirements.join(', ')} (${sources.join('; ')})`;
  const body = linesOf(finding).map((line) => `<div>${plain(line)}</div>`);
  return `<details><summary>${plain(head)}</summary>${body.join('')}</details>\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text that nothing in it can turn into Markdown, HTML or a link: all but letters, digits and blanks as references. */
function plain(text: string): string {
  return [...visible(text).slice(0, MOST_CHARACTERS)]
    .map((character) => (/[\p{L}\p{N} ]/u.test(character) ? character : `&#${character.codePointAt(0)};`))
    .join('');
}
