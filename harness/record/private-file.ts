import { closeSync, lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { configurationError } from '../contract/configuration-error.ts';

/**
 * Creates a folder that only its owner can enter. A folder that exists already keeps its permissions: it may hold more
 * than reports.
 * @throws a configuration error if the folder is a symbolic link.
 */
export function makePrivateFolder(folder: string): void {
  refuseLink(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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

function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw configurationError(
      `${path} is a symbolic link, and reports are never written through one; remove it, or name another folder with CONFORMANCE_REPORT_DIR or --report-dir`,
    );
}
