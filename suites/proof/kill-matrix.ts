import type { Deviant } from '../../fixtures/deviants/deviant.ts';
import { type Contract, requirementFor } from '../../harness/contract/contract.ts';
import type { Proof } from './prove.ts';

/** Deviant by requirement as text: what each was blamed for. Stable, so that its diff can be reviewed. */
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

/** Rows in columns. */
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

/** Requirements of level `must` that no deviant breaks: nothing shows that the suite could fail them. */
export function unbrokenMusts(contract: Contract, deviants: readonly Deviant[]): readonly string[] {
  const broken = new Set(
    deviants.flatMap(({ breaks }) => contract.operations.map(({ id }) => requirementFor(breaks, id))),
  );
  return contract.requirements
    .filter(({ id, level, excluded }) => excluded === undefined && level === 'must' && !broken.has(id))
    .map(({ id }) => id);
}
