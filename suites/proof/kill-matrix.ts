import type { Deviant } from '../../fixtures/deviants/deviant.ts';
import { type Contract, requirementFor } from '../../harness/contract/contract.ts';
import type { Proof } from './prove.ts';

/** What each deviant and variant was blamed for, as text. The order is stable, so that a diff can be reviewed. */
export function killMatrix(proofs: readonly Proof[]): string {
  const rows = proofs.map(({ id, family, breaks, blamed }) => [
    id,
    family === 'variant' ? '(variant)' : breaks,
    blamed
      .map(({ requirement, verdict }) => (verdict === 'fail' ? requirement : `${requirement} (${verdict})`))
      .join(', ') || '-',
  ]);
  return aligned([['deviant', 'breaks', 'blamed for'], ...rows]);
}

/** Pads the cells of each column to the same width. */
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
