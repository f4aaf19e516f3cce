import type { HeaderLines } from '../contract/contract.ts';
import type { People } from './people.ts';

/** What the placeholders in matrix.yaml's header lines stand for; undefined where a variable is not set. */
export function placeholders(
  people: People,
  token: string,
  unknownToken: string,
): Readonly<Record<string, string | undefined>> {
  return {
    token,
    'unknown-token': unknownToken,
    existing: people.actAs,
    other: people.user ?? people.nobody,
    unknown: people.nobody,
    'unknown-domain': people.nobodyElsewhere,
  };
}

const UNFILLED = '\0';

/** The lines of a header for a value of its dimension; undefined when a placeholder has no value. */
export function linesFor(
  { lines }: HeaderLines,
  value: string,
  known: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const filled = (lines[value] ?? []).map((line) =>
    line.replace(/\{([a-z-]+)\}/g, (_, name: string) => known[name] ?? UNFILLED),
  );
  return filled.some((line) => line.includes(UNFILLED)) ? undefined : filled;
}
