import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { CurlForm } from '../../../harness/checks/check-curl.ts';
import { type WireRequest, withOneCookieLine } from '../../../harness/plan/request.ts';

export type Line = readonly [name: string, value: string];

/** A request before it is written. */
export interface Draft {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly name: string;
  readonly authorization: string | null;
  /** The lines besides Authorization and those about the body. */
  readonly lines: readonly Line[];
  /** Empty for no line. */
  readonly type: string;
  /** Undefined for a request without a body. */
  readonly body: object | undefined;
  /** What is written before the fields of the body, and behind them: a field that the body has stands there twice. */
  readonly beside: readonly [before: object, behind: object];
  /** How the body is written. */
  readonly as: string;
  /** The documented headers as they are sent behind the body, if a variation says so. */
  readonly trailers: readonly Line[];
}

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
export const entriesOf = (body: object) =>
  Object.entries(body).map(([name, value]) => [name, textOfValue(value)] as [string, string]);

const BOUNDARY = 'conformance-boundary';

/** A character as any JSON string may have it (RFC 8259 7). */
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Other ways to write a JSON text. */
const TEXTS: Readonly<Record<string, (text: string) => string>> = {
  'body-with-blanks': (text) => `\r\n ${JSON.stringify(JSON.parse(text), null, 2)}\n\n`,
  'body-with-escapes': (text) =>
    text.replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
      string.replace(/\\u[\da-f]{4}|\\.|[a-z]/gi, (one) => (one.length > 1 ? one : escaped(one))),
    ),
  'body-with-byte-order-mark': (text) => `\ufeff${text}`,
  'body-with-doubled-keys': (text) => `${text.slice(0, -1)},${text.slice(1)}`,
  'body-in-array': (text) => `[${text}]`,
  'body-in-batch': (text) => `{"requests":[${text}]}`,
  'body-in-data': (text) => `{"data":${text}}`,
  'body-with-comments': (text) => `/* a comment */ ${text} // another`,
  'body-cut-short': (text) => text.slice(0, -1),
};
/** Other ways to pack a body, with the header line that says so. */
const CODINGS: Readonly<Record<string, { readonly lines: readonly Line[]; readonly pack: (text: string) => Buffer }>> =
  {
    gzip: { lines: [['Content-Encoding', 'gzip']], pack: gzipSync },
    deflate: { lines: [['Content-Encoding', 'deflate']], pack: deflateSync },
    br: { lines: [['Content-Encoding', 'br']], pack: brotliCompressSync },
    'body-in-utf-16': { lines: [], pack: (text) => Buffer.from(`\ufeff${text}`, 'utf16le') },
  };
/** Other ways to write header lines. */
const LINES: Readonly<Record<string, (lines: readonly Line[]) => readonly Line[]>> = {
  'headers-reversed': (lines) => [...lines].reverse(),
  'header-names-mixed-case': (lines) =>
    lines.map(([name, value]) => [name.replace(/../g, ([a = '', b = '']) => a.toLowerCase() + b.toUpperCase()), value]),
  'header-names-lower-case': (lines) => lines.map(([name, value]) => [name.toLowerCase(), value]),
  'header-lines-twice': (lines) =>
    lines.flatMap((line) => (/^(authorization|x-)/i.test(line[0]) ? [line, line] : [line])),
  'blanks-around-values': (lines) => lines.map(([name, value]) => [name, `  ${value} \t`]),
};

function bodyText({ body, beside: [before, behind], as }: Draft, transports: readonly string[]): string {
  if (!body) return '';
  if (as === 'form') return new URLSearchParams(entriesOf(body)).toString();
  if (as !== 'multipart') {
    const fields = [before, body, behind].map((one) => JSON.stringify(one).slice(1, -1)).filter((text) => text !== '');
    const whole = Array.isArray(body) ? JSON.stringify(body) : `{${fields.join(',')}}`;
    return transports.reduce((text, name) => TEXTS[name]?.(text) ?? text, whole);
  }
  const parts = entriesOf(body).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

function linesOf(
  { name, authorization, lines, type, as, trailers }: Draft,
  transports: readonly string[],
): readonly Line[] {
  const all: readonly Line[] = withOneCookieLine([
    ...(authorization === null ? [] : [[name, authorization] as const]),
    ...lines,
    ...(type === '' ? [] : [['Content-Type', as === 'multipart' ? `${type}; boundary=${BOUNDARY}` : type] as const]),
    ...transports.flatMap((one) => CODINGS[one]?.lines ?? []),
    ...(isChunked(transports) ? [['Transfer-Encoding', 'chunked'] as const] : []),
    // A sender announces them (RFC 9110 6.6.2), and some servers read no others.
    ...(hasTrailers(transports) && trailers.length > 0
      ? [['Trailer', trailers.map(([one]) => one).join(', ')] as const]
      : []),
  ]);
  return transports.reduce((written, one) => LINES[one]?.(written) ?? written, all);
}

const WITHOUT_AGENT = 'without-user-agent';
const hasTrailers = (transports: readonly string[]) => transports.includes('chunked-with-trailers');
const isChunked = (transports: readonly string[]) => transports.includes('chunked') || hasTrailers(transports);

/** The text of a request as `CheckApi.raw` takes it: one character for each byte. */
export function textOf(draft: Draft, transports: readonly string[]): string {
  const text = bodyText(draft, transports);
  const [coding] = transports.flatMap((name) => CODINGS[name] ?? []);
  const bytes = (coding?.pack(text) ?? Buffer.from(text)).toString('latin1');
  const inChunks = isChunked(transports);
  const trailers = hasTrailers(transports) ? draft.trailers.map((line) => `${line.join(': ')}\r\n`) : [];
  const isOpen = draft.lines.some(([name]) => name.toLowerCase() === 'connection');
  const lines: readonly Line[] = [
    ...linesOf(draft, transports),
    ...(isOpen ? [] : [['Connection', 'close'] as const]),
    ...(inChunks || draft.body === undefined ? [] : [['Content-Length', `${bytes.length}`] as const]),
  ];
  const target = /^https?:/.test(draft.path)
    ? draft.path.replace(/^(https?:\/\/[^/]+)/, '$1{base}')
    : `{base}${draft.path}`;
  return [
    `${draft.method} ${target} HTTP/${transports.includes('HTTP/1.0') ? '1.0' : '1.1'}`,
    transports.includes(WITHOUT_AGENT) ? '{common but User-Agent}' : '{common}',
    ...lines.map((line) => line.join(': ')),
    '',
    inChunks ? `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n${trailers.join('')}\r\n` : bytes,
  ].join('\r\n');
}

/** No program of a shell packs a body in the other ways, or sends trailers. */
export const hasCurlLine = (transports: readonly string[]): boolean =>
  !hasTrailers(transports) && !transports.some((name) => name !== 'gzip' && CODINGS[name]);

export function curlRequest(draft: Draft, transports: readonly string[]): WireRequest & CurlForm {
  const { method, path } = draft;
  const options = [
    transports.includes('HTTP/1.0') ? ' --http1.0' : '',
    /\/[./]/.test(path) ? ' --path-as-is' : '',
    // curl names itself.
    transports.includes(WITHOUT_AGENT) ? ' -H User-Agent:' : '',
  ];
  const body = draft.body && bodyText(draft, transports);
  const isGzipped = transports.includes('gzip');
  return { method, path, headers: linesOf(draft, transports), body, options: options.join(''), isGzipped };
}
