import { visible } from '../contract/visible-text.ts';
import type { Verdict } from '../judge/judge-cases.ts';
import { readGroup } from '../plan/case.ts';
import { decisionId } from '../record/exchange.ts';
import { listedAs } from '../report/baseline.ts';
import { attributionInWords } from '../report/findings.ts';
import { type MeasuredLimit, measuredInWords } from '../report/latency-limits.ts';
import type { Report, ReportedFinding } from '../report/report.ts';
import type { ReportedStep } from '../report/steps.ts';
import { asVerdict, worstOf } from '../report/verdict-words.ts';
import { type NotTriedWords, notTriedInWords } from './not-tried-words.ts';
import { escapeMarkup } from './page/html.ts';
import { leftRows } from './run-figures.ts';
import { sectionLines, stepLines, WHOLE } from './step-lines.ts';

const MOST_LINES = 20;
/** One test case of JUnit: the cases of a group, or the decisions of a check on a requirement. */
interface Test {
  readonly operation: string;
  readonly kind: string;
  readonly name: string;
  readonly members: Member[];
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
  /** The finding that it belongs to. */
  readonly finding: ReportedFinding | undefined;
}

/**
 * junit.xml: a suite per operation, a test case per group (outcomes 4). A failure is a failure and `inconclusive` is an
 * error. What cannot be tested is skipped with the reason. `warn` and `observed` pass, and say so in `system-out`. A
 * failure that the baseline lists is skipped: a pass would claim that the requirement holds, and CI servers show the
 * number of skipped tests. What the run left on the target is in the `system-out` of a suite of its own.
 */
export function renderJunit(report: Report): string {
  const tests = testsOf(report);
  const operations = [...new Set(tests.map(({ operation }) => operation))];
  const suites = operations.map((operation) => {
    const ofOperation = tests.filter((test) => test.operation === operation);
    const head = attributes({
      name: operation,
      ...tally(ofOperation),
      time: seconds(timeIn(ofOperation.flatMap(({ members }) => members))),
    });
    return `  <testsuite ${head}>\n${ofOperation.map(renderTest).join('')}  </testsuite>\n`;
  });
  const untried = notTriedInWords(report.notTried);
  const limits = limitSuite(report.maxLatency);
  const all = tally(tests);
  const whole = attributes({
    name: `client-api-conformance ${report.target}`,
    ...all,
    tests: all.tests + limits.tests + untried.length,
    failures: all.failures + limits.failures,
    skipped: all.skipped + limits.skipped + untried.length,
    // The tests of a run overlap, and it waits between them.
    ...(report.durationMs !== null && { time: seconds(report.durationMs) }),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${whole}>\n${suites.join('')}${limits.markup}${renderNotTried(untried)}${renderLeft(report)}</testsuites>\n`;
}

/** What the run did not try: a skipped test for each reason, so that CI servers count and show it. */
function renderNotTried(untried: readonly NotTriedWords[]): string {
  if (untried.length === 0) return '';
  const head = attributes({ name: NOT_TRIED, ...tally([]), tests: untried.length, skipped: untried.length });
  const tests = untried.map(({ what, bearing }) => {
    const [name = what] = what.split(':');
    return `    <testcase ${attributes({ classname: NOT_TRIED, name })}>\n      <skipped ${attributes({ message: `${what}; ${bearing}` })}/>\n    </testcase>\n`;
  });
  return `  <testsuite ${head}>\n${tests.join('')}  </testsuite>\n`;
}
const NOT_TRIED = 'not tried';

/** What the run left on the target, in a suite without tests: it belongs to no operation. */
function renderLeft({ left }: Report): string {
  if (left.length === 0) return '';
  const lines = leftRows(left).flatMap(({ words, names }) => [words, ...(names === '' ? [] : [`  ${names}`])]);
  const head = attributes({ name: 'left on the target', ...tally([]) });
  return `  <testsuite ${head}>\n    <system-out>${content(lines)}</system-out>\n  </testsuite>\n`;
}

function testsOf({ cases, checks, expectations, baseline, findings }: Report): readonly Test[] {
  const tests = new Map<string, Test>();
  const add = (key: string, test: Omit<Test, 'members'>, member: Member) => {
    const existing = tests.get(key);
    if (existing) existing.members.push(member);
    else tests.set(key, { ...test, members: [member] });
  };
  const findingOf = new Map(findings.flatMap((finding) => finding.cases.map((id) => [id, finding] as const)));
  for (const found of cases) {
    const { id, group, verdict, expectation, got, reason, curl, listed, steps = [], ms = 0, time = ms } = found;
    const { operation, kind, rule } = readGroup(group);
    const { wanted = '', basis, interpretation } = { ...expectations[expectation], ...found };
    const supported = basis && attributionInWords({ basis, interpretation: interpretation ?? null });
    const compared = got === undefined ? [] : [`wanted ${wanted}, got ${got}`, supported];
    const known = listedAs(baseline, listed);
    const line = `${id}: ${[reason, ...compared].filter(Boolean).join('; ')}`;
    const outcome = outcomeOf(verdict, known);
    add(
      group,
      { operation, kind, name: rule },
      { outcome, known, line, curl, steps, time, finding: findingOf.get(id) },
    );
  }
  for (const decision of checks) {
    const { check, requirement, operation, kind, verdict, detail, curl, listed, steps = [], time = 0 } = decision;
    const name = `check ${check}: ${requirement}`;
    const line = `${requirement}: ${detail}; ${attributionInWords(decision)}`;
    const known = listedAs(baseline, listed);
    const blamed = verdict === 'fail' || verdict === 'warn';
    const isAbout = ({ requirements, cases: found }: ReportedFinding) =>
      requirements.includes(requirement) && found.includes(decisionId(decision));
    const finding = blamed ? findings.find(isAbout) : undefined;
    const member = { outcome: outcomeOf(asVerdict(verdict), known), known, line, curl, steps, time, finding };
    add(`${operation}/${kind}/${name}`, { operation, kind, name }, member);
  }
  return [...tests.values()];
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
  const head = `    <testcase ${attributes({ classname: `${operation}.${kind}`, name, time: seconds(timeIn(members)) })}`;
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
  switch (worst) {
    case 'fail':
      return `${head}>\n      <failure ${attributes({ message, type: worst })}>${content(lines)}</failure>\n    </testcase>\n`;
    case 'inconclusive':
      return `${head}>\n      <error ${attributes({ message, type: worst })}>${content(lines)}</error>\n    </testcase>\n`;
    case 'known': {
      const reasons = [...new Set(gravest.map(({ known = '' }) => known))].join('; ');
      return `${head}>\n      <skipped ${attributes({ message: reasons })}/>\n      <system-out>${content(lines)}</system-out>\n    </testcase>\n`;
    }
    case 'not-testable':
    case 'not-applicable': {
      const accepted = first?.known === undefined ? '' : `; ${first.known}`;
      return `${head}>\n      <skipped ${attributes({ message: `${worst}: ${message}${accepted}` })}/>\n    </testcase>\n`;
    }
    case 'warn':
    case 'observed':
      return `${head}>\n      <system-out>${content(lines)}</system-out>\n    </testcase>\n`;
    case 'pass':
      return observed.length === 0
        ? `${head}/>\n`
        : `${head}>\n      <system-out>${content(observed)}</system-out>\n    </testcase>\n`;
  }
}

/** The steps of the first case or decision that has some, and the text behind it. Otherwise its command line. */
function evidenceOf(members: readonly Member[]): readonly string[] {
  const shown = members.find(({ steps }) => steps.length > 0);
  if (!shown) return members.slice(0, 1).flatMap(({ curl }) => curl ?? []);
  const { finding, steps } = shown;
  return [
    '',
    ...steps.flatMap((step) => stepLines(step, WHOLE)),
    ...(finding ? ['', `${finding.id}: ${finding.text}`, ...sectionLines(finding.sections)] : []),
  ];
}

function tally(tests: readonly Test[]) {
  const worst = tests.map(({ members }) => worstIn(members));
  const count = (...outcomes: readonly Outcome[]) => worst.filter((outcome) => outcomes.includes(outcome)).length;
  return {
    tests: tests.length,
    failures: count('fail'),
    errors: count('inconclusive'),
    skipped: count('known', 'not-testable', 'not-applicable'),
  };
}

function timeIn(members: readonly Member[]): number {
  return members.reduce((sum, { time }) => sum + time, 0);
}

/** As JUnit has times: `1.250`. */
function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** A suite of JUnit, and what it adds to the counts of the whole. */
interface LimitSuite {
  readonly markup: string;
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
}

/** The limits of --max-latency as a suite with a test for each. A limit is skipped if no request was accepted. */
function limitSuite(limits: readonly MeasuredLimit[]): LimitSuite {
  const counts = {
    tests: limits.length,
    failures: limits.filter(({ exceeded }) => exceeded).length,
    skipped: limits.filter(({ took }) => took === null).length,
  };
  if (limits.length === 0) return { markup: '', ...counts };
  const head = attributes({ name: 'latency', ...counts, errors: 0 });
  return { markup: `  <testsuite ${head}>\n${limits.map(testOf).join('')}  </testsuite>\n`, ...counts };
}

function testOf(limit: MeasuredLimit): string {
  const head = `    <testcase ${attributes({ classname: `latency.${limit.operation}`, name: limit.measure })}`;
  const message = attributes({ message: measuredInWords(limit) });
  if (limit.exceeded) return `${head}>\n      <failure ${message} type="too slow"/>\n    </testcase>\n`;
  return limit.took === null ? `${head}>\n      <skipped ${message}/>\n    </testcase>\n` : `${head}/>\n`;
}

function attributes(pairs: Readonly<Record<string, string | number>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${escapeMarkup(visible(String(value)))}"`)
    .join(' ');
}

/** Lines of text without markup, and without characters that XML does not allow. */
function content(lines: readonly string[]): string {
  return lines.map((line) => escapeMarkup(visible(line))).join('\n');
}
