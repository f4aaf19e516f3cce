import { counted } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { installedAs } from '../contract/package-files.ts';
import { visible } from '../contract/visible-text.ts';
import { decisionId } from '../record/exchange.ts';
import { isCommandLine } from '../record/journal.ts';
import type { Replayed, ReplayVerdict } from '../report/replayed.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import type { ReportedStep } from '../report/steps.ts';
import { contractInWords } from '../report/verdict-words.ts';
import { type Colors, type Mark, marked } from './amounts.ts';
import { type Extent, responseLines, SHORT, sectionLines, stepLines } from './step-lines.ts';

/** A name and its value, as `where` and the places. */
export type Fact = readonly [name: string, value: string];

/** What a finding shows. Every output prints this value, each in its own form. */
export interface FindingView extends Pick<ReportedFinding, 'id' | 'verdict' | 'listed' | 'requirements' | 'text'> {
  /** What the requirement rests on: `spec 7; stated`. */
  readonly support: string;
  /** Where it was seen, what was wanted, what came, and what to know about both. */
  readonly facts: readonly Fact[];
  /** `12 cases and 3 checks`. */
  readonly amount: string;
  /** The command line that sends the request again. Undefined if there is none that can be pasted. */
  readonly curl: string | undefined;
  /** The response to the step that failed, in lines. */
  readonly response: (extent: Extent) => readonly string[];
  /** Every step of the example, in order. A step without a command line that can be pasted has none. */
  readonly steps: readonly ReportedStep[];
}

/**
 * @param report the report that has the finding. It may come from somebody else, and people paste its command lines.
 * @param replayOf the command line with which its reader sends a finding again.
 */
export function viewOf(
  finding: ReportedFinding,
  { checks }: Pick<Report, 'checks'>,
  replayOf = (id: string) => `${installedAs} replay ${id}`,
): FindingView {
  const { id, verdict, listed, requirements, sources, basis, text, where, wanted, got, interpretation, caveat } =
    finding;
  const known = new Set(checks.map(decisionId));
  const ofChecks = finding.cases.filter((one) => known.has(one)).length;
  const ofCases = finding.cases.length - ofChecks;
  const amounts = [ofCases > 0 && counted(ofCases, 'case'), ofChecks > 0 && counted(ofChecks, 'check')];
  const amount = given(amounts).join(' and ');
  // Without a step that failed, the last one: its answer decided.
  const failed = finding.steps.find((step) => step.failed) ?? finding.steps.at(-1);
  return {
    id,
    verdict,
    listed,
    requirements,
    support: `${sources.join('; ')}; ${basis}`,
    text,
    facts: given<Fact>([
      ['where', `${where} (${amount})`],
      ['wanted', wanted],
      ['got', got],
      interpretation !== null && ['interpreted', interpretation],
      caveat !== null && ['caveat', caveat],
      // Checks send several requests, some of them side by side.
      ofCases === 0 && ['again', `\`${replayOf(id)}\` sends the whole check; one request of it may not fail alone`],
      !known.has(finding.example) && answeredOtherwise(finding),
    ]),
    amount,
    curl: pastable(finding.curl),
    response: (extent) => (failed ? responseLines(failed.response, extent) : []),
    steps: finding.steps.map(({ curl, ...step }) => {
      const pasted = pastable(curl);
      return pasted === undefined ? step : { ...step, curl: pasted };
    }),
  };
}

/** What the last of several equal requests got, if it was something else than what is wrong: a pasted line may get that too. */
function answeredOtherwise({ steps }: ReportedFinding): Fact | false {
  const last = steps.at(-1);
  if (!last || last.failed || !steps.some(({ failed }) => failed)) return false;
  const [got] = responseLines(last.response, SHORT);
  return ['again', `the same request got ${got} when it was sent again: what is wrong comes only sometimes`];
}

/** `F1 fail, listed: act-as.missing (spec 7; stated)`. */
export function headOf({ id, verdict, listed, requirements, support }: FindingView): string {
  return `${id} ${verdict}${listed ? ', listed in the baseline' : ''}: ${requirements.join(', ')} (${support})`;
}

function pastable(curl: string | undefined): string | undefined {
  return curl !== undefined && isCommandLine(curl) ? curl : undefined;
}

/** Steps are shown of this many that still fail. The others have a line. */
const MOST_SHOWN = 3;

/** What came of everything that was sent again, and whether it still fails. @param hasFailed false for what no report blames. */
export function renderReplayed(
  id: string,
  verdict: ReplayVerdict,
  replayed: readonly Replayed[],
  { colors, hasFailed }: { readonly colors: Colors; readonly hasFailed: boolean },
): string {
  const words = (one: ReplayVerdict) => (one === 'no longer fails' && !hasFailed ? 'does not fail' : one);
  const shown = replayed.filter((one) => one.verdict !== 'no longer fails').slice(0, MOST_SHOWN);
  const lines = replayed.flatMap((one) => [
    `${marked(MARKS[one.verdict], words(one.verdict), colors)}  ${colors.bold(one.id)}: ${one.detail}`,
    ...(shown.includes(one) ? one.steps.flatMap(stepLines).map((line) => `  ${line}`) : []),
  ]);
  const count = replayed.filter((one) => one.verdict === verdict).length;
  const of = replayed.length > 1 ? ` (${count} of ${counted(replayed.length, 'answer')})` : '';
  return [
    ...lines,
    '',
    marked(MARKS[verdict], `${id} ${verdict === 'undecided' ? 'is ' : ''}${words(verdict)}${of}`, colors),
  ].join('\n');
}

const MARKS: Readonly<Record<ReplayVerdict, Mark>> = {
  'still fails': 'bad',
  undecided: 'open',
  'no longer fails': 'good',
};

/** A finding as a ticket in Markdown: what a developer needs to mend the target, without the report. */
export function ticketOf(finding: ReportedFinding, report: Report): string {
  const view = viewOf(finding, report);
  const { requirements, support, text, facts, curl } = view;
  const { suite, run, startedAt, target } = report;
  return [
    `## ${requirements.join(', ')}: ${facts[0]?.[1] ?? ''}`,
    `${text} (${support})`,
    facts.map(([name, value]) => `- **${name}** ${code(value)}`).join('\n'),
    ...(curl === undefined ? [] : ['### Reproduce', block(curl, 'sh')]),
    ...titled('### Response', view.response(SHORT)),
    ...titled('### The specification', sectionLines(finding.sections)),
    `Found by client-api-conformance ${suite} in run ${run} of ${startedAt}, against ${code(target)} (${contractInWords(report)}). \`${installedAs} explain ${finding.id}\` shows every step, \`${installedAs} replay ${finding.id}\` sends it again.`,
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
