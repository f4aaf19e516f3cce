import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadContractFile } from '../contract/load-contract.ts';

export const SMALL = {
  name: 'name: small',
  credential: 'credential: "X-Api-Key: {token}"',
  operations:
    'operations: { list: { request: GET /list, needs: read }, find: { request: POST /find, harmless: true } }',
  kinds: 'kinds: { KEY: { made: "Settings, Keys", never: { expired: a key has no date } } }',
};

/** Loads a contract with these lines instead of those of the small one, and with more lines. A document lies beside it. */
export function read(lines: Readonly<Partial<typeof SMALL>> = {}, ...more: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'small.yaml');
  writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: { title: Small, version: "1" }\npaths: {}\n');
  writeFileSync(file, [...Object.values({ ...SMALL, ...lines }), ...more].join('\n'));
  return loadContractFile(file);
}
