import { listedAs } from '../../report/baseline.ts';
import type { Report } from '../../report/report.ts';
import { GRAVITY, SYMBOLS } from '../../report/verdict-words.ts';
import { visible } from '../../report/visible-text.ts';

/**
 * Everything that the page's script lists, made small: some thousand different words make up twenty thousand cases, so
 * each word is written once and named by its index. Index 0 is the empty text.
 */
export function packCases(report: Report): string {
  const texts = new Map([['', 0]]);
  const word = (text = ''): number => {
    const shown = visible(text);
    const known = texts.get(shown) ?? texts.size;
    texts.set(shown, known);
    return known;
  };
  const words = (parts: readonly string[]) => parts.map(word);
  const command = (curl = '') => words(curl.split(/ (?=-[A-Za-z] )/));
  const indices = new Map<string, number[]>();
  const at = (name: string, index: number) => indices.set(name, [...(indices.get(name) ?? []), index]);

  const cases = report.cases.map((found, index) => {
    at(found.id, index);
    return [
      words(found.id.split('/')),
      GRAVITY.indexOf(found.verdict),
      found.expectation,
      found.sent,
      word(found.credential),
      word(found.got),
      word(found.wanted),
      word(listedAs(report.baseline, found.listed) ?? found.reason),
      ...(found.curl === undefined ? [] : [command(found.curl)]),
    ];
  });
  const checks = report.checks.map(({ check, requirement, operation, kind, verdict, detail, curl, listed }, index) => {
    at(`${check}/${operation}/${kind}`, report.cases.length + index);
    return [
      words([check, requirement, operation, kind]),
      GRAVITY.indexOf(verdict),
      word([detail, listedAs(report.baseline, listed)].filter(Boolean).join('; ')),
      ...(curl === undefined ? [] : [command(curl)]),
    ];
  });
  const wrong = (row: number) => {
    const verdict = row < report.cases.length ? undefined : report.checks[row - report.cases.length]?.verdict;
    return verdict === undefined || verdict === 'fail' || verdict === 'warn';
  };
  const concerns = (row: number, requirements: readonly string[]) => {
    const check = report.checks[row - report.cases.length];
    return check === undefined || requirements.includes(check.requirement);
  };
  const data = {
    verdicts: GRAVITY,
    symbols: SYMBOLS,
    matrix: report.matrix,
    requirements: Object.fromEntries(
      report.requirements.map(({ id, source, level, text }) => [id, { source, level, text: visible(text) }]),
    ),
    expectations: report.expectations.map(({ kind, wanted, requirements, basis }) => ({
      kind,
      wanted: visible(wanted),
      requirements,
      basis,
    })),
    findings: Object.fromEntries(
      report.findings.map(({ id, cases: names, requirements }) => [
        id,
        names.flatMap((name) => indices.get(name) ?? []).filter((row) => wrong(row) && concerns(row, requirements)),
      ]),
    ),
    cases,
    checks,
    texts: [...texts.keys()],
  };
  // `<` could end the element that holds this; everything else is JSON.
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
