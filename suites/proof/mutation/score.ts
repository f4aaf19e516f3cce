import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The part of the mutation report that is read here (mutation-testing-report-schema 2). */
export interface MutationReport {
  readonly files: Readonly<Record<string, MutatedFile>>;
}
interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}
interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** Every file kills at least this share of its mutants, in per cent. Survivors with a reason do not count. */
const LEAST_SCORE = 92;

export interface FileScore {
  readonly file: string;
  readonly killed: number;
  readonly explained: number;
  readonly survived: number;
  /** The share of killed mutants among those without an explanation, in per cent. */
  readonly score: number;
}
interface Scores {
  readonly files: readonly FileScore[];
  /** Survivors without a reason, each as one line. */
  readonly unexplained: readonly string[];
  readonly problems: readonly string[];
}

/** Compares the result of a mutation test with the survivors that have a reason. */
export function scoresOf({ files }: MutationReport, survivors: readonly Survivor[]): Scores {
  const used = new Set<Survivor>();
  const unexplained: string[] = [];
  const ignored: string[] = [];
  const scores = Object.entries(files).map(([file, { source, mutants }]): FileScore => {
    const lines = source.split('\n');
    let killed = 0;
    let explained = 0;
    let survived = 0;
    for (const { status, mutatorName, replacement = '', location } of mutants) {
      const { line: row, column } = location.start;
      const line = (lines[row - 1] ?? '').trim();
      const place = `${file}:${row}:${column} ${mutatorName}: ${line} -> ${oneLine(replacement)}`;
      if (status === 'Killed' || status === 'Timeout') killed += 1;
      else if (status === 'Ignored') ignored.push(place);
      else if (status === 'Survived' || status === 'NoCoverage') {
        const reason = survivors.find(
          (known) => known.file === file && known.line === line && oneLine(known.replacement) === oneLine(replacement),
        );
        if (reason) {
          used.add(reason);
          explained += 1;
        } else {
          survived += 1;
          unexplained.push(`${place}${status === 'NoCoverage' ? ' (no test runs it)' : ''}`);
        }
      }
    }
    const all = killed + survived;
    return { file, killed, explained, survived, score: all === 0 ? 100 : (100 * killed) / all };
  });
  const problems = [
    ...scores
      .filter(({ score }) => score < LEAST_SCORE)
      .map(({ file, score }) => `${file} kills ${score.toFixed(1)} % of its mutants, wanted ${LEAST_SCORE} % or more`),
    ...ignored.map((place) => `a comment disables the mutant ${place}`),
    ...survivors
      .filter((entry) => entry.file in files && !used.has(entry))
      .map(
        ({ file, line }) =>
          `suites/proof/mutation/assets/survivors.yaml explains a mutant that was killed or is gone: ${file}: ${line}`,
      ),
  ];
  return { files: scores, unexplained, problems };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A mutant that no test can notice, because it does not change what the code does. */
export interface Survivor {
  readonly file: string;
  /** The line where the mutant begins, without its indentation. */
  readonly line: string;
  /** The text that the mutant puts there. */
  readonly replacement: string;
  /** Why nothing changes. */
  readonly reason: string;
}

/** Mutants of one line that survive for one reason. */
type Explained = Pick<Survivor, 'line' | 'reason'> & { readonly replacements: readonly string[] };

const FILE = new URL('./assets/survivors.yaml', import.meta.url);
const explained: Readonly<Record<string, readonly Explained[]>> = parse(readFileSync(FILE, 'utf8'));

/** Mutants that survive for a reason. `npm run mutate` refuses every other survivor, and entries that fit no survivor. */
export const survivors: readonly Survivor[] = Object.entries(explained).flatMap(([file, lines]) =>
  lines.flatMap(({ line, replacements, reason }) =>
    replacements.map((replacement) => ({ file, line, replacement, reason })),
  ),
);
