import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** In bytes. No text in Node can be much longer. */
const LONGEST = 256 * 1024 * 1024;

/**
 * Reads a file that may come from somebody else. A named pipe never ends, and neither does a device: only a regular file is
 * read, and no longer one than a run writes.
 * @throws an error with a code that `errorCause` shows.
 */
export function readRegularFile(file: string, longest = LONGEST): Buffer {
  // Without O_NONBLOCK, to open a pipe waits for somebody who writes to it.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(descriptor);
    if (found.isDirectory()) throw unreadable('EISDIR');
    if (!found.isFile()) throw unreadable('not a regular file');
    if (found.size > longest) throw unreadable(`longer than ${longest} bytes`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code });
}
