import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledFiles, bundledModules } from './bundled-files.ts';

/** The folder of this package. The sources and dist/ have the same folders, so dist/ is one step deeper. */
export const packageFolder = resolve(
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../..' : '../../..', import.meta.url)),
);

/** The folder specs/ of this package: our own contract, and what serves every contract: schemas and variations. */
export const specsFolder = join(packageFolder, 'specs');

export const ownContract = join(specsFolder, 'client-api');

export const OPENAPI_FILE = 'openapi.yaml';

/** Whether this is the one file that `npm run bundle` makes. */
export const isBundle = Object.keys(bundledFiles).length > 0;

export const programFile = isBundle ? String(process.argv[1]) : join(packageFolder, 'dist', 'cli', 'main.js');

/** How everybody calls this program where it is installed: for files that are handed over, and that `verify` compares. */
export const installedAs = 'npx --no -- client-api-conformance';

/** How the person calls it who reads what it prints. */
export const calledAs = isBundle ? `node ${basename(programFile)}` : installedAs;

const require = createRequire(import.meta.url);

/** The text of a file of this package. The bundle has it in itself, at the place where the package would have it. */
export function readOwn(file: string): string {
  return bundledFiles[placeOf(file)] ?? readFileSync(file, 'utf8');
}

/** Whether the bundle has the file in itself. */
export function isBundled(file: string): boolean {
  return placeOf(file) in bundledFiles;
}

/** The names of the files in a folder of this package, in order. */
export function namesIn(folder: string): readonly string[] {
  const place = `${placeOf(folder)}/`;
  const bundled = Object.keys(bundledFiles).filter((file) => file.startsWith(place));
  const names = bundled.length > 0 ? bundled.map((file) => file.slice(place.length)) : readdirSync(folder);
  return names.sort();
}

/** Loads a CommonJS module of this package that no source has, such as a validator that the build made. */
export function loadOwn(file: string): unknown {
  const load = bundledModules[placeOf(file)];
  return load ? load() : require(file);
}

function placeOf(file: string): string {
  return relative(packageFolder, file).replaceAll(sep, '/');
}
