import type pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** A longer list of names is shown as its length. */
export const MOST_LISTED = 8;

/** Lines of two columns: names, padded to the longest, and their values. */
export function table(rows: readonly (readonly string[])[], colors: Colors, indent = '  '): string[] {
  const width = Math.max(0, ...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', value = '']) => `${indent}${colors.dim(name.padEnd(width))}  ${value}`);
}
