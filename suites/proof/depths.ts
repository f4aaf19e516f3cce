import { DEPTHS } from '../../harness/contract/contract.ts';
import { aligned } from './kill-matrix.ts';
import type { Proof } from './prove.ts';

/**
 * The table of what each depth catches. A deviant is judged at the depth that it names, and each depth sends the cases of
 * the one before it.
 */
export function depthTable(proofs: readonly Proof[]): string {
  const deviants = proofs.filter(({ family }) => family === 'deviant');
  const rows = DEPTHS.map((depth, at) => {
    const caught = deviants.filter((one) => one.caughtBy !== undefined && DEPTHS.indexOf(one.depth) <= at);
    const missed = deviants.filter((one) => !caught.includes(one)).map(({ id }) => id);
    const byChecks = caught.filter(({ caughtBy }) => caughtBy === 'checks').length;
    return [depth, `${deviants.length}`, `${caught.length}`, `${byChecks}`, missed.join(', ') || '-'];
  });
  return aligned([['depth', 'deviants', 'caught', 'by checks alone', 'not caught'], ...rows]);
}
