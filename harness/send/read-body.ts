import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, constants as zlib } from 'node:zlib';
import type { RawAnswer } from '../record/observation.ts';

/** Why reading stopped: at the end of the body, at one of our bounds, or because the connection failed. */
export type BodyEnd = 'complete' | 'too-long' | 'too-slow' | { readonly error: unknown };
export interface Body {
  readonly bytes: Buffer;
  readonly end: BodyEnd;
  /** Milliseconds of the longest pause between two of its parts. */
  readonly pauseMs: number;
}
export interface Bounds {
  readonly maxBytes: number;
  readonly maxMs: number;
  /** Milliseconds of a pause after which nothing more is waited for. */
  readonly maxPauseMs?: number;
}
/** Documented bodies are read up to the first of these, refusals and chats up to the next one (outcomes 6), headers up to the last. */
export const MOST_BYTES = { documented: 8 * 1024 * 1024, other: 1024 * 1024, head: 64 * 1024 };

/** Reads a body within bounds and discards the rest. Keeps what came before an error or a bound. */
export function readBounded(body: Readable, { maxBytes, maxMs, maxPauseMs }: Bounds): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (end: BodyEnd) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(pause);
      if (end !== 'complete') body.destroy();
      resolve({ bytes: Buffer.concat(chunks, size), end, pauseMs });
    };
    const stop = () => settle('too-slow');
    const timer = setTimeout(stop, maxMs);
    let pause: NodeJS.Timeout | undefined;
    let [pauseMs, last]: [number, number | undefined] = [0, undefined];
    body.on('data', (chunk: Buffer) => {
      const now = performance.now();
      pauseMs = Math.max(pauseMs, now - (last ?? now));
      last = now;
      clearTimeout(pause);
      if (maxPauseMs !== undefined) pause = setTimeout(stop, maxPauseMs);
      const room = maxBytes - size;
      const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
      if (kept.length > 0) chunks.push(kept);
      size += kept.length;
      if (kept.length < chunk.length) settle('too-long');
    });
    body.on('end', () => settle('complete'));
    body.on('error', (error) => settle({ error }));
    body.on('close', () => {
      // Every body closes after its end, and an error is expensive because of its stack.
      if (!settled) settle({ error: new Error('closed') });
    });
  });
}

/** Decompresses a body within bounds. A truncated one gives its beginning, and one that does not match its encoding nothing. */
export async function decode(
  { bytes, end }: Pick<Body, 'bytes' | 'end'>,
  { encoding, type }: { readonly encoding: string; readonly type?: string },
  bounds: Bounds,
): Promise<Pick<RawAnswer, 'text' | 'truncated'>> {
  const truncated = end !== 'complete';
  // They were applied in this order (RFC 9110 8.4).
  const names = encoding
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => !NO_CODINGS.includes(name));
  const last = bytes.length === 0 ? undefined : names.pop();
  if (last === undefined) return { text: textOf(bytes, type), truncated };
  const createDecompressor = names.length < MOST_CODINGS ? DECOMPRESSORS[last] : undefined;
  // The request does not restrict the encoding, so an unknown one is no fault of the target (RFC 9110 12.5.3).
  if (createDecompressor === undefined) return { text: '', truncated: true };
  const stream = createDecompressor(bytes);
  stream.end(bytes);
  const body = await readBounded(stream, bounds);
  const hitsBound = body.end === 'too-long' || body.end === 'too-slow';
  const rest = { bytes: body.bytes, end: hitsBound ? body.end : end };
  return decode(rest, { ...(type !== undefined && { type }), encoding: names.join(',') }, bounds);
}

/** Some servers name the charset here, and clients ignore that. */
const NO_CODINGS: readonly string[] = ['', 'identity', 'none', 'utf-8', 'utf8'];
const MOST_CODINGS = 4;
/** The compression method of the zlib format, in the low bits of its first byte (RFC 1950 2.2). */
const ZLIB_FORMAT = 8;

// Flushing gives the beginning of a truncated body instead of an error.
const DECOMPRESSORS: Readonly<Record<string, (bytes: Buffer) => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH }),
  // Some servers leave out the zlib format around it, and clients read both (RFC 9110 8.4.1.2).
  deflate: ([first = 0]) =>
    ((first & 0x0f) === ZLIB_FORMAT ? createInflate : createInflateRaw)({ finishFlush: zlib.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
};

/**
 * Decodes a body by its byte order mark, or else by the charset of its content type (RFC 9110 8.3.2). Without either,
 * or with an unknown charset, it is read as UTF-8. Invalid bytes become U+FFFD.
 */
export function textOf(bytes: Uint8Array, contentType = ''): string {
  const [, named = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  return decoderFor(charsetOfMark(bytes) ?? named).decode(bytes);
}

/** The charset that a UTF-16 byte order mark shows. The decoder itself handles the one of UTF-8. */
function charsetOfMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

const UTF_8 = new TextDecoder();

function decoderFor(label: string): typeof UTF_8 {
  if (/^utf-?8$/i.test(label)) return UTF_8;
  try {
    return new TextDecoder(label);
  } catch {
    return UTF_8;
  }
}
