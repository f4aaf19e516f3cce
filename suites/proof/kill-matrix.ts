import type { Deviant } from '../../fixtures/deviants/deviant.ts';
import { type Contract, DEPTHS, requirementFor } from '../../harness/contract/contract.ts';
import type { Proof } from './prove.ts';

/** A line of the kill matrix, as it is written: a deviant or variant, what caught it and what it was blamed for. */
export interface MatrixRow {
  readonly id: string;
  readonly breaks: string;
  readonly caughtBy: string;
  readonly blamed: string;
}

export const VARIANT = '(variant)';
export const NOTHING = '-';

export function matrixRow({ id, family, breaks, caughtBy, blamed }: Proof): MatrixRow {
  const names = blamed.map(({ requirement, verdict }) =>
    verdict === 'fail' ? requirement : `${requirement} (${verdict})`,
  );
  // The order of causes can depend on how often a fault showed.
  const sorted = names.sort().join(', ') || NOTHING;
  return { id, breaks: family === 'variant' ? VARIANT : breaks, caughtBy: caughtBy ?? NOTHING, blamed: sorted };
}

/** The kill matrix as text. The order is that of the lines, so that a diff can be reviewed. */
export function matrixText(rows: readonly MatrixRow[]): string {
  const cells = rows.map(({ id, breaks, caughtBy, blamed }) => [id, breaks, caughtBy, blamed]);
  return aligned([['deviant', 'breaks', 'caught by', 'blamed for'], ...cells]);
}

/** Reads what {@link matrixText} wrote. */
export function readMatrix(text: string): readonly MatrixRow[] {
  const lines = text.split('\n').slice(1).filter(Boolean);
  return lines.map((line) => {
    const [id = '', breaks = '', caughtBy = '', blamed = ''] = line.split(/ {2,}/);
    return { id, breaks, caughtBy, blamed };
  });
}

/** A line for each of these ids, in their order: from its proof, or else the known one. */
export function renewedMatrix(
  ids: readonly string[],
  known: readonly MatrixRow[],
  proofs: readonly Proof[],
): readonly MatrixRow[] {
  const rows = new Map([...known, ...proofs.map(matrixRow)].map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Requirements of level `must` that no deviant breaks, so that nothing proves that the suite can fail them. */
export function unbrokenMusts(contract: Contract, deviants: readonly Deviant[]): readonly string[] {
  const broken = new Set(
    deviants.flatMap(({ breaks }) => contract.operations.map(({ id }) => requirementFor(breaks, id))),
  );
  return contract.requirements
    .filter(({ id, level, excluded }) => excluded === undefined && level === 'must' && !broken.has(id))
    .map(({ id }) => id);
}

/** What each depth catches, from the kill matrix. A deviant is judged at its depth, and each depth contains the one before it. */
export function depthTable(rows: readonly MatrixRow[], deviants: readonly Pick<Deviant, 'id' | 'depth'>[]): string {
  const depths = new Map(deviants.map(({ id, depth = 'core' }) => [id, depth]));
  const judged = rows.flatMap((row) => {
    const depth = depths.get(row.id);
    return depth === undefined ? [] : [{ ...row, at: DEPTHS.indexOf(depth) }];
  });
  const lines = DEPTHS.map((depth, at) => {
    const caught = judged.filter((row) => row.caughtBy !== NOTHING && row.at <= at);
    const missed = judged.filter((row) => !caught.includes(row)).map(({ id }) => id);
    const byChecks = caught.filter(({ caughtBy }) => caughtBy === 'checks').length;
    return [depth, `${judged.length}`, `${caught.length}`, `${byChecks}`, missed.join(', ') || NOTHING];
  });
  return aligned([['depth', 'deviants', 'caught', 'by checks alone', 'not caught'], ...lines]);
}

/** The deviants that a target on another machine survives by default, each with the reason. It is committed. */
export type NotRemote = ReadonlyMap<string, string>;

/** The reason of a deviant whose reason nobody knows. It fails the proof. */
export const UNKNOWN_REASON = '?';

/** @param text a line for each deviant: its id and the reason. */
export function readNotRemote(text: string): NotRemote {
  const rows = text.split('\n').map((line) => /^(\S+) +(\S.*)$/.exec(line));
  return new Map(rows.flatMap((row) => (row?.[1] !== undefined && row[2] !== undefined ? [[row[1], row[2]]] : [])));
}

export function survives({ family, caughtBy }: Pick<Proof, 'family' | 'caughtBy'>): boolean {
  return family === 'deviant' && caughtBy === undefined;
}

/** What differs between the list and what came out of these deviants. */
export function listProblems(list: NotRemote, proofs: readonly Proof[]): readonly string[] {
  return proofs.flatMap((proof) => {
    const reason = list.get(proof.id);
    if (survives(proof) && reason === undefined) return `${proof.id} survives, and the list has no reason for it`;
    if (survives(proof) && reason === UNKNOWN_REASON) return `${proof.id} survives, and nobody said why`;
    if (!survives(proof) && reason !== undefined) return `${proof.id} is caught; take it off the list`;
    return [];
  });
}

/** Why the remote default does not catch a deviant. @param here how it is caught on this machine with all checks. */
export function reasonFor({ depth = 'core' }: Pick<Deviant, 'depth'>, here: Proof): string {
  if (here.caughtBy === undefined) return UNKNOWN_REASON;
  if (here.checks.length > 0) return `needs --intrusive: ${here.checks.join(', ')}`;
  return depth === 'core' ? UNKNOWN_REASON : `depends on several values: needs --depth ${depth}`;
}

/** `480 of 512 deviants caught by the remote default (93.7 %)`, and those that are not, each with its reason. */
export function remoteSummary(list: NotRemote, proofs: readonly Proof[]): string {
  const deviants = proofs.filter(({ family }) => family === 'deviant');
  const left = deviants.filter(survives);
  const caught = deviants.length - left.length;
  const percent = deviants.length === 0 ? 100 : Math.floor((caught / deviants.length) * 1000) / 10;
  return [
    `${caught} of ${deviants.length} deviants caught by the remote default (${percent} %)`,
    ...(left.length === 0 ? [] : [aligned(left.map(({ id }) => [id, list.get(id) ?? UNKNOWN_REASON]))]),
  ].join('\n');
}
