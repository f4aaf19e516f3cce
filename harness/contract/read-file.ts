import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { errorCode } from './configuration-error.ts';

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

/**
 * Reads a file of the operator. Some programs offer secrets in a named pipe: it is read as soon as they write.
 * @param writerMs how long they may take. Only a test gives them less.
 */
export function readOwnFile(file: string, writerMs = WRITER_MS): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return fstatSync(descriptor).isFIFO() ? readPipe(descriptor, writerMs) : readRegularFile(file);
  } finally {
    closeSync(descriptor);
  }
}

function readPipe(descriptor: number, writerMs: number): Buffer {
  const chunks: Buffer[] = [];
  const end = Date.now() + writerMs;
  while (Date.now() < end) {
    const chunk = Buffer.alloc(PIPE_BYTES);
    const length = readSome(descriptor, chunk);
    if (length === 0 && chunks.length > 0) return Buffer.concat(chunks);
    if (length > 0) chunks.push(chunk.subarray(0, length));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  throw unreadable(`a pipe whose writer did not finish within ${writerMs / 1000} seconds`);
}
const WRITER_MS = 5_000;
const PIPE_BYTES = 64 * 1024;

/** How many bytes were read; 0 while nobody writes, and -1 while somebody is about to. */
function readSome(descriptor: number, chunk: Buffer): number {
  try {
    return readSync(descriptor, chunk);
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return -1;
    throw error;
  }
}

function unreadable(code: string): Error {
  return Object.assign(new Error(code), { code });
}
