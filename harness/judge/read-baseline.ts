import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { readYamlFile } from '../contract/yaml-file.ts';
import type { CasesAt } from '../plan/expand.ts';
import { globOf, hint } from '../plan/glob.ts';
import { requirementProblem } from '../plan/refuse-narrowing.ts';
import type { Baseline, BaselineEntry } from './baseline.ts';

/** Everything that an entry may name. */
export interface Nameable {
  readonly contract: Contract;
  readonly casesAt: CasesAt;
  /** Ids of all hand-written checks. */
  readonly checks: readonly string[];
}

/**
 * Reads a baseline file.
 * @param today the day that review dates are held against, as YYYY-MM-DD.
 * @throws a configuration error for a file that is none, a requirement or glob that names nothing at any depth, and a
 * review date that is no day.
 */
export function readBaseline(nameable: Nameable, file: string, today: string): Baseline {
  const { contract } = nameable;
  const { deviations = [], gaps = [] } = readYamlFile<Partial<Baseline>>(file, 'baseline');
  const ids = namesIn(nameable);
  const problems = [
    ...deviations.flatMap((entry, index) => problemsWith(contract, ids, entry, `${file}: /deviations/${index}`)),
    ...gaps.flatMap((entry, index) => problemsWith(contract, ids, entry, `${file}: /gaps/${index}`)),
  ];
  if (problems.length > 0) throw configurationError(problems);
  return { deviations, gaps, today };
}

function problemsWith(
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
    ...(isDay(review) ? [] : [`${where}: review is ${review}, which is no day`]),
  ];
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Every id that an entry may match; made once, and only for a file that has a glob. */
function namesIn({ contract, casesAt, checks }: Nameable): () => readonly string[] {
  let names: readonly string[] | undefined;
  const kinds = [...Object.keys(contract.matrix.kinds), 'any'];
  const operations = [...contract.operations.map(({ id }) => id), 'any'];
  return () => {
    names ??= [
      ...casesAt('full').map(({ id }) => id),
      ...checks.flatMap((check) => [
        check,
        ...operations.flatMap((operation) => kinds.map((kind) => `${check}/${operation}/${kind}`)),
      ]),
    ];
    return names;
  };
}
