import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Aim, Call, CheckAnswer, CheckApi, RawCall } from '../../../harness/checks/check.ts';
import type { CurlForm } from '../../../harness/checks/check-curl.ts';
import { ACT_AS, type HeaderLines, headerOf } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import {
  credentialLine,
  parameterOf,
  tokenIn,
  type WireRequest,
  withOneCookieLine,
  withParameter,
} from '../../../harness/plan/request.ts';
import type { Route } from '../../../harness/send/routes.ts';
import type { Variation } from '../../variations/variation.ts';
import { PATIENCE_MS } from './confirm.ts';

export type Line = readonly [name: string, value: string];

/** A request to an operation, as it is documented. */
export interface Base {
  readonly credential: Credential | undefined;
  /** As in a call. */
  readonly authorization?: string | null | undefined;
  readonly headers: readonly Line[];
  /** The message that has the fields inside, and those of its example. By default the fields are the body. */
  readonly message?: { readonly fields: object; readonly around: (fields: object) => object } | undefined;
}

export interface Varied extends Aim {
  readonly base: Base;
  readonly variations: readonly Variation[];
  /** Fields of the body instead of those of the example. */
  readonly fields?: object;
  readonly finds?: string | undefined;
  /** Whether it is sent though this run has an answer to it. By default it is. */
  readonly isAnew?: boolean;
}

/** Sends a request to an operation, with variations. */
export function sendVaried(api: CheckApi, operation: Operation, varied: Varied): Promise<CheckAnswer> {
  const { base, variations, fields: _fields, isAnew = true, ...aim } = varied;
  const { credential } = base;
  const draft = draftOf(api, operation, varied);
  const { path, type, body, lines, authorization } = draft;
  const isElsewhere = variations.some(({ kind }) => kind === 'method' || kind === 'path');
  // An HTTP client would tidy up what is odd.
  if (!isElsewhere && (type === JSON_TYPE || body === undefined) && !variations.some(({ isRaw }) => isRaw)) {
    const query = path.slice(operation.path.length);
    const usual =
      credential && authorization === credentialLine(api.contract, credential.token) ? undefined : authorization;
    const route = routeOf(variations);
    const call: Call = { operation, credential, authorization: usual, headers: lines, query, body, route, ...aim };
    return isAnew ? api.call(call) : api.callOnce(call, 'same body');
  }
  const transports = variations.flatMap(({ kind, name }) => (kind === 'transport' ? [name] : []));
  const { authorization: carrier } = api.contract.matrix.headers;
  const whole = carried(draft, carrier);
  const text = textOf(whole, transports);
  // No program of a shell packs a body in the other ways.
  const isPacked = transports.some((name) => name !== 'gzip' && CODINGS[name]);
  const curl: RawCall['curl'] = (write) => (isPacked ? '' : write(curlRequest(whole, transports), credential));
  // Many servers never answer another path or method.
  return api.raw({ operation, text, curl, ...(isElsewhere && { patienceMs: PATIENCE_MS }), ...aim });
}

/** A way to the target is sent alone. */
function routeOf([first]: readonly Variation[]): Route | undefined {
  if (first?.kind !== 'route') return undefined;
  return first.name === 'address' ? { address: String(first.value) } : { protocol: 'h2' };
}

const JSON_TYPE = 'application/json';

/** A request before it is written. */
interface Draft {
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
  /** How the body is written. */
  readonly as: string;
}

function draftOf(api: CheckApi, { method, path, example }: Operation, varied: Varied): Draft {
  const { base, fields = base.message?.fields ?? example } = varied;
  const variations = varied.variations.flatMap(whereItStands);
  const { headers } = api.contract.matrix;
  const written = base.credential?.token;
  const { authorization: plain = written === undefined ? null : credentialLine(api.contract, written) } = base;
  const token = written ?? (plain === null ? api.unknownToken : tokenIn(api.contract, plain));
  // In parameters, placeholders are percent-encoded.
  const fillText = (text: string) =>
    text.replaceAll('{token}', token).replaceAll('%7Btoken%7D', encodeURIComponent(token));
  const fill = (value: unknown): unknown =>
    typeof value === 'string'
      ? fillText(value)
      : JSON.parse(JSON.stringify(value), (_name, one) => (typeof one === 'string' ? fillText(one) : one));
  const all = (kind: Variation['kind']) => variations.filter((one) => one.kind === kind);
  const [[other], [type]] = [all('method'), all('content-type')];
  const query = all('query').map(({ value }) => ({ query: value }))[0];
  const own = {
    ...fields,
    ...Object.fromEntries(all('field').map(({ name, value }) => [name, fill(value)])),
    ...query,
  };
  const body = base.message?.around(own) ?? own;
  const isInQuery = other?.value === 'query';
  const hasBody = !isInQuery && (fields !== undefined || Object.keys(body).length > 0);
  const parameters = [
    ...(isInQuery ? [new URLSearchParams(entriesOf(body)).toString()].filter((text) => text !== '') : []),
    ...all('parameter').map(({ name, value }) => `${name}${value === '' ? '' : `=${String(fill(value))}`}`),
  ];
  const named = [...all('person'), ...all('acting')].flatMap(({ value }) => [value].flat());
  const lines: readonly Line[] = [
    ...all('header').map(({ name, value }): Line => [name, String(fill(value))]),
    ...all('auth-type').map(({ name }): Line => [headerOf(api.contract, 'auth-type').name, name]),
    ...named.map((line): Line => [headerOf(api.contract, ACT_AS).name, String(line)]),
    ...variations.flatMap(({ lines }) => lines),
  ];
  const cookies = all('cookie').map(({ name, value }) => `${name}=${String(fill(value))}`);
  const line = all('authorization').map(({ value }) => String(fill(value)))[0];
  return {
    method: other?.name ?? method,
    path: `${all('path').map(({ value }) => String(value))[0] ?? path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`,
    name: headers.authorization.name,
    authorization: base.authorization === null ? null : (line ?? plain),
    lines: [
      ...base.headers.filter(([name]) => !lines.some(([mine]) => mine.toLowerCase() === name.toLowerCase())),
      ...lines,
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
    ],
    type: hasBody ? (type?.name ?? JSON_TYPE) : '',
    body: hasBody ? body : undefined,
    as: String(type?.value ?? 'json'),
  };
}

/** The draft with its token in the query, if the contract carries it there. */
function carried(draft: Draft, carrier: HeaderLines): Draft {
  const { path, authorization } = draft;
  if (carrier.in !== 'query' || authorization === null) return draft;
  return { ...draft, path: withParameter(path, parameterOf(carrier, authorization)), authorization: null };
}

/** A token elsewhere is a header, a cookie, a parameter or a field. */
function whereItStands(one: Variation): readonly Variation[] {
  const { place } = one;
  if (place !== 'form') return [place === undefined ? one : { ...one, kind: place }];
  return [
    { ...one, kind: 'field' },
    { ...one, kind: 'content-type', name: FORM_TYPE, value: 'form' },
  ];
}
const FORM_TYPE = 'application/x-www-form-urlencoded';

const textOfValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const entriesOf = (body: object) =>
  Object.entries(body).map(([name, value]) => [name, textOfValue(value)] as [string, string]);

const BOUNDARY = 'conformance-boundary';

/** Other ways to write a JSON text. */
const TEXTS: Readonly<Record<string, (text: string) => string>> = {
  'body-with-blanks': (text) => `\r\n ${JSON.stringify(JSON.parse(text), null, 2)}\n\n`,
  'body-with-byte-order-mark': (text) => `\ufeff${text}`,
  'body-with-doubled-keys': (text) => `${text.slice(0, -1)},${text.slice(1)}`,
  'body-in-array': (text) => `[${text}]`,
  'body-with-comments': (text) => `/* a comment */ ${text} // another`,
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

function bodyText({ body, as }: Draft, transports: readonly string[]): string {
  if (!body) return '';
  if (as === 'form') return new URLSearchParams(entriesOf(body)).toString();
  if (as !== 'multipart') return transports.reduce((text, name) => TEXTS[name]?.(text) ?? text, JSON.stringify(body));
  const parts = entriesOf(body).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

function linesOf({ name, authorization, lines, type, as }: Draft, transports: readonly string[]): readonly Line[] {
  const all: readonly Line[] = withOneCookieLine([
    ...(authorization === null ? [] : [[name, authorization] as const]),
    ...lines,
    ...(type === '' ? [] : [['Content-Type', as === 'multipart' ? `${type}; boundary=${BOUNDARY}` : type] as const]),
    ...transports.flatMap((one) => CODINGS[one]?.lines ?? []),
    ...(transports.includes('chunked') ? [['Transfer-Encoding', 'chunked'] as const] : []),
  ]);
  return transports.reduce((written, one) => LINES[one]?.(written) ?? written, all);
}

/** The text of a request as `CheckApi.raw` takes it: one character for each byte. */
function textOf(draft: Draft, transports: readonly string[]): string {
  const text = bodyText(draft, transports);
  const [coding] = transports.flatMap((name) => CODINGS[name] ?? []);
  const bytes = (coding?.pack(text) ?? Buffer.from(text)).toString('latin1');
  const isChunked = transports.includes('chunked');
  const isOpen = draft.lines.some(([name]) => name.toLowerCase() === 'connection');
  const lines: readonly Line[] = [
    ...linesOf(draft, transports),
    ...(isOpen ? [] : [['Connection', 'close'] as const]),
    ...(isChunked || draft.body === undefined ? [] : [['Content-Length', `${bytes.length}`] as const]),
  ];
  const target = /^https?:/.test(draft.path)
    ? draft.path.replace(/^(https?:\/\/[^/]+)/, '$1{base}')
    : `{base}${draft.path}`;
  return [
    `${draft.method} ${target} HTTP/${transports.includes('HTTP/1.0') ? '1.0' : '1.1'}`,
    '{common}',
    ...lines.map((line) => line.join(': ')),
    '',
    isChunked ? `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n` : bytes,
  ].join('\r\n');
}

/** The same request as curl sends it. */
function curlRequest(draft: Draft, transports: readonly string[]): WireRequest & CurlForm {
  const { method, path } = draft;
  const options = [transports.includes('HTTP/1.0') ? ' --http1.0' : '', /\/[./]/.test(path) ? ' --path-as-is' : ''];
  const body = draft.body && bodyText(draft, transports);
  const isGzipped = transports.includes('gzip');
  return { method, path, headers: linesOf(draft, transports), body, options: options.join(''), isGzipped };
}
