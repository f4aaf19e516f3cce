/** A mutant that no test can notice, because it does not change what the code does. */
export interface Survivor {
  readonly file: string;
  /** The line where the mutant begins, without its indentation. */
  readonly line: string;
  /** The text that the mutant puts there. */
  readonly replacement: string;
  /** Why nothing changes. */
  readonly reason: string;
}
/** Mutants of one line that survive for one reason. */
export type Explained = Pick<Survivor, 'line' | 'reason'> & { readonly replacements: readonly string[] };
