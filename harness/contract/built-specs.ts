import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Prepared } from './contract.ts';
import { namesIn, readOwn, specsFolder } from './package-files.ts';
import type { Specs } from './read-specs.ts';

/** What a build made of a contract. */
interface Built {
  readonly specs: Specs;
  readonly prepared: Prepared;
}

/** Where the build keeps them: dist/specs.json, beside dist/harness. The sources have no such file. */
export const builtFile = new URL('../../specs.json', import.meta.url);

/**
 * The specs of a contract's folder as the build read them, and what it worked out, if the files are still the same. To read and
 * validate the specs and to choose cases takes most of the time that a command needs to start.
 * @param shared the folder of the schemas and variations.
 * @returns undefined if they must be read: no build read them, or a file has changed since.
 */
export function builtSpecs(folder: string, file: URL = builtFile, shared = specsFolder): Built | undefined {
  let built: (Built & { readonly digest: string }) | null;
  try {
    built = JSON.parse(readOwn(fileURLToPath(file)));
  } catch {
    return undefined;
  }
  return built?.digest === digestOf(folder, shared) ? built : undefined;
}

/** The text of the file that keeps what a build made. */
export function textOfBuilt(folder: string, built: Built, shared = specsFolder): string {
  return JSON.stringify({ digest: digestOf(folder, shared), ...built });
}

/** A digest of the names and the contents of a contract's folder, and of the schemas and variations of every contract. */
function digestOf(folder: string, shared: string): string {
  const hash = createHash('sha256');
  for (const part of [folder, join(shared, 'schemas'), join(shared, 'variations')])
    for (const name of namesIn(part))
      if (/\.(?:yaml|json)$/.test(name)) hash.update(`${name}\0`).update(readOwn(join(part, name)));
  return hash.digest('hex');
}
