import { visible } from '../contract/visible-text.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import { viewOf } from './finding-view.ts';
import { SHORT, sectionLines } from './step-lines.ts';

/** A finding as a ticket in Markdown: what a developer needs to mend the target, without the report. */
export function ticketOf(finding: ReportedFinding, report: Report): string {
  const view = viewOf(finding, report);
  const { requirements, support, text, facts, curl } = view;
  const { suite, run, startedAt, target, contract } = report;
  return [
    `## ${requirements.join(', ')}: ${facts[0]?.[1] ?? ''}`,
    `${text} (${support})`,
    facts.map(([name, value]) => `- **${name}** ${code(value)}`).join('\n'),
    ...(curl === undefined ? [] : ['### Reproduce', block(curl, 'sh')]),
    ...titled('### Response', view.response(SHORT)),
    ...titled('### The specification', sectionLines(finding.sections)),
    `Found by client-api-conformance ${suite} in run ${run} of ${startedAt}, against ${code(target)} (contract ${contract}). \`explain ${finding.id}\` shows every step, \`replay ${finding.id}\` sends it again.`,
  ]
    .join('\n\n')
    .concat('\n');
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, block(lines.join('\n'), '')];
}

/** Text as code on one line. It can contain whatever a target wrote, and code is neither markup nor a mention. */
function code(text: string): string {
  const line = visible(text);
  const fence = fenceFor(line, 1);
  const padding = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

function block(text: string, language: string): string {
  const lines = text.split('\n').map(visible).join('\n');
  const fence = fenceFor(lines, 3);
  return `${fence}${language}\n${lines}\n${fence}`;
}

/** More backticks than the text has in a row. */
function fenceFor(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return '`'.repeat(Math.max(least, ...runs));
}
