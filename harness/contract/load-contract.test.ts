import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from '../testing/small-contract.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadContractFile } from './load-contract.ts';

test('an OpenAPI document in place of a contract is called what it is', async () => {
  const file = join(temporaryFolder(), 'api.yaml');
  writeFileSync(file, 'openapi: 3.1.0\ninfo: { title: Small, version: "1" }\npaths: {}\n');
  await expect(loadContractFile(file)).rejects.toThrow(
    `${file} is an OpenAPI document, and no contract: npx --no -- client-api-conformance init --openapi ${file}`,
  );
});

test('a key that stands there twice is named', async () => {
  const twice = 'kinds:\n  KEY: { made: "Settings, Keys" }\n  "KEY": { made: "Settings, Keys" }';
  await expect(read({ kinds: twice })).rejects.toThrow(/line 6: the key KEY stands here a second time; keep one$/);
});

test('a rule of an operation that is misspelt is told the likely one', async () => {
  const barred = 'operations: { list: { request: GET /list, by: KEY }, find: { request: GET /find } }';
  const kinds = 'kinds: { KEY: { made: "Settings, Keys" }, GUEST: { made: "Settings, Guests" } }';
  const rules = 'rules: { reach.lists: { expect: 404, reason: "it is hidden" } }';
  await expect(read({ operations: barred, kinds }, rules)).rejects.toThrow(
    /rule reach\.lists; did you mean reach\.list\?$/,
  );
});
