import { groupedBy } from '../contract/collections.ts';
import { visible } from '../contract/visible-text.ts';
import type { Verdict } from '../judge/judge-cases.ts';
import { readGroup } from '../plan/case.ts';
import { decisionId } from '../record/exchange.ts';
import { listedAs } from '../report/baseline.ts';
import { attributionInWords } from '../report/findings.ts';
import { type MeasuredLimit, measuredInWords } from '../report/latency.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import type { ReportedStep } from '../report/steps.ts';
import { worstOf } from '../report/verdict-words.ts';
import { type NotTriedWords, notTriedInWords } from './not-tried-words.ts';
import { escapeMarkup } from './page/html.ts';
import { leftRows } from './run-figures.ts';
import { sectionLines, stepLines } from './step-lines.ts';

const MOST_LINES = 20;
/** One test case of JUnit: the cases of a group, or the decisions of a check on a requirement. */
interface Test {
  readonly operation: string;
  readonly kind: string;
  readonly name: string;
  readonly members: readonly Member[];
}
/** `known` is a failure that the baseline lists. */
type Outcome = Verdict | 'known';
interface Member {
  /** Milliseconds of its requests. */
  readonly time: number;
  readonly outcome: Outcome;
  /** The entry of the baseline in words; undefined if no entry covers it. */
  readonly known: string | undefined;
  readonly line: string;
  readonly curl: string | undefined;
  readonly steps: readonly ReportedStep[];
  readonly finding: ReportedFinding | undefined;
}

/**
 * junit.xml: a suite per operation, a test case per group (outcomes 4). A failure is a failure and `inconclusive` is an
 * error. What cannot be tested is skipped with the reason. `warn` and `observed` pass, and say so in `system-out`. A
 * failure that the baseline lists is skipped: a pass would claim that the requirement holds, and CI servers show the
 * number of skipped tests. What the run left on the target is in the `system-out` of a suite of its own.
 */
export function renderJunit(report: Report): string {
  const { target, durationMs, maxLatency, notTried, left } = report;
  const ofOperations = groupedBy(testsOf(report), ({ operation }) => operation);
  const suites = [
    ...[...ofOperations].map(([name, own]) => {
      const time = timeIn(own.flatMap(({ members }) => members));
      return { name, tests: own.map(renderTest), more: { time } };
    }),
    { name: 'latency', tests: maxLatency.map(testOfLimit), more: {} },
    // A skipped test for each reason, so that CI servers count and show it.
    { name: NOT_TRIED, tests: notTriedInWords(notTried).map(testOfNotTried), more: {} },
  ].filter(({ tests }) => tests.length > 0);
  const whole = attributes({
    name: `client-api-conformance ${target}`,
    ...tally(suites.flatMap(({ tests }) => tests)),
    // The tests of a run overlap, and it waits between them.
    ...(durationMs !== null && { time: seconds(durationMs) }),
  });
  const texts = suites.map(({ name, tests, more }) => suiteOf({ name, ...tally(tests), ...more }, tests));
  const last = left.length === 0 ? '' : suiteOfLeft(left);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${whole}>\n${texts.join('')}${last}</testsuites>\n`;
}

function testOfNotTried({ what, bearing }: NotTriedWords): string {
  const [name = what] = what.split(':');
  return testCase({ classname: NOT_TRIED, name }, [skipped(`${what}; ${bearing}`)]);
}
const NOT_TRIED = 'not tried';

/** What the run left on the target, in a suite without tests: it belongs to no operation. */
function suiteOfLeft(left: Report['left']): string {
  const lines = leftRows(left).flatMap(({ words, names }) => [words, ...(names === '' ? [] : [`  ${names}`])]);
  return suiteOf({ name: 'left on the target', ...tally([]) }, [`    ${systemOut(lines)}\n`]);
}

function testsOf({ cases, checks, expectations, baseline, findings }: Report): readonly Test[] {
  const findingOf = new Map(findings.flatMap((finding) => finding.cases.map((id) => [id, finding] as const)));
  const ofCases = cases.map((found) => {
    const { id, group, verdict, expectation, got, reason, curl, listed, steps = [], ms = 0, time = ms } = found;
    const { operation, kind, rule } = readGroup(group);
    const { wanted = '', basis, interpretation } = { ...expectations[expectation], ...found };
    const supported = basis && attributionInWords({ basis, interpretation: interpretation ?? null });
    const compared = got === undefined ? [] : [`wanted ${wanted}, got ${got}`, supported];
    const known = listedAs(baseline, listed);
    const line = `${id}: ${[reason, ...compared].filter(Boolean).join('; ')}`;
    const outcome = outcomeOf(verdict, known);
    const member: Member = { outcome, known, line, curl, steps, time, finding: findingOf.get(id) };
    return { operation, kind, name: rule, member };
  });
  const ofChecks = checks.map((decision) => {
    const { check, requirement, operation, kind, verdict, detail, curl, listed, steps = [], time = 0 } = decision;
    const line = `${requirement}: ${detail}; ${attributionInWords(decision)}`;
    const known = listedAs(baseline, listed);
    const blamed = verdict === 'fail' || verdict === 'warn';
    const isAbout = ({ requirements, cases: found }: ReportedFinding) =>
      requirements.includes(requirement) && found.includes(decisionId(decision));
    const finding = blamed ? findings.find(isAbout) : undefined;
    const member: Member = { outcome: outcomeOf(verdict, known), known, line, curl, steps, time, finding };
    return { operation, kind, name: `check ${check}: ${requirement}`, member };
  });
  const tests = groupedBy([...ofCases, ...ofChecks], ({ operation, kind, name }) => `${operation}/${kind}/${name}`);
  return [...tests.values()].map((alike) => ({ ...alike[0], members: alike.map(({ member }) => member) }));
}

function outcomeOf(verdict: Verdict, known: string | undefined): Outcome {
  return verdict === 'fail' && known !== undefined ? 'known' : verdict;
}

/** The gravest outcome. `known` comes after `fail` and `inconclusive`, and before the others. */
function worstIn(members: readonly Member[]): Outcome {
  const worst = worstOf(members.flatMap(({ outcome }) => (outcome === 'known' ? [] : [outcome]))) ?? 'pass';
  if (worst === 'fail' || worst === 'inconclusive') return worst;
  return members.some(({ outcome }) => outcome === 'known') ? 'known' : worst;
}

function renderTest({ operation, kind, name, members }: Test): string {
  const worst = worstIn(members);
  const gravest = members.filter(({ outcome }) => outcome === worst);
  const [first] = gravest;
  const lines = [
    `${gravest.length} of ${members.length} ${worst}`,
    ...gravest.slice(0, MOST_LINES - 2).map(({ line }) => line),
    ...evidenceOf(gravest),
  ];
  const observed = members.flatMap(({ outcome, line }) => (outcome === 'observed' ? [line] : [])).slice(0, MOST_LINES);
  const message = first?.line ?? worst;
  const children = (): readonly string[] => {
    switch (worst) {
      case 'fail':
        return [`<failure ${attributes({ message, type: worst })}>${content(lines)}</failure>`];
      case 'inconclusive':
        return [`<error ${attributes({ message, type: worst })}>${content(lines)}</error>`];
      case 'known': {
        const reasons = [...new Set(gravest.map(({ known = '' }) => known))].join('; ');
        return [skipped(reasons), systemOut(lines)];
      }
      case 'not-testable':
      case 'not-applicable':
        return [skipped(`${worst}: ${message}${first?.known === undefined ? '' : `; ${first.known}`}`)];
      case 'warn':
      case 'observed':
        return [systemOut(lines)];
      case 'pass':
        return observed.length === 0 ? [] : [systemOut(observed)];
    }
  };
  return testCase({ classname: `${operation}.${kind}`, name, time: timeIn(members) }, children());
}

/** The steps of the first case or decision that has some, and the text behind it. Otherwise its command line. */
function evidenceOf(members: readonly Member[]): readonly string[] {
  const shown = members.find(({ steps }) => steps.length > 0);
  if (!shown) return members.slice(0, 1).flatMap(({ curl }) => curl ?? []);
  const { finding, steps } = shown;
  return [
    '',
    ...steps.flatMap(stepLines),
    ...(finding ? ['', `${finding.id}: ${finding.text}`, ...sectionLines(finding.sections)] : []),
  ];
}

/** Counts rendered tests by what is in them. Their texts are escaped, so that only we write elements. */
function tally(tests: readonly string[]) {
  const having = (element: string) => tests.filter((test) => test.includes(`<${element} `)).length;
  return { tests: tests.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

/** What members took together, as JUnit has times: `1.250`. */
function timeIn(members: readonly Member[]): string {
  return seconds(members.reduce((sum, { time }) => sum + time, 0));
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** The limits of --max-latency are tests. A limit is skipped if no request was accepted. */
function testOfLimit(limit: MeasuredLimit): string {
  const message = measuredInWords(limit);
  const failed = limit.exceeded ? [`<failure ${attributes({ message })} type="too slow"/>`] : [];
  const children = limit.took === null ? [skipped(message)] : failed;
  return testCase({ classname: `latency.${limit.operation}`, name: limit.measure }, children);
}

type Attributes = Readonly<Record<string, string | number>>;

function suiteOf(head: Attributes, children: readonly string[]): string {
  return `  <testsuite ${attributes(head)}>\n${children.join('')}  </testsuite>\n`;
}

function testCase(head: Attributes, children: readonly string[]): string {
  const open = `    <testcase ${attributes(head)}`;
  if (children.length === 0) return `${open}/>\n`;
  return `${open}>\n${children.map((child) => `      ${child}\n`).join('')}    </testcase>\n`;
}

function skipped(message: string): string {
  return `<skipped ${attributes({ message })}/>`;
}

function systemOut(lines: readonly string[]): string {
  return `<system-out>${content(lines)}</system-out>`;
}

function attributes(pairs: Attributes): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${escapeMarkup(visible(String(value)))}"`)
    .join(' ');
}

/** Lines of text without markup, and without characters that XML does not allow. */
function content(lines: readonly string[]): string {
  return lines.map((line) => escapeMarkup(visible(line))).join('\n');
}
