import { configurationError } from '../../harness/contract/configuration-error.ts';
import { DEPTHS, type Depth } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { EXTENTS, type Extent, worldOf } from '../../suites/proof/population/fault.ts';
import { type Outcome, tryFault, tryFaultless } from '../../suites/proof/population/population.ts';
import { print } from '../terminal.ts';

export interface StrengthFlags {
  readonly depth?: string;
  readonly faults?: string;
  /** The first seed. Each fault has the next one. */
  readonly seed?: string;
}

/** Draws faults, runs the matrix against each of them, and prints what was seen. Returns 1 if anything is wrong. */
export async function strengthCommand({
  depth: named = 'core',
  faults = '2000',
  seed = '1',
}: StrengthFlags): Promise<number> {
  const depth = DEPTHS.find((known) => known === named);
  if (!depth) throw configurationError(`--depth is ${JSON.stringify(named)}, wanted one of ${DEPTHS.join(', ')}`);
  const world = worldOf(await loadContract());
  const [first, count] = [Number(seed), Number(faults)];
  const blamed = await tryFaultless(world, depth, first);
  const outcomes: Outcome[] = [];
  for (let next = first; next < first + count; next += 1) {
    const outcome = await tryFault(world, depth, next);
    outcomes.push(outcome);
    for (const problem of outcome.problems) print(`seed ${next}: ${problem}`);
  }
  for (const extent of EXTENTS) print(row(outcomes, extent, depth));
  print(
    `the target without a fault: ${blamed.length === 0 ? 'blamed for nothing' : `blamed for ${blamed.join(', ')}`}`,
  );
  print(`seeds ${first} to ${first + count - 1}`);
  return blamed.length > 0 || outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

function row(outcomes: readonly Outcome[], extent: Extent, depth: Depth): string {
  const own = outcomes.filter((outcome) => outcome.extent === extent);
  const seen = own.filter(({ isSeen }) => isSeen);
  const right = seen.filter(({ problems }) => problems.length === 0);
  const caught = own.filter(({ isCaught }) => isCaught);
  return [
    `${depth}, faults on ${wordsOf(extent)}: ${own.length} drawn, ${seen.length} seen by the plan`,
    `${right.length} of these caught and named exactly, ${caught.length} caught in all`,
  ].join('; ');
}

function wordsOf(extent: Extent): string {
  return extent === 'row' ? 'one documented row in one operation and kind' : `values: ${extent}`;
}
