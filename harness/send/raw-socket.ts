import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { errorCode } from '../contract/configuration-error.ts';
import { type Failure, isSuccess, type RawAnswer } from '../record/observation.ts';
import type { ClientCertificate } from '../settings/client-certificate.ts';
import { connectThrough, proxyFor, socketHost } from './proxy.ts';
import { decode, MOST_BYTES } from './read-body.ts';

/**
 * Sends a request that no HTTP client would send: the text as it is, one byte for each character, over a new connection
 * to the host of `baseUrl`. Reads one final answer. A server may also close the connection without one (RFC 9112 2.2).
 */
export async function sendRaw(
  baseUrl: string,
  text: string,
  timeoutMs: number,
  certificate?: ClientCertificate,
): Promise<RawAnswer | Failure> {
  const target = new URL(baseUrl);
  const proxy = proxyFor(baseUrl);
  let socket: Socket;
  try {
    socket = proxy ? await connectThrough(proxy, target, { timeoutMs, certificate }) : connectTo(target, certificate);
  } catch (error) {
    return failureOf(error);
  }
  const isHead = text.startsWith('HEAD ');
  return new Promise((resolve) => {
    let got = '';
    let settled = false;
    const settle = (failure: Failure) => {
      // The connection closes after that, too.
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      socket.destroy();
      const answer = readAnswer(got, true, isHead);
      const isCut = answer?.truncated === true && isSuccess(answer.status) && got.length < MOST_BYTES.other;
      resolve(isCut ? BROKEN_OFF : answer ? decoded(answer, timeoutMs) : failure);
    };
    const timer = setTimeout(() => settle(TIMEOUT), timeoutMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      got += chunk;
      if (got.length >= MOST_BYTES.other || readAnswer(got, false, isHead)) settle(CLOSED);
    });
    socket.on('error', (error) => settle(failureOf(error)));
    socket.on('close', () => settle(CLOSED));
    socket.write(text, 'latin1');
  });
}

/** The body is read as every other is: it may be compressed, though nobody asked for that (RFC 9110 12.5.3). */
async function decoded({ bytes, truncated, ...head }: Received, maxMs: number): Promise<RawAnswer> {
  const { 'content-encoding': encoding = '', 'content-type': type = '' } = head.headers;
  const body = { bytes, end: truncated ? 'too-long' : 'complete' } as const;
  return { ...head, ...(await decode(body, { encoding, type }, { maxBytes: MOST_BYTES.documented, maxMs })) };
}

/** @param how what else Node takes to connect, such as a resolver and the protocols to offer. */
export function connectTo(
  url: URL,
  certificate: ClientCertificate | undefined,
  how: Pick<ConnectionOptions, 'lookup' | 'ALPNProtocols'> = {},
): Socket {
  const { protocol, port } = url;
  const host = socketHost(url);
  const secure = protocol === 'https:';
  const where = { host, port: Number(port || (secure ? 443 : 80)), ...how };
  return secure
    ? connectTls({ ...where, ...(isIP(host) === 0 && { servername: host }), ...certificate })
    : connectTcp({ ...where, noDelay: true });
}

const TIMEOUT: Failure = { kind: 'failure', failure: 'timeout', detail: 'timeout (no answer)' };
/** Half a success is no answer, as for every other request. The beginning of a refusal is enough to judge it. */
const BROKEN_OFF: Failure = { kind: 'failure', failure: 'protocol', detail: 'the answer broke off' };
const CLOSED: Failure = { kind: 'failure', failure: 'reset', detail: 'the connection was closed without an answer' };

/**
 * The final answer in the text that was received. Undefined while it is not complete.
 * @param ended nothing more will come.
 * @param isHead it answers a HEAD, so that its first empty line ends it, whatever length it declares (RFC 9112 6.3).
 */
export function readAnswer(got: string, ended: boolean, isHead = false): Received | undefined {
  const { at, split, status } = finalHead(got);
  if (Number.isNaN(status)) return undefined;
  if (split < 0 && !ended) return undefined;
  const headers = readHeaders(got.slice(at, split < 0 ? undefined : Math.min(split, at + MOST_BYTES.head)));
  const body = split < 0 ? '' : got.slice(split + 4);
  const chunked = /\bchunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  const length = Number(headers['content-length'] ?? Number.NaN);
  const hasNoBody = isHead || status === 204 || status === 304;
  // Chunks end with an empty line, and to join them at each piece of an answer takes long.
  const chunks = chunked && (ended || body.endsWith('\r\n')) ? joinChunks(body) : undefined;
  const isComplete = chunked ? chunks?.complete === true : body.length >= length;
  const truncated = !hasNoBody && !isComplete;
  if (truncated && !ended) return undefined;
  const text = chunks ? chunks.joined : body.slice(0, Number.isNaN(length) ? body.length : length);
  // Without a length, the end of the connection is the end of the body (RFC 9112 6.3).
  return { status, headers, bytes: Buffer.from(text, 'latin1'), truncated: truncated && !Number.isNaN(length) };
}
/** An answer whose body is as it was sent. */
interface Received extends Pick<RawAnswer, 'status' | 'truncated'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Where the head of the final answer begins and ends, and its status. Interim answers come before it (RFC 9110 15.2). */
function finalHead(got: string) {
  for (let at = 0; ; ) {
    const split = got.indexOf('\r\n\r\n', at);
    const status = Number(/^HTTP\/\d(?:\.\d)? (\d{3})/.exec(got.slice(at, at + 16))?.[1]);
    if (split < 0 || !(status < 200)) return { at, split, status };
    at = split + 4;
  }
}

function readHeaders(head: string): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).toLowerCase();
    const [value, before] = [line.slice(colon + 1).trim(), headers.get(name)];
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** Decodes the chunked transfer coding (RFC 9112 7.1). It is complete after the last chunk and the trailers. */
function joinChunks(body: string): { readonly joined: string; readonly complete: boolean } {
  let joined = '';
  let at = 0;
  for (;;) {
    const line = /^([0-9a-f]+)[^\r\n]*\r\n/i.exec(body.slice(at, at + 64));
    if (!line) return { joined, complete: false };
    const size = Number.parseInt(line[1] ?? '', 16);
    at += line[0].length;
    // An empty line ends the trailers. Without trailers it follows at once.
    if (size === 0) return { joined, complete: body.startsWith('\r\n', at) || body.includes('\r\n\r\n', at) };
    joined += body.slice(at, at + size);
    at += size + 2;
  }
}

const KINDS: Readonly<Record<string, Failure['failure']>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'no-tls',
};

/** What the name of the kind would not say. */
const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
};

/** How undici refuses to send a request. Its message names the part, such as the path or a header, and quotes no value. */
const UNSENDABLE = ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'];

/** Describes any other error by its code only, because its message may quote what was sent. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  if (error instanceof Error && UNSENDABLE.includes(code))
    return { kind: 'failure', failure: 'other', detail: `not sent, because HTTP does not allow it: ${error.message}` };
  const failure = code.startsWith('PROXY_') ? undefined : (KINDS[code] ?? tlsFailure(code));
  if (failure === 'tls' || failure === 'no-tls') return { kind: 'failure', failure, detail: `TLS error (${code})` };
  // undici's parser error has a code only in some cases, so its name counts too.
  if (failure === 'protocol' || code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return { kind: 'failure', failure: 'protocol', detail: `no usable answer (${code})` };
  if (failure) return { kind: 'failure', failure, detail: `${WORDS[code] ?? failure} (${code})` };
  const ofProxy = code.startsWith('PROXY_ANSWERED_')
    ? 'the proxy refused the connection'
    : 'no connection through the proxy';
  const what = code.startsWith('PROXY_') ? ofProxy : 'no usable answer';
  return { kind: 'failure', failure: 'other', detail: `${what} (${code})` };
}

/** A server that does not speak TLS at all looks to OpenSSL like another version of it. */
function tlsFailure(code: string): Failure['failure'] | undefined {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) return 'no-tls';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'tls' : undefined;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  return (errorCode(error) ?? error.name).slice(0, 60);
}
