import type pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** More names than this are counted and not listed. */
export const MOST_LISTED = 8;

/** Names in a column, values beside them. */
export function table(rows: readonly (readonly string[])[], colors: Colors, indent = '  '): string[] {
  const width = Math.max(0, ...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `${indent}${colors.dim(name.padEnd(width))}  ${value}`);
}
