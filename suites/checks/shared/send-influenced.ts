import { gzipSync } from 'node:zlib';
import type { Aim, CheckAnswer, CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Credential } from '../../../harness/plan/credentials.ts';
import { curlOf, DOCUMENTED_FORM, type Line } from './request-form.ts';

/** Another way to send the same body. Two of them can be combined, except two content types. */
export type Transfer = 'text/plain' | 'application/x-www-form-urlencoded' | 'gzip' | 'chunked' | 'HTTP/1.0';

/** Something that a request may carry and that the specification does not name, or names as optional. */
export interface Influence {
  /** In words. It shows no secret. */
  readonly how: string;
  readonly line?: Line;
  /** A parameter of the query string. `{token}` is the token of the request. */
  readonly parameter?: string;
  readonly field?: readonly [name: string, value: unknown];
  readonly transfer?: Transfer;
  /** Known to lift refusals elsewhere. It is also sent alone if the target refuses it otherwise. */
  readonly isTelling?: boolean;
  /** Some servers answer as if another method or path was asked. */
  readonly leadsElsewhere?: boolean;
}

/** A request to an operation, without influences. */
export interface Base {
  readonly credential: Credential | undefined;
  /** The value of the Authorization line. By default Bearer and the credential. No line if null. */
  readonly authorization?: string | null | undefined;
  readonly headers: readonly Line[];
}

interface Influenced extends Aim {
  readonly base: Base;
  readonly influences: readonly Influence[];
  /** Another spelling of the path. */
  readonly path?: string;
  /** As for a raw request. */
  readonly patienceMs?: number;
  readonly withoutQuery?: true;
}

/** Sends a request with influences. */
export function sendInfluenced(
  api: CheckApi,
  operation: Operation,
  { base, influences, path: spelled, withoutQuery, ...aim }: Influenced,
): Promise<CheckAnswer> {
  const { credential, authorization } = base;
  const token = encodeURIComponent(credential?.token ?? api.unknownToken);
  const parameters = influences.flatMap(({ parameter }) => parameter?.replace('{token}', token) ?? []);
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const headers = [...base.headers, ...influences.flatMap(({ line }) => (line ? [line] : []))];
  const fields = Object.fromEntries(influences.flatMap(({ field }) => (field ? [field] : [])));
  const body = { ...(withoutQuery ? {} : operation.example), ...fields };
  const transfers = new Set(influences.flatMap(({ transfer }) => transfer ?? []));
  // An HTTP client would tidy up another path.
  if (transfers.size === 0 && spelled === undefined)
    return api.call({ operation, credential, authorization, headers, query, body, ...aim });
  const { name } = api.contract.matrix.headers.authorization;
  const withToken = (shown: string): Line[] => {
    const value = authorization === undefined ? `Bearer ${shown}` : authorization;
    return [...(value === null ? [] : [[name, value] as const]), ...headers];
  };
  const path = (spelled ?? operation.path) + query;
  const text = rawText({ operation, path, lines: withToken(credential?.token ?? ''), body }, transfers);
  const message = { operation, path, lines: withToken(credential?.shell ?? ''), body };
  return api.raw({ operation, text, curl: rawCurl(message, transfers), ...aim });
}

interface Message {
  readonly operation: Operation;
  readonly path: string;
  readonly lines: readonly Line[];
  readonly body: object;
}

/** The text of a request as `CheckApi.raw` takes it: one character for each byte. */
function rawText({ operation, path, lines, body }: Message, transfers: ReadonlySet<Transfer>): string {
  const bytes = Buffer.from(bodyText(body, transfers));
  const packed = (transfers.has('gzip') ? gzipSync(bytes) : bytes).toString('latin1');
  const size = packed.length.toString(16);
  const all = [...lines, ...transferLines(transfers), ['Connection', 'close'] as const];
  if (!transfers.has('chunked')) all.push(['Content-Length', `${packed.length}`]);
  return [
    `${operation.method} {base}${path} HTTP/${transfers.has('HTTP/1.0') ? '1.0' : '1.1'}`,
    '{common}',
    ...all.map((line) => line.join(': ')),
    '',
    transfers.has('chunked') ? `${size}\r\n${packed}\r\n0\r\n\r\n` : packed,
  ].join('\r\n');
}

/** A bash command line for the same request. */
function rawCurl({ operation, path, lines, body }: Message, transfers: ReadonlySet<Transfer>): string {
  const all = [...lines, ...transferLines(transfers)];
  const head = curlOf({ method: operation.method, path, lines: all, body: undefined }, DOCUMENTED_FORM);
  const curl = transfers.has('HTTP/1.0') ? head.replace('-i', '-i --http1.0') : head;
  // `printf` reads its first argument as a format.
  const text = bodyText(body, transfers).replace(/[\\']/g, '\\$&');
  return transfers.has('gzip')
    ? `printf $'${text.replaceAll('%', '%%')}' | gzip | ${curl} --data-binary @-`
    : `${curl} --data-raw $'${text}'`;
}

function bodyText(body: object, transfers: ReadonlySet<Transfer>): string {
  return transfers.has('application/x-www-form-urlencoded')
    ? new URLSearchParams(Object.entries(body).map(([name, value]): [string, string] => [name, `${value}`])).toString()
    : JSON.stringify(body);
}

function transferLines(transfers: ReadonlySet<Transfer>): readonly Line[] {
  const type = [...transfers].find((transfer) => transfer.includes('/') && transfer !== 'HTTP/1.0');
  return [
    ['Content-Type', type ?? 'application/json'],
    ...(transfers.has('gzip') ? [['Content-Encoding', 'gzip'] as const] : []),
    ...(transfers.has('chunked') ? [['Transfer-Encoding', 'chunked'] as const] : []),
  ];
}
