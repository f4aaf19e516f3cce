import { EventEmitter } from 'node:events';
import { Pool } from 'undici';
import type { WireRequest } from '../plan/request.ts';
import { type Failure, isSuccess, type RawAnswer } from '../record/observation.ts';
import { isHeaderValue } from '../settings/header-value.ts';
import { failureOf } from './failure-names.ts';
import { connectThrough, proxyFor } from './proxy.ts';
import { type Bounds, decode, readBounded } from './read-body.ts';

/** Sends requests over kept-alive connections and reads answers within bounds. Redirects are never followed. */
export interface Probe {
  /** @param streams the operation's success may come without end: it is judged at its headers (OUTCOMES 6). */
  send(request: WireRequest, timeoutMs: number, streams?: boolean): Promise<RawAnswer | Failure>;
  close(): Promise<void>;
}
export interface ProbeOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly extraHeaders: readonly (readonly [string, string])[];
  /** Milliseconds for a connection, on top of those for headers and body. */
  readonly connectMs?: number;
}

/** No more is read of a body that is documented, of a refusal, and of one that may stream; nor for longer. */
const DOCUMENTED_BYTES = 8 * 1024 * 1024;
const REFUSAL_BYTES = 1024 * 1024;
const STREAM_BYTES = 64 * 1024;
const STREAM_MS = 5_000;

/** A request as it is handed to undici. */
interface Outgoing extends Pick<WireRequest, 'method' | 'path' | 'body'> {
  /** Names and values in turn. */
  readonly headers: string[];
  readonly timeoutMs: number;
  readonly streams: boolean;
  readonly signal: EventEmitter;
}

export function createProbe({ baseUrl, connections, extraHeaders, connectMs = 10_000 }: ProbeOptions): Probe {
  const target = new URL(baseUrl);
  const prefix = target.pathname.replace(/\/+$/, '');
  const pool = poolTo(target, connections, connectMs);
  return {
    send({ method, path, headers, body }, timeoutMs, streams = false) {
      // undici refuses such a value and then never sends again over that connection.
      if (headers.some(([, value]) => !isHeaderValue(value))) return Promise.resolve(UNSENDABLE);
      const lines = [...headers, ...extraHeaders].flat();
      // Whatever the connection does, a send ends: nothing else waits for ever behind it.
      return new Promise((resolve) => {
        // undici takes it for an AbortSignal, which costs as much as a fifth of a request.
        const signal = new EventEmitter();
        const late = setTimeout(
          () => {
            signal.emit('abort');
            resolve({ kind: 'failure', failure: 'timeout', detail: 'timeout (the whole exchange)' });
          },
          connectMs + timeoutMs + (streams ? STREAM_MS : timeoutMs),
        );
        const outgoing = { method, path: prefix + path, headers: lines, body, timeoutMs, streams, signal };
        void exchange(pool, outgoing).then((got) => {
          clearTimeout(late);
          resolve(got);
        });
      });
    },
    close: () => pool.destroy(),
  };
}

function poolTo(target: URL, connections: number, connectMs: number): Pool {
  const proxy = proxyFor(target.href);
  return new Pool(target.origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    maxHeaderSize: 64 * 1024,
    connect: proxy
      ? (_, done) =>
          connectThrough(proxy, target, connectMs).then(
            (socket) => done(null, socket),
            (e) => done(e, null),
          )
      : { timeout: connectMs },
  });
}

async function exchange(pool: Pool, outgoing: Outgoing): Promise<RawAnswer | Failure> {
  const { method, path, headers, timeoutMs, streams, signal } = outgoing;
  try {
    const body = outgoing.body ?? null;
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const answer = await pool.request({ method, path, headers, body, ...timeouts, signal });
    const { statusCode: status, headers: got } = answer;
    const accepted = isSuccess(status);
    const bounds: Bounds = {
      mostBytes: accepted ? (streams ? STREAM_BYTES : DOCUMENTED_BYTES) : REFUSAL_BYTES,
      mostMs: streams ? STREAM_MS : timeoutMs,
    };
    const read = await readBounded(answer.body, bounds);
    // Of a refusal and of a stream the beginning is enough; half a documented body is no answer.
    if (accepted && !streams && read.end === 'late')
      return { kind: 'failure', failure: 'timeout', detail: 'timeout (the body)' };
    if (accepted && !streams && typeof read.end === 'object') return failureOf(read.end.error);
    const declared = { encoding: String(got['content-encoding'] ?? ''), type: String(got['content-type'] ?? '') };
    const { text, cut } = await decode(read, declared, bounds);
    return { status, headers: got, text, truncated: cut };
  } catch (error) {
    return failureOf(error);
  }
}

const UNSENDABLE: Failure = {
  kind: 'failure',
  failure: 'other',
  detail: 'not sent: a header value holds a character that no header may hold',
};
