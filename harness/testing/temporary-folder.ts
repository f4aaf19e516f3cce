import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A folder for the files of a test.
 * @param afterwards when it is removed: after the test, or with `afterAll` after the tests of the file.
 */
export function temporaryFolder(afterwards: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
