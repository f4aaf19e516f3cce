import { EventEmitter } from 'node:events';
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { LookupFunction } from 'node:net';
import { buildConnector, Client, Pool } from 'undici';
import type { WireRequest } from '../plan/request.ts';
import { type Failure, isSuccess, type RawAnswer } from '../record/observation.ts';
import type { ClientCertificate } from '../settings/client-certificate.ts';
import { without100 } from './interim-answers.ts';
import { connectThrough, proxyFor } from './proxy.ts';
import { failureOf } from './raw-socket.ts';
import { type Bounds, decode, MOST_BYTES, readBounded } from './read-body.ts';

/** Sends requests over keep-alive connections and reads answers within bounds. It never follows redirects. */
export interface Probe {
  /** @param streams a successful answer may stream without end, so that it is judged at its headers (outcomes 6). */
  send(request: WireRequest, timeoutMs: number, streams?: boolean): Promise<RawAnswer | Failure>;
  close(): Promise<void>;
}
export interface ProbeOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly extraHeaders: readonly (readonly [string, string])[];
  /** Milliseconds to connect. The timeouts of headers and body come on top. */
  readonly connectMs?: number;
  /** Reads refusals and streams as far as documented bodies, because a check searches them for private text. */
  readonly readsAll?: boolean;
  /** For a server that asks for one. */
  readonly certificate?: ClientCertificate | undefined;
  /** The resolver; that of Node if absent. A proxy resolves names itself. */
  readonly lookup?: LookupFunction | undefined;
  /** Speaks HTTP/2 over TLS, and nothing else. */
  readonly isHttp2?: boolean;
}

/** A stream is read for so many milliseconds (outcomes 6). */
const STREAM_MS = 5_000;
/** After so many streams that stayed open, one has said what it says after a pause so many times as long as any before, */
const [OPEN_STREAMS, TIMES_LONGEST] = [3, 10];
/** and of at least so many milliseconds. */
const LEAST_PAUSE_MS = 200;

export function createProbe(options: ProbeOptions): Probe {
  const { baseUrl, extraHeaders, connectMs = 10_000, readsAll = false } = options;
  const target = new URL(baseUrl);
  const prefix = target.pathname.replace(/\/+$/, '');
  const pool = poolTo(target, { ...options, connectMs });
  /** How many streams stayed open until now, and the longest pause of any stream. */
  const known = { open: 0, pauseMs: 0 };
  const exchange = async (
    { method, path, headers, body }: WireRequest,
    timeoutMs: number,
    streams: boolean,
    signal: EventEmitter,
  ): Promise<RawAnswer | Failure> => {
    try {
      const sent = { method, path: prefix + path, headers: [...headers, ...extraHeaders].flat(), body: body ?? null };
      const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
      // What comes before and after the answer shows a text as well as its headers, but says nothing of how to read it.
      const beside: Record<string, string[]> = {};
      const keep = (where: 'early' | 'trailer', headers: IncomingHttpHeaders) => {
        for (const [name, value = []] of Object.entries(headers)) {
          const key = `${name} (${where})`;
          beside[key] = [...(beside[key] ?? []), value].flat();
        }
      };
      const onInfo = (early: { readonly headers: IncomingHttpHeaders }) => keep('early', early.headers);
      const answer = await pool.request({ ...sent, ...timeouts, signal, onInfo });
      const { statusCode: status, headers: got } = answer;
      if (answer.statusText !== STATUS_CODES[status]) beside[':reason'] = [answer.statusText];
      const accepted = isSuccess(status);
      const bounds: Bounds = {
        maxBytes: MOST_BYTES[readsAll || (accepted && !streams) ? 'documented' : 'other'],
        maxMs: streams ? STREAM_MS : timeoutMs,
        ...(streams &&
          known.open >= OPEN_STREAMS && { maxPauseMs: Math.max(LEAST_PAUSE_MS, TIMES_LONGEST * known.pauseMs) }),
      };
      const read = await readBounded(answer.body, bounds);
      if (streams && read.end === 'too-slow') known.open += 1;
      if (streams) known.pauseMs = Math.max(known.pauseMs, read.pauseMs);
      // The beginning of a refusal or of a stream is enough to judge it. Half a documented body counts as no answer.
      if (accepted && !streams && read.end === 'too-slow')
        return { kind: 'failure', failure: 'timeout', detail: 'timeout (the body)' };
      if (accepted && (!streams || readsAll) && typeof read.end === 'object') return failureOf(read.end.error);
      const declared = { encoding: String(got['content-encoding'] ?? ''), type: String(got['content-type'] ?? '') };
      keep('trailer', answer.trailers);
      return { status, headers: { ...beside, ...got }, ...(await decode(read, declared, bounds)) };
    } catch (error) {
      return failureOf(error);
    }
  };
  return {
    send(request, timeoutMs, streams = false) {
      // Every send ends, whatever the connection does. Otherwise the requests that wait behind it would wait for ever.
      return new Promise((resolve) => {
        // undici also takes an EventEmitter. An AbortSignal takes as long as a fifth of a request.
        const signal = new EventEmitter();
        const timer = setTimeout(
          () => {
            signal.emit('abort');
            resolve({ kind: 'failure', failure: 'timeout', detail: 'timeout (the whole exchange)' });
          },
          connectMs + timeoutMs + (streams ? STREAM_MS : timeoutMs),
        );
        void exchange(request, timeoutMs, streams, signal).then((got) => {
          clearTimeout(timer);
          resolve(got);
        });
      });
    },
    close: () => pool.destroy(),
  };
}

type PoolOptions = ProbeOptions & { readonly connectMs: number };

function poolTo(target: URL, { connections, connectMs, lookup, certificate, isHttp2 = false }: PoolOptions): Pool {
  const proxy = proxyFor(target.href);
  const options = { timeout: connectMs, allowH2: isHttp2, ...(lookup && { lookup }), ...certificate };
  const connect = buildConnector(options);
  return new Pool(target.origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    maxHeaderSize: MOST_BYTES.head,
    allowH2: isHttp2,
    factory: (origin, more) => freeAgain(new Client(origin, more)),
    connect: (where, done) =>
      proxy
        ? connectThrough(proxy, target, { timeoutMs: connectMs, certificate }).then(
            (socket) => done(null, without100(socket)),
            (e) => done(e, null),
          )
        : connect(where, (...[error, socket]) => {
            if (error) done(error, null);
            else if (!isHttp2) done(null, without100(socket));
            else if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') done(null, socket);
            else done(new Error('the server chose another version than HTTP/2'), null);
          }),
  });
}

/**
 * undici throws at a request that HTTP does not allow. Its pool takes the client that threw for a busy one, and waits for ever
 * until that is free. A client that has nothing to send is free.
 */
function freeAgain(client: Client): Client {
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (request, handler) => dispatch(request, handler) || client.stats.size === 0;
  return client;
}
