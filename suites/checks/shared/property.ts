import fc from 'fast-check';
import type { CheckApi } from '../../../harness/checks/check.ts';

/** How a value violates a property; undefined if it does not. */
export type Violation = string | undefined;

/** A property that must hold for every value. Likely counterexamples are named, the other values are random. */
export interface Property<T> {
  readonly values: fc.Arbitrary<T>;
  readonly examples: readonly T[];
  /** How many values are tried, including the examples. */
  readonly runs: number;
  violation(value: T): Promise<Violation>;
}
/** The smallest value that violates a property. */
export interface Counterexample<T> {
  readonly value: T;
  readonly violation: string;
  /** The seed and path with which fast-check generates this value again. */
  readonly replay: string;
}

/** Tries the examples and random values from the seed of the run. Returns undefined if the property holds for all. */
export async function checkProperty<T>(api: CheckApi, property: Property<T>): Promise<Counterexample<T> | undefined> {
  let violation = '';
  const predicate = fc.asyncProperty(property.values, async (value) => {
    const found = await property.violation(value);
    if (found !== undefined) violation = found;
    return found === undefined;
  });
  const { counterexample, seed, counterexamplePath, errorInstance } = await fc.check(predicate, {
    seed: api.seed,
    numRuns: property.runs,
    examples: property.examples.map((example): [T] => [example]),
  });
  if (counterexample === null) return undefined;
  // No value violated the property, so the check itself threw.
  if (violation === '') throw errorInstance;
  return { value: counterexample[0], violation, replay: `seed ${seed}, path ${counterexamplePath}` };
}
