import fc from 'fast-check';
import type { CheckApi } from '../../../harness/checks/check.ts';

/** How a value breaks a law; undefined where it does not. */
export type Broken = string | undefined;

/** A law that must hold for every value: some are named because they are the likely ones, the others are random. */
export interface Law<T> {
  readonly values: fc.Arbitrary<T>;
  readonly examples: readonly T[];
  /** How many values are tried, the examples among them. */
  readonly runs: number;
  broken(value: T): Promise<Broken>;
}
/** The smallest value that breaks a law, and how to come to it again. */
export interface Counterexample<T> {
  readonly value: T;
  readonly how: string;
  /** The seed and path that fast-check takes to try this very value. */
  readonly replay: string;
}

/** Tries a law on its examples and on random values from the run's seed; undefined when it holds for all. */
export async function tryLaw<T>(api: CheckApi, law: Law<T>): Promise<Counterexample<T> | undefined> {
  let how = '';
  const property = fc.asyncProperty(law.values, async (value) => {
    const found = await law.broken(value);
    if (found !== undefined) how = found;
    return found === undefined;
  });
  const { counterexample, seed, counterexamplePath, errorInstance } = await fc.check(property, {
    seed: api.seed,
    numRuns: law.runs,
    examples: law.examples.map((example): [T] => [example]),
  });
  if (counterexample === null) return undefined;
  // Nothing was said of the value: it was the check itself that failed.
  if (how === '') throw errorInstance;
  return { value: counterexample[0], how, replay: `seed ${seed}, path ${counterexamplePath}` };
}
