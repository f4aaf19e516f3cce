import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepared } from './contract.ts';
import type { Specs } from './read-specs.ts';
import { specsFolder } from './specs-folder.ts';

/** What a build made of a contract. */
export interface Built {
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
    built = JSON.parse(readFileSync(file, 'utf8'));
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
    for (const name of readdirSync(part).sort())
      if (/\.(?:yaml|json)$/.test(name)) hash.update(`${name}\0`).update(readFileSync(join(part, name)));
  return hash.digest('hex');
}
