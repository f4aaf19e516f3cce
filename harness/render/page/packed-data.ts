import { counted } from '../../contract/amounts.ts';
import { listedBy, numberIn } from '../../contract/collections.ts';
import { visible } from '../../contract/visible-text.ts';
import { readGroup, unitOf } from '../../plan/case.ts';
import { decisionId } from '../../record/exchange.ts';
import { listedAs } from '../../report/baseline.ts';
import type { ReportedCase } from '../../report/cases.ts';
import { pairOf } from '../../report/decided-pairs.ts';
import { attributionInWords } from '../../report/findings.ts';
import type { Report, ReportedFinding } from '../../report/report.ts';
import { CHANGE_WORDS, type Change, ROW_CHANGES } from '../../report/since.ts';
import type { ReportedStep } from '../../report/steps.ts';
import { GRAVITY, SYMBOLS } from '../../report/verdict-words.ts';
import { responseLines, WHOLE } from '../step-lines.ts';
import { type Html, html } from './html.ts';

/** The data of the page's script, packed: cases consist of few different words, so each is written once. Index 0 is the empty text. */
export function packCases(report: Report): string {
  const texts = new Map([['', 0]]);
  const word = (text = '') => numberIn(texts, visible(text));
  const words = (parts: readonly string[]) => parts.map(word);
  const command = (curl = '') => words(curl.split(/ (?=-[A-Za-z] )/));
  const log = (steps: readonly ReportedStep[]) =>
    steps.map(({ failed, shows, wanted, curl, response }) => [
      Number(failed),
      word(shows),
      word(wanted),
      command(curl),
      words(responseLines(response, WHOLE)),
    ]);
  /** The rows of a case or check, by the id that a finding uses for it. */
  const ids = [...report.cases.map(({ id }) => id), ...report.checks.map(decisionId)];
  const rowsOf = listedBy(ids.map((id, row) => [id, row]));

  const cases = report.cases.map((found) => [
    words(found.id.split('/')),
    GRAVITY.indexOf(found.verdict),
    found.expectation,
    found.sent,
    word(found.credential),
    word(found.got),
    word(found.wanted),
    word(listedAs(report.baseline, found.listed) ?? found.reason),
    word(attributionOf(found)),
    found.ms ?? -1,
    found.response ?? -1,
    ...(found.curl === undefined ? [] : [command(found.curl)]),
    ...(found.steps === undefined ? [] : [log(found.steps)]),
  ]);
  const checks = report.checks.map((decision) => {
    const { check, requirement, operation, kind, verdict, detail, curl, steps, listed } = decision;
    return [
      words([check, requirement, operation, kind]),
      GRAVITY.indexOf(verdict),
      word([detail, listedAs(report.baseline, listed)].filter(Boolean).join('; ')),
      word(attributionInWords(decision)),
      command(curl),
      ...(steps === undefined ? [] : [log(steps)]),
    ];
  });
  /** A check has a row for each requirement; only those that broke a requirement of the finding belong to it. */
  const belongsTo = (row: number, requirements: readonly string[]) => {
    const check = report.checks[row - report.cases.length];
    if (check === undefined) return true;
    const broken = check.verdict === 'fail' || check.verdict === 'warn';
    return broken && requirements.includes(check.requirement);
  };
  const rowsOfFinding = ({ cases: ids, requirements }: ReportedFinding) =>
    ids.flatMap((id) => rowsOf.get(id) ?? []).filter((row) => belongsTo(row, requirements));
  const data = {
    verdicts: GRAVITY,
    symbols: SYMBOLS,
    matrix: report.matrix,
    requirements: Object.fromEntries(
      report.requirements.map(({ id, source, level, text }) => [id, { source, level, text: visible(text) }]),
    ),
    expectations: report.expectations.map(({ kind, wanted, requirements, ...attribution }) => ({
      kind,
      wanted: visible(wanted),
      requirements,
      attribution: attributionInWords(attribution),
    })),
    findings: Object.fromEntries(report.findings.map((finding) => [finding.id, rowsOfFinding(finding)])),
    changes: changedRows(report, rowsOfFinding),
    responses: report.responses.map((response) => words(responseLines(response, WHOLE))),
    cases,
    checks,
    texts: [...texts.keys()],
  };
  // `</script>` in a text would end the element that contains this JSON.
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** The rows of findings that failed in the earlier run too, and those that did not. */
function changedRows(
  { since, findings, cases, checks }: Report,
  rowsOfFinding: (finding: ReportedFinding) => readonly number[],
): Readonly<Record<string, readonly number[]>> {
  if (since === null) return {};
  const unitOfRow = (row: number) => unitOf(checks[row - cases.length] ?? readGroup(cases[row]?.group ?? ''));
  const rows = (changes: readonly Change[]) => {
    const pairs = new Set(changes.flatMap(({ requirement, units }) => units.map((unit) => pairOf(requirement, unit))));
    return findings.flatMap((finding) =>
      rowsOfFinding(finding).filter((row) => finding.requirements.some((id) => pairs.has(pairOf(id, unitOfRow(row))))),
    );
  };
  return Object.fromEntries(ROW_CHANGES.map((change) => [CHANGE_WORDS[change], rows(since[change])]));
}

/** The attribution of a miss. Empty for another case, which has that of its expectation. */
function attributionOf({ basis, interpretation = null }: ReportedCase): string {
  return basis === undefined ? '' : attributionInWords({ basis, interpretation });
}

/** Search, filters, the list of cases and one case in full. The script fills it, so it is hidden without JavaScript. */
export function renderExplorer({ cases, checks, matrix, since }: Report): Html {
  const kinds = [...new Set([...cases.map(({ group }) => readGroup(group).kind), ...checks.map(({ kind }) => kind)])];
  const verdicts = GRAVITY.filter((verdict) => [...cases, ...checks].some((found) => found.verdict === verdict));
  const operations = [
    ...new Set([...matrix.operations.map(({ id }) => id), ...checks.map((found) => found.operation)]),
  ];
  return html`<noscript><p class="notice">The list of ${counted(cases.length, 'case')} needs JavaScript, which is off in this viewer. The file report.json has the same cases.</p></noscript>
<div id="explorer" hidden>
<form id="filters" role="search" aria-label="Cases">
<label class="wide"><span>Search <kbd title="Press / to search">/</kbd></span> <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="expired, act-as:blank, 401 …" aria-keyshortcuts="/"></label>
${choice('verdict', 'Verdict', verdicts)}
${choice('operation', 'Operation', operations)}
${choice('kind', 'Token', kinds)}
${
  since === null
    ? null
    : choice(
        'change',
        'Since last time',
        ROW_CHANGES.map((change) => CHANGE_WORDS[change]),
      )
}
<label>Order <select id="order"><option value="">gravest first</option><option>slowest first</option></select></label>
</form>
<p class="found"><span id="found" role="status"></span> <span id="filtered" hidden>· <span id="narrowed"></span><button type="button" class="link" id="clear">clear all filters</button> · <a id="filters-address" href="#cases">link to this list</a> <button type="button" class="link" id="back"></button></span></p>
<div class="panes">
<div id="window"><ol id="list" aria-label="Cases found" tabindex="-1"></ol></div>
<article id="case" aria-label="Selected case"><p class="quiet">Select a case to see what was sent, what was wanted and what came.</p></article>
</div>
</div>
`;
}

function choice(id: string, label: string, values: readonly string[]): Html {
  return html`<label>${label} <select id="${id}"><option value="">all</option>${values.map(
    (value) => html`<option>${value}</option>`,
  )}</select></label>`;
}
