import { closeSync, existsSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configurationError } from '../contract/configuration-error.ts';

/**
 * Creates a folder that only its owner can enter. A folder that exists already keeps its permissions: it may hold more
 * than reports.
 * @throws a configuration error if the folder is a symbolic link.
 */
export function makePrivateFolder(folder: string): void {
  refuseLink(folder);
  makeFolder(resolve(folder));
}

/**
 * Creates a folder, and first the one that it is in. `mkdirSync` can do both, but never ends where no folder can be made, as in
 * /proc. Another run may make the same folder at the same time.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (folder !== dirname(folder)) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Creates a file that only its owner can read, and removes an older one first: that could be open in another process,
 * readable by others, or a hard link.
 * @returns its descriptor.
 * @throws a configuration error if the file or its folder is a symbolic link, which could lead anywhere.
 */
export function openPrivate(file: string): number {
  refuseLink(dirname(file));
  refuseLink(file);
  rmSync(file, { force: true });
  // `wx` never opens what exists, so a link that appears in the meantime is an error too.
  return openSync(file, 'wx', 0o600);
}

/** Writes a whole file as `openPrivate` creates it. */
export function writePrivate(file: string, text: string): void {
  const descriptor = openPrivate(file);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a whole file in the place of an older one, at once: a run that is killed meanwhile leaves one of the two. */
export function replacePrivate(file: string, text: string): void {
  refuseLink(file);
  writePrivate(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** @throws a configuration error if a path is a symbolic link. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw configurationError(
      `${path} is a symbolic link, and reports are never written through one; remove it, or name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
}
