import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContractFile } from '../contract/load-contract.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const SMALL = {
  name: 'name: small',
  credential: 'credential: "X-Api-Key: {token}"',
  operations:
    'operations: { list: { request: GET /list, needs: read }, find: { request: POST /find, harmless: true } }',
  kinds: 'kinds: { KEY: { made: "Settings, Keys", never: { expired: a key has no date } } }',
};

/** Loads a contract with these lines instead of those of the small one, and with more lines. A document lies beside it. */
export function read(lines: Readonly<Partial<typeof SMALL>> = {}, ...more: readonly string[]) {
  const folder = temporaryFolder();
  const file = join(folder, 'small.yaml');
  writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: { title: Small, version: "1" }\npaths: {}\n');
  writeFileSync(file, [...Object.values({ ...SMALL, ...lines }), ...more].join('\n'));
  return loadContractFile(file);
}
