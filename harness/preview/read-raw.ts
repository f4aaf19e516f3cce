import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import { isHeaderValue } from '../settings/parse-values.ts';

/** Reads a raw request as a strict server does. Anything outside the grammar is answered with 400. */
export function readRaw(text: string, base: string, answer: (request: WireRequest) => RawAnswer): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const [first = '', ...lines] = head.split('\r\n');
  const [, method, target] = /^([A-Z]+) (\/\S*) HTTP\/1\.[01]$/.exec(first) ?? [];
  const headers = lines.map((line) => (isHeaderValue(line) ? /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) : null));
  if (method === undefined || target === undefined || headers.includes(null))
    return { status: 400, headers: {}, text: '', truncated: false };
  const prefix = base.replace(/\/+$/, '');
  const path = target.startsWith(prefix) ? target.slice(prefix.length) : target;
  const read = headers.map((line): [string, string] => [line?.[1] ?? '', line?.[2] ?? '']);
  const isChunked = read.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  return answer({ method, path, headers: read, body: isChunked ? firstChunk(body) : body });
}

/** The first chunk, which is all that a check sends (RFC 9112 7.1). */
function firstChunk(body: string): string {
  const start = body.indexOf('\r\n') + 2;
  return body.slice(start, start + Number.parseInt(body, 16));
}
