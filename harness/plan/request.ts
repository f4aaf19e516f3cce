import { configurationError } from '../contract/configuration-error.ts';
import { type Contract, type HeaderLines, operationOf, type Values } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import type { People } from './credentials.ts';

/** A request as it is sent. Header lines are in order, and a header with two lines has two entries. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** The body for a value of the dimension `body`; undefined if the operation takes none. */
export function bodyOf(operation: Operation, value: string): string | undefined {
  const { example, field, option } = operation;
  if (!example) return undefined;
  switch (value) {
    case 'valid':
    case 'other-content-type':
      return JSON.stringify(example);
    case 'missing-field': {
      const { [field?.name ?? '']: _missing, ...rest } = example;
      return JSON.stringify(rest);
    }
    case 'mistyped-field':
      return JSON.stringify({ ...example, ...(field && { [field.name]: field.mistyped }) });
    case 'mistyped-option':
      return JSON.stringify({ ...example, ...(option && { [option.name]: option.mistyped }) });
    case 'not-json':
      return JSON.stringify(example).slice(0, -1);
    default:
      throw configurationError(`matrix.yaml: body: the suite cannot build a body for the value ${value}`);
  }
}

/** The content type of the body for a value of the dimension `body`. */
export function contentTypeOf({ contentType }: Pick<Operation, 'contentType'>, value: string): string {
  return value === 'other-content-type' ? 'text/plain' : contentType;
}

/** The headers of every request: the content type that it prefers, and the suite and run that sent it (outcomes 6). */
export function commonHeaders(run: string, version: string): readonly (readonly [string, string])[] {
  return [
    ['Accept', 'application/json, */*;q=0.5'],
    ['User-Agent', `client-api-conformance/${version} (run ${run})`],
  ];
}

export interface RequestParts {
  readonly contract: Contract;
  readonly people: People;
  /** Headers of every request (`commonHeaders`). */
  readonly common: readonly (readonly [string, string])[];
  readonly unknownToken: string;
}

/** Builds the request of a case. @param token empty if the case has none. */
export function buildRequest(parts: RequestParts, values: Values, token: string): WireRequest {
  const operation = operationOf(parts.contract, values.operation);
  const body = bodyOf(operation, values.body);
  const known = placeholders(parts.people, token, parts.unknownToken);
  const lines: (readonly [string, string])[] = [];
  const parameters: string[] = [];
  for (const [dimension, header] of Object.entries(parts.contract.matrix.headers))
    for (const line of linesFor(header, values[dimension] ?? 'absent', known) ?? [])
      if (header.in === 'query') parameters.push(parameterOf(header, line));
      else lines.push([header.name, line]);
  if (body !== undefined) lines.push(['Content-Type', contentTypeOf(operation, values.body)]);
  lines.push(...parts.common);
  return {
    method: operation.method,
    path: [operation.path, parameters.join('&')].filter(Boolean).join('?'),
    headers: lines.map(([name, value]) => [inCase(name, values['header-case']), value]),
    body,
  };
}

/** A token in the query. What would end its parameter is encoded, and what no address has (RFC 3986 2). */
export function parameterOf({ name }: HeaderLines, line: string): string {
  return `${name}=${line.replace(/[^!-~]|[%&#+?]/gu, encodeURIComponent)}`;
}

/** A path, or a query alone, with one more parameter. */
export function withParameter(path: string, parameter: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameter}`;
}

export function credentialLine({ matrix }: Pick<Contract, 'matrix'>, token: string): string {
  const [line = ''] = linesFor(matrix.headers.authorization, 'bearer', { token }) ?? [];
  return line;
}

/** What stands before the token in such a line, and behind it. */
export function aroundToken(contract: Pick<Contract, 'matrix'>): readonly [before: string, after: string] {
  const [before = '', after = ''] = credentialLine(contract, '{token}').split('{token}');
  return [before, after];
}

/** The token of such a line; another line as it is. */
export function tokenIn(contract: Pick<Contract, 'matrix'>, line: string): string {
  const [before, after] = aroundToken(contract);
  return line.startsWith(before) && line.endsWith(after)
    ? line.slice(before.length, Math.max(before.length, line.length - after.length))
    : line;
}

/** Header lines with all cookies on one line: a client sends no second one (RFC 6265 5.4). */
export function withOneCookieLine<T extends readonly [name: string, value: string]>(lines: readonly T[]): readonly T[] {
  const isCookie = ([name]: T) => name.toLowerCase() === 'cookie';
  const cookies = lines.filter(isCookie);
  const all = cookies.map(([, value]) => value.trim()).join('; ');
  return lines.flatMap((line): readonly T[] => {
    if (!isCookie(line) || cookies.length === 1) return [line];
    return line === cookies[0] ? [[line[0], all] as readonly [string, string] as T] : [];
  });
}

function inCase(name: string, headerCase: string): string {
  if (headerCase === 'lower') return name.toLowerCase();
  return headerCase === 'upper' ? name.toUpperCase() : name;
}

/** The values of the placeholders in the header lines of matrix.yaml; undefined if a variable is not set. */
export function placeholders(
  people: People,
  token: string,
  unknownToken: string,
): Readonly<Record<string, string | undefined>> {
  return {
    token,
    'unknown-token': unknownToken,
    existing: people.actAs,
    other: people.user ?? people.nobody,
    unknown: people.nobody,
    'unknown-domain': people.nobodyElsewhere,
  };
}

const UNFILLED = '\0';

/** The lines of a header for a value of its dimension; undefined if a placeholder has no value. */
export function linesFor(
  { lines }: HeaderLines,
  value: string,
  known: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const filled = (lines[value] ?? []).map((line) =>
    line.replace(/\{([a-z-]+)\}/g, (_, name: string) => known[name] ?? UNFILLED),
  );
  return filled.some((line) => line.includes(UNFILLED)) ? undefined : filled;
}
