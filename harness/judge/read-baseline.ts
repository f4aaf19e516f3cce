import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { once } from '../contract/once.ts';
import { readYamlFile } from '../contract/yaml-file.ts';
import type { CasesAt } from '../plan/expand.ts';
import { alternativesOf, globOf, hint } from '../plan/glob.ts';
import { requirementProblem } from '../plan/narrow.ts';
import { decisionId } from '../record/exchange.ts';
import { type Baseline, type BaselineEntry, DAYS_TO_EXPLAIN, UNEXPLAINED } from './baseline.ts';

/** Everything that a baseline entry can name. */
interface Nameable {
  readonly contract: Contract;
  readonly casesAt: CasesAt;
  readonly checks: readonly string[];
}

/**
 * Reads a baseline file.
 * @param today review dates before this day are overdue, YYYY-MM-DD.
 * @throws a configuration error if the file cannot be read or does not match its schema, if an entry names an unknown
 * requirement or matches nothing at any depth, if a review date does not exist, or if an entry stays without a reason.
 */
export function readBaseline(nameable: Nameable, file: string, today: string): Baseline {
  const { contract } = nameable;
  const { deviations = [], gaps = [] } = readYamlFile<Partial<Baseline>>(file, 'baseline');
  const globs = [...deviations, ...gaps].flatMap(({ cases }) => (cases === undefined ? [] : alternativesOf(cases)));
  if (globs.length > MOST_GLOBS)
    throw configurationError(
      `${file}: its globs stand for ${globs.length} alternatives, and at most ${MOST_GLOBS} are compared with every case; list requirements instead`,
    );
  const ids = namesIn(nameable);
  const problems = Object.entries({ deviations, gaps }).flatMap(([list, entries]) =>
    entries.flatMap((entry, index) => {
      const where = `${file}: /${list}/${index}`;
      return [...problemsOf(contract, ids, entry, where), ...unexplainedFor(entry, today, where)];
    }),
  );
  if (problems.length > 0) throw configurationError(problems);
  return { deviations, gaps, today };
}

/** Each is compared with some 21,000 ids. */
const MOST_GLOBS = 1000;

function problemsOf(
  contract: Contract,
  ids: () => readonly string[],
  { requirement, cases, review }: BaselineEntry,
  where: string,
): string[] {
  return [
    ...(requirement === undefined ? [] : requirementProblem(contract, `${where}:`, requirement)),
    ...(cases === undefined || ids().some(globOf(cases))
      ? []
      : [`${where}: ${cases} matches no case and no check at any depth${hint(cases, ids())}`]),
    ...(isDate(review) ? [] : [`${where}: review is ${review}, which is not a date`]),
  ];
}

/** An entry without a reason is accepted until its review date, which is near. */
function unexplainedFor({ reason, review }: BaselineEntry, today: string, where: string): string[] {
  if (reason !== UNEXPLAINED || !isDate(review)) return [];
  if (review < today) return [`${where}: the reason was to be filled in by ${review}; say why this is accepted`];
  const latest = daysAfter(today, DAYS_TO_EXPLAIN);
  return review > latest ? [`${where}: without a reason, review must be ${latest} or earlier, not ${review}`] : [];
}

/** The day so many days after another, YYYY-MM-DD. */
export function daysAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** Whether a YYYY-MM-DD date exists: 2027-02-30 does not. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The ids that an entry can match. They are computed on first use: only a file with a glob needs them. */
function namesIn({ contract, casesAt, checks }: Nameable): () => readonly string[] {
  const kinds = [...Object.keys(contract.matrix.kinds), 'any'];
  const operations = [...[...contract.operations, ...contract.mcp].map(({ id }) => id), 'any'];
  return once(() => [
    ...casesAt('full').map(({ id }) => id),
    ...checks.flatMap((check) => [
      check,
      ...operations.flatMap((operation) => kinds.map((kind) => decisionId({ check, operation, kind }))),
    ]),
  ]);
}
