import type { Survivor } from './score.ts';
import { survivorsOfCauses } from './survivors-of-causes.ts';
import { survivorsOfVerdicts } from './survivors-of-verdicts.ts';

/** Mutants that survive for a reason. `npm run mutate` refuses every other survivor, and entries that fit no survivor. */
export const survivors: readonly Survivor[] = Object.entries({ ...survivorsOfVerdicts, ...survivorsOfCauses }).flatMap(
  ([file, lines]) =>
    lines.flatMap(({ line, replacements, reason }) =>
      replacements.map((replacement) => ({ file, line, replacement, reason })),
    ),
);
