import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { validatorModules, validatorOf } from './validator.ts';

const modules = validatorModules();

/** A folder with what the build keeps, changed in this way. */
function built(name: string, change: (text: string) => string): string {
  // In node_modules, so that the module finds what it requires of Ajv.
  const folder = mkdtempSync(join('node_modules', '.validators-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { text = '' } = modules.find((module) => module.name === name) ?? {};
  writeFileSync(join(folder, `${name}.cjs`), change(text));
  return resolve(folder);
}
const noBuild = join(tmpdir(), 'no-build');

test.each(modules.map(({ name }) => name))('the built validator of %s says the same as the compiled one', (name) => {
  const [kept, compiled] = [validatorOf(name, built(name, String)), validatorOf(name, noBuild)];
  for (const value of [{}, [], null, { type: 'unknown', version: 'x', counts: [{ id: 3 }] }]) {
    expect(kept(value)).toBe(compiled(value));
    expect(kept.errors).toEqual(compiled.errors);
  }
});

test('the build is used as it is', () => {
  const folder = built('report', (text) => `${text}\nmodule.exports.isBuilt = true;`);
  expect(validatorOf('report', folder)).toHaveProperty('isBuilt', true);
});

test.each<[string, (text: string) => string]>([
  ['its schema has changed since', (text) => text.replace(/schemaDigest = "../, 'schemaDigest = "xx')],
  ['it is damaged', (text) => text.slice(100, 200)],
  ['it is empty', () => ''],
])('the build is not used if %s', (_what, change) => {
  const folder = built('report', (text) => change(`${text}\nmodule.exports.isBuilt = true;`));
  expect(validatorOf('report', folder)).not.toHaveProperty('isBuilt');
});
