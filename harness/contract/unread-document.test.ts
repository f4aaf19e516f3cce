import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readOpenApi } from './read-specs.ts';

test.each([
  ['is missing', undefined, /^ConfigurationError: cannot read \S+openapi\.json \(ENOENT\); name an OpenAPI document$/],
  [
    'is no document',
    '{"openapi":"3.1.0"}',
    /^ConfigurationError: \S+openapi\.json is no OpenAPI document: name one with openapi, info and paths at its top$/,
  ],
  ['is no text', '\x00\x01', /^ConfigurationError: Error parsing \S+openapi\.json: /],
])('an OpenAPI document that %s is said with its file, once', async (_what, text, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'first-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  if (text !== undefined) writeFileSync(file, text);
  const error: unknown = await readOpenApi(file).catch((caught: unknown) => caught);
  expect(String(error)).toMatch(said);
  expect(String(error).split(file)).toHaveLength(2);
});
