import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Pool } from 'undici';
import type { Failure, RawAnswer } from './observation.ts';
import type { WireRequest } from './request.ts';

/** Sends requests over kept-alive connections and reads answers within bounds. Redirects are never followed. */
export interface Probe {
  send(request: WireRequest, timeoutMs: number): Promise<RawAnswer | Failure>;
  close(): Promise<void>;
}
export interface ProbeOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly extraHeaders: readonly (readonly [string, string])[];
}

/** No more of a body is read, packed or unpacked, and for no longer (OUTCOMES 6). */
const MOST_BYTES = 64 * 1024;
const MOST_MS = 5_000;

export function createProbe({ baseUrl, connections, extraHeaders }: ProbeOptions): Probe {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, { connections, pipelining: 1, keepAliveTimeout: 30_000, maxHeaderSize: 64 * 1024 });
  const extra = extraHeaders.flat();
  return {
    async send(request, timeoutMs) {
      const headers: string[] = [];
      for (const [name, value] of request.headers) headers.push(name, value);
      headers.push(...extra);
      try {
        const {
          statusCode,
          headers: got,
          body,
        } = await pool.request({
          method: request.method,
          path: prefix + request.path,
          headers,
          body: request.body ?? null,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: null,
        });
        const { bytes, truncated } = await readBounded(body, Number(got['content-length'] ?? Number.NaN));
        const text = decode(bytes, String(got['content-encoding'] ?? ''));
        return { status: statusCode, headers: got, text: text ?? '', truncated: truncated || text === undefined };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => pool.destroy(),
  };
}

type Body = Awaited<ReturnType<Pool['request']>>['body'];

async function readBounded(body: Body, declared: number): Promise<{ bytes: Buffer; truncated: boolean }> {
  if (declared <= MOST_BYTES) {
    const late = setTimeout(() => body.destroy(new Error('body too slow')), MOST_MS);
    try {
      return { bytes: Buffer.from(await body.arrayBuffer()), truncated: false };
    } catch {
      return { bytes: Buffer.alloc(0), truncated: true };
    } finally {
      clearTimeout(late);
    }
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const late = setTimeout(() => body.destroy(), MOST_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= MOST_BYTES) break;
    }
  } catch {
    // A body cut off, by us or by the target, still has a status and a beginning to judge.
    return { bytes: Buffer.concat(chunks).subarray(0, MOST_BYTES), truncated: true };
  } finally {
    clearTimeout(late);
  }
  return { bytes: Buffer.concat(chunks).subarray(0, MOST_BYTES), truncated: size >= MOST_BYTES };
}

/** The text of a body, unpacked within bounds; undefined for one that unpacks to too much or not at all. */
function decode(bytes: Buffer, encoding: string): string | undefined {
  const bounds = { maxOutputLength: 4 * MOST_BYTES };
  try {
    switch (encoding.trim().toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, bounds).toString();
      case 'deflate':
        return inflateSync(bytes, bounds).toString();
      case 'br':
        return brotliDecompressSync(bytes, bounds).toString();
      default:
        return bytes.toString();
    }
  } catch {
    return undefined;
  }
}

const KINDS: Readonly<Record<string, Failure['failure']>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
};

/** Names what went wrong by its code only: an error's text may quote what was sent. */
export function failureOf(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  const known = KINDS[code];
  if (known) return { kind: 'failure', failure: known, detail: `${known} (${code})` };
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return { kind: 'failure', failure: 'tls', detail: `TLS error (${code})` };
  return {
    kind: 'failure',
    failure: code.startsWith('HPE_') ? 'protocol' : 'other',
    detail: `no usable answer (${code})`,
  };
}
