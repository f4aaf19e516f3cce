import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { isConfigurationError } from '../../harness/contract/configuration-error.ts';
import { HOSTILE } from '../../harness/testing/report.ts';
import { temporaryFolder } from '../../harness/testing/temporary-folder.ts';

/** A folder that is deleted after the tests of the file, and a function that writes a file into it. */
export function folderForFiles(): { readonly folder: string; fileWith(name: string, text: string): string } {
  const folder = temporaryFolder(afterAll);
  return {
    folder,
    fileWith(name, text) {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    },
  };
}

/** The message of a configuration error; undefined if the work succeeds. Any other error is a defect, and fails the test. */
export async function refusal(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!isConfigurationError(error)) throw error;
    return error.message;
  }
}

/** Values that a field may have in a file that somebody made to break the suite. */
export const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0.5,
    1e308,
    '',
    'x',
    [],
    {},
    [null],
    [[]],
    HOSTILE,
    `a\n::error::${HOSTILE}`,
  ),
  fc.constantFrom<unknown>('constructor', '__proto__', 'x'.repeat(100_000), '('.repeat(200), '**/{a,b}/**', '/////'),
  fc.anything({ maxDepth: 2, withNullPrototype: false }).filter((value) => JSON.stringify(value) !== undefined),
);
/** Cuts, repeats and replaces parts of a text. */
export const anyDamage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(40),
  instead: fc.string({ unit: 'binary', maxLength: 8 }),
});
type Damage = typeof anyDamage extends fc.Arbitrary<infer T> ? T : never;
export const damaged = (text: string, { at, length, instead }: Damage) => {
  const from = Math.floor(at * text.length);
  return text.slice(0, from) + instead + text.slice(from + length);
};

/** The value with another value at one place, which the numbers choose among all places. */
export function withValueAt(value: unknown, steps: readonly number[], instead: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) return instead;
  const keys = Object.keys(value);
  const key = keys[step % keys.length];
  if (key === undefined) return instead;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  Object.assign(copy, { [key]: withValueAt(Object(value)[key], rest, instead) });
  return copy;
}
