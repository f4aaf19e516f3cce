import { DEPTHS, type Depth } from '../../harness/contract/contract.ts';
import { aligned } from './kill-matrix.ts';
import type { Proof } from './prove.ts';

const HEADER = ['depth', 'cases', 'deviants', 'caught', 'by checks alone', 'not caught'];

/** Replaces the row of one depth in the table of what each depth catches. The other rows stay as they are. */
export function withDepth(table: string, depth: Depth, proofs: readonly Proof[]): string {
  const deviants = proofs.filter(({ family }) => family === 'deviant');
  // What was judged at a deeper depth is not seen at this one.
  const missed = deviants.filter((found) => found.caughtBy === undefined || found.depth !== depth).map(({ id }) => id);
  const row = [
    depth,
    Math.max(0, ...proofs.filter((found) => found.depth === depth).map(({ cases }) => cases)),
    deviants.length,
    deviants.length - missed.length,
    deviants.filter((found) => found.caughtBy === 'checks' && found.depth === depth).length,
    missed.join(', ') || '-',
  ].map(String);
  const known = table
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));
  const rows = DEPTHS.flatMap((name) => (name === depth ? [row] : known.filter(([first]) => first === name)));
  return aligned([HEADER, ...rows]);
}
