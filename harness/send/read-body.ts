import { createBrotliDecompress, createGunzip, createInflate, constants as zlib } from 'node:zlib';
import { textOf } from './charset.ts';

/** How a body ended: at its end, at one of our bounds, or by an error of the connection. */
export type BodyEnd = 'whole' | 'long' | 'late' | { readonly error: unknown };
export interface Body {
  readonly bytes: Buffer;
  readonly end: BodyEnd;
}
export interface Bounds {
  readonly mostBytes: number;
  readonly mostMs: number;
}
/** What is needed of a readable stream; undici's and Node's both are one. */
interface Source {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  destroy(): unknown;
}

/** Reads a body within bounds and lets the rest go; what came before an error or a bound is kept. */
export function readBounded(body: Source, { mostBytes, mostMs }: Bounds): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (end: BodyEnd) => {
      if (settled) return;
      settled = true;
      clearTimeout(late);
      if (end !== 'whole') body.destroy();
      resolve({ bytes: chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks, size), end });
    };
    const late = setTimeout(() => settle('late'), mostMs);
    body.on('data', (chunk) => {
      const room = mostBytes - size;
      const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
      if (kept.length > 0) chunks.push(kept);
      size += kept.length;
      if (kept.length < chunk.length) settle('long');
    });
    body.on('end', () => settle('whole'));
    body.on('error', (error) => settle({ error }));
    body.on('close', () => settle({ error: new Error('closed') }));
  });
}
const NOTHING = Buffer.alloc(0);

/** A body as text, and whether all of it was seen. */
export interface Text {
  readonly text: string;
  readonly cut: boolean;
}

/** What an answer says of its body: its Content-Encoding and Content-Type. */
export interface Declared {
  readonly encoding: string;
  readonly type?: string;
}

/** Unpacks a body within bounds. What is cut yields what is there; what is not packed as it says yields nothing. */
export async function decode({ bytes, end }: Body, { encoding, type }: Declared, bounds: Bounds): Promise<Text> {
  const cut = end !== 'whole';
  const unpack = UNPACKERS[encoding.trim().toLowerCase()];
  if (bytes.length === 0 || unpack === undefined) {
    // No encoding but these was asked for; one that we do not know says nothing against the target (RFC 9110 12.5.3).
    const known = /^(|identity)$/i.test(encoding.trim());
    return known || bytes.length === 0 ? { text: textOf(bytes, type), cut } : { text: '', cut: true };
  }
  const stream = unpack();
  stream.end(bytes);
  const unpacked = await readBounded(stream, bounds);
  return { text: textOf(unpacked.bytes, type), cut: cut || unpacked.end === 'long' || unpacked.end === 'late' };
}

// A packed body that was cut has no end: flushing gives what is there instead of an error.
const UNPACKERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: zlib.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
};
