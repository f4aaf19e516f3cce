import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { builtSpecs, textOfBuilt } from './built-specs.ts';
import { ownContract, specsFolder } from './package-files.ts';
import { readSpecs } from './read-specs.ts';
import { tableOf } from './table.ts';

const specs = await readSpecs(ownContract);

/** A copy of specs/, and the file in which a build keeps it. */
function build() {
  const root = temporaryFolder();
  const shared = join(root, 'specs');
  cpSync(specsFolder, shared, { recursive: true });
  const folder = join(shared, 'client-api');
  const file = pathToFileURL(join(root, 'specs.json'));
  const none = tableOf([]);
  const prepared = {
    depths: { core: tableOf([['search', 'USER']]), pairwise: none, triples: none },
    isolated: none,
    atFull: {},
  };
  writeFileSync(file, textOfBuilt(folder, { specs, prepared }, shared));
  return { folder, shared, prepared, file };
}

test('what a build keeps says the same as the files', () => {
  const { folder, shared, prepared, file } = build();
  expect(builtSpecs(folder, file, shared)).toMatchObject({ specs, prepared });
});

test.each<[string, (folder: string) => void]>([
  ['a change in a file of data', (folder) => writeFileSync(join(folder, 'matrix.yaml'), 'scopes: []')],
  ['a change in a schema', (folder) => writeFileSync(join(folder, '../schemas/rules.schema.json'), '{}')],
  ['a new file', (folder) => writeFileSync(join(folder, 'more.yaml'), '')],
  ['a new name', (folder) => renameSync(join(folder, 'rules.yaml'), join(folder, 'rule.yaml'))],
])('is not used after %s', (_what, change) => {
  const { folder, shared, file } = build();
  change(folder);
  expect(builtSpecs(folder, file, shared)).toBeUndefined();
});

test.each(['', '{', 'null', '{"digest":"x"}'])('is not used if the file is damaged: %j', (text) => {
  const { folder, shared, file } = build();
  writeFileSync(file, text);
  expect(builtSpecs(folder, file, shared)).toBeUndefined();
});

test('is not used before a build', () => {
  expect(builtSpecs(ownContract, pathToFileURL(join(tmpdir(), 'no-build', 'specs.json')))).toBeUndefined();
});
