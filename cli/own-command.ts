import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specsFolder } from '../harness/contract/specs-folder.ts';

const NAME = 'client-api-conformance';

/**
 * A command line that runs this program in a folder: by its name where npx finds it, which is a clone and a project that has
 * the package installed, and elsewhere by its file.
 */
export function ownCommand(args: string, folder: string): string {
  const isFound = folder === dirname(specsFolder) || existsSync(join(folder, 'node_modules', '.bin', NAME));
  const main = join(dirname(fileURLToPath(import.meta.url)), 'main.js');
  return `${isFound ? `npx --no -- ${NAME}` : `node ${quoted(main)}`} ${args}`;
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
