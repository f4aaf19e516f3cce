import { numberIn } from './collections.ts';

/** Rows of texts. Each column lists its texts once, and a row has a number for each column: that is read much faster. */
export interface Table {
  readonly columns: readonly (readonly string[])[];
  readonly rows: readonly (readonly number[])[];
}

export function tableOf(rows: readonly (readonly string[])[]): Table {
  const columns = (rows[0] ?? []).map(() => new Map<string, number>());
  const numbered = rows.map((row) => columns.map((known, column) => numberIn(known, row[column] ?? '')));
  return { columns: columns.map((known) => [...known.keys()]), rows: numbered };
}

export function rowsOf({ columns, rows }: Table): readonly (readonly string[])[] {
  return rows.map((row) => columns.map((texts, column) => texts[row[column] ?? 0] ?? ''));
}
