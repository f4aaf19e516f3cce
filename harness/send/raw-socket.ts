import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Failure, RawAnswer } from '../record/observation.ts';
import { failureOf } from './failure-names.ts';
import { connectThrough, proxyFor } from './proxy.ts';

/** No more of an answer is read. */
const MOST_CHARACTERS = 64 * 1024;

/**
 * Sends bytes as they are, one for each character, over a connection of their own to the host of `baseUrl`: what no HTTP
 * client lets through. Reads one final answer; a server may also close without any (RFC 9112 2.2).
 */
export async function sendRaw(baseUrl: string, text: string, timeoutMs: number): Promise<RawAnswer | Failure> {
  const target = new URL(baseUrl);
  const proxy = proxyFor(baseUrl);
  let socket: Socket;
  try {
    socket = proxy ? await connectThrough(proxy, target, timeoutMs) : connectTo(target);
  } catch (error) {
    return failureOf(error);
  }
  return new Promise((resolve) => {
    let got = '';
    const settle = (otherwise: Failure) => {
      clearTimeout(late);
      socket.destroy();
      resolve(readAnswer(got, true) ?? otherwise);
    };
    const late = setTimeout(
      () => settle({ kind: 'failure', failure: 'timeout', detail: 'no answer in time' }),
      timeoutMs,
    );
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      got += chunk;
      if (got.length >= MOST_CHARACTERS || readAnswer(got, false)) settle(CLOSED);
    });
    socket.on('error', (error) => settle(failureOf(error)));
    socket.on('close', () => settle(CLOSED));
    socket.write(text, 'latin1');
  });
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:';
  const where = { host, port: Number(port || (secure ? 443 : 80)) };
  return secure
    ? connectTls({ ...where, ...(isIP(host) === 0 && { servername: host }) })
    : connectTcp({ ...where, noDelay: true });
}

const CLOSED: Failure = { kind: 'failure', failure: 'reset', detail: 'closed without an answer' };

/** The final answer in what came; undefined while it is not complete. `ended`: nothing more will come. */
export function readAnswer(got: string, ended: boolean): RawAnswer | undefined {
  const split = got.indexOf('\r\n\r\n');
  const head = split < 0 ? got : got.slice(0, split);
  const status = Number(/^HTTP\/\d(?:\.\d)? (\d{3})/.exec(head)?.[1]);
  if (Number.isNaN(status)) return undefined;
  // An interim answer stands before the final one (RFC 9110 15.2).
  if (split >= 0 && status < 200) return readAnswer(got.slice(split + 4), ended);
  if (split < 0 && !ended) return undefined;
  const headers = readHeaders(head);
  const body = split < 0 ? '' : got.slice(split + 4);
  const chunked = /\bchunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  const length = Number(headers['content-length'] ?? Number.NaN);
  const whole =
    status === 204 || status === 304 || (chunked ? /(^|\r\n)0\r\n(.*\r\n)*\r\n$/.test(body) : body.length >= length);
  if (!whole && !ended) return undefined;
  const bytes = chunked ? joinChunks(body) : body.slice(0, Number.isNaN(length) ? body.length : length);
  return { status, headers, text: Buffer.from(bytes, 'latin1').toString(), truncated: !whole && !Number.isNaN(length) };
}

function readHeaders(head: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const [, name = '', value = ''] = /^([^:]*):\s*(.*?)\s*$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  }
  return headers;
}

/** RFC 9112 7.1. */
function joinChunks(body: string): string {
  let joined = '';
  let at = 0;
  for (;;) {
    const line = /^([0-9a-f]+)[^\r\n]*\r\n/i.exec(body.slice(at, at + 64));
    const size = Number.parseInt(line?.[1] ?? '0', 16);
    if (!line || size === 0) return joined;
    at += line[0].length;
    joined += body.slice(at, at + size);
    at += size + 2;
  }
}
