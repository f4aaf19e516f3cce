import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Survivor } from './score.ts';

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
