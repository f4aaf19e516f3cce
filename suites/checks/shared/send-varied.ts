import { gzipSync } from 'node:zlib';
import type { Aim, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import type { Variation } from '../../variations/variation.ts';
import { curlOf, DOCUMENTED_FORM, type Line } from './request-form.ts';

/** A request to an operation, as it is documented. */
export interface Base {
  readonly credential: Credential | undefined;
  /** The value of the Authorization line. By default Bearer and the credential. No line if null. */
  readonly authorization?: string | null | undefined;
  readonly headers: readonly Line[];
}

export interface Varied extends Aim {
  readonly base: Base;
  readonly variations: readonly Variation[];
  /** Fields of the body instead of those of the example. */
  readonly fields?: object;
  readonly finds?: string | undefined;
}

/** How long to wait for an answer to a request to another path, or with another method: many servers never answer one. */
const PATIENCE_MS = 3_000;

/** Sends a request to an operation, with variations. */
export function sendVaried(api: CheckApi, operation: Operation, varied: Varied): Promise<CheckAnswer> {
  const { base, variations, fields, ...aim } = varied;
  const { credential, authorization } = base;
  const draft = draftOf(api, operation, varied);
  const { path, type, body, lines } = draft;
  const isOdd = variations.some(({ kind }) => kind === 'method' || kind === 'path');
  const patience = isOdd ? { patienceMs: PATIENCE_MS } : {};
  const needsRaw =
    isOdd ||
    type !== JSON_TYPE ||
    variations.some(({ kind, name }) => kind === 'transport' || NOT_BY_CLIENT.test(name));
  // An HTTP client would tidy up what is odd.
  if (!needsRaw)
    return api.call({
      operation,
      credential,
      authorization,
      headers: lines,
      query: path.slice(operation.path.length),
      body,
      ...aim,
    });
  const { name } = api.contract.matrix.headers.authorization;
  const withToken = (shown: string): Draft => {
    const value = authorization === undefined ? `Bearer ${shown}` : authorization;
    return { ...draft, lines: [...(value === null ? [] : [[name, value] as const]), ...lines] };
  };
  const transports = variations.flatMap((one) => (one.kind === 'transport' ? [one.name] : []));
  const text = textOf(withToken(credential?.token ?? ''), transports);
  const curl = shownCurl(withToken(credential?.shell ?? ''), transports);
  return api.raw({ operation, text, curl, ...patience, ...aim });
}

/** Header lines that the HTTP client writes itself, or refuses to write. */
const NOT_BY_CLIENT = /^(?:expect|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-length)$/i;
const JSON_TYPE = 'application/json';

/** A request before it is written. */
interface Draft {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly lines: readonly Line[];
  /** Empty for no line. */
  readonly type: string;
  /** Undefined for a request without a body. */
  readonly body: object | undefined;
  readonly as: string;
}

function draftOf(api: CheckApi, { method, path, example }: Operation, { base, variations, fields }: Varied): Draft {
  const all = (kind: Variation['kind']) => variations.filter((one) => one.kind === kind);
  const token = encodeURIComponent(base.credential?.token ?? api.unknownToken);
  const last = (kind: Variation['kind']) => all(kind).at(-1);
  const [otherMethod, otherPath, otherType, otherQuery] = [
    last('method'),
    last('path'),
    last('content-type'),
    last('query'),
  ];
  const body = {
    ...(fields ?? example),
    ...Object.fromEntries(all('field').map(({ name, value }) => [name, value])),
    ...(otherQuery && { query: otherQuery.value }),
  };
  const isInQuery = otherMethod?.value === 'query';
  const parameters = [
    ...(isInQuery ? [new URLSearchParams(entriesOf(body)).toString()].filter((text) => text !== '') : []),
    ...all('parameter').map(({ name, value }) => `${name}=${String(value).replaceAll('{token}', token)}`),
  ];
  const cookies = all('cookie').map(({ name, value }) => `${name}=${String(value)}`);
  return {
    method: otherMethod?.name ?? method,
    path: `${otherPath ? String(otherPath.value) : path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`,
    lines: [
      ...base.headers,
      ...all('header').map(({ name, value }): Line => [name, String(value)]),
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')] as const] : []),
    ],
    type: isInQuery ? '' : (otherType?.name ?? JSON_TYPE),
    body: isInQuery ? undefined : body,
    as: String(otherType?.value ?? 'json'),
  };
}

const entriesOf = (body: object): [string, string][] =>
  Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);

const BOUNDARY = 'conformance-boundary';

function bodyText({ body, as }: Draft): string {
  if (!body) return '';
  if (as === 'form') return new URLSearchParams(entriesOf(body)).toString();
  if (as !== 'multipart') return JSON.stringify(body);
  const parts = entriesOf(body).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
  );
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

function linesOf({ lines, type, as }: Draft, transports: readonly string[]): readonly Line[] {
  return [
    ...lines,
    ...(type === '' ? [] : [['Content-Type', as === 'multipart' ? `${type}; boundary=${BOUNDARY}` : type] as const]),
    ...(transports.includes('gzip') ? [['Content-Encoding', 'gzip'] as const] : []),
    ...(transports.includes('chunked') ? [['Transfer-Encoding', 'chunked'] as const] : []),
  ];
}

/** The text of a request as `CheckApi.raw` takes it: one character for each byte. */
function textOf(draft: Draft, transports: readonly string[]): string {
  const bytes = Buffer.from(bodyText(draft));
  const packed = (transports.includes('gzip') ? gzipSync(bytes) : bytes).toString('latin1');
  const isChunked = transports.includes('chunked');
  const own = draft.lines.some(([name]) => name.toLowerCase() === 'connection');
  const lines: readonly Line[] = [
    ...linesOf(draft, transports),
    ...(own ? [] : [['Connection', 'close'] as const]),
    ...(isChunked || draft.body === undefined ? [] : [['Content-Length', `${packed.length}`] as const]),
  ];
  return [
    `${draft.method} {base}${draft.path} HTTP/${transports.includes('HTTP/1.0') ? '1.0' : '1.1'}`,
    '{common}',
    ...lines.map((line) => line.join(': ')),
    '',
    isChunked ? `${packed.length.toString(16)}\r\n${packed}\r\n0\r\n\r\n` : packed,
  ].join('\r\n');
}

/** A bash command line for the same request. */
function shownCurl(draft: Draft, transports: readonly string[]): string {
  const { method, path } = draft;
  const plain = curlOf({ method, path, lines: linesOf(draft, transports), body: undefined }, DOCUMENTED_FORM);
  const options = [transports.includes('HTTP/1.0') ? ' --http1.0' : '', /\/[./]/.test(path) ? ' --path-as-is' : ''];
  const head = plain.replace(' -i', ` -i${options.join('')}`);
  if (!draft.body) return head;
  // `printf` reads its first argument as a format.
  const text = bodyText(draft).replace(/[\\']/g, '\\$&').replace(/\r/g, '\\r').replace(/\n/g, '\\n');
  return transports.includes('gzip')
    ? `printf $'${text.replaceAll('%', '%%')}' | gzip | ${head} --data-binary @-`
    : `${head} --data-raw $'${text}'`;
}
