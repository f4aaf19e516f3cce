import type { Dimension, HeaderDimension } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { linesFor, placeholders } from '../plan/header-lines.ts';
import type { RequestParts, WireRequest } from '../plan/request.ts';
import type { TokenUse } from '../settings/catalogue.ts';

const NOBODY: TokenUse = { kind: 'unknown', validity: '-', holding: '-' };

/** A request as its target understands it: the value that it has in each dimension, and whom it names. */
export interface ReadRequest {
  readonly dimensions: Readonly<Record<Dimension, string>>;
  readonly actAs: string | undefined;
}

/** The inverse of building a request. @param useOf what a token is; undefined for one that nobody issued. */
export function requestReader(
  { contract, people, unknownToken }: RequestParts,
  useOf: (token: string) => TokenUse | undefined,
): (operation: Operation, request: WireRequest) => ReadRequest {
  const { headers } = contract.matrix;
  /** The value of a dimension whose lines these are. */
  const namedBy = (dimension: HeaderDimension, lines: readonly string[], token: string): string | undefined => {
    const known = placeholders(people, token, unknownToken);
    const same = (value: string) => linesFor(headers[dimension], value, known)?.join('\n') === lines.join('\n');
    return Object.keys(headers[dimension].lines).find(same);
  };
  return (operation, request) => {
    const authorization = linesOf(request, headers.authorization.name);
    const token = authorization[0]?.trim().split(/\s+/).at(-1) ?? '';
    const form = namedBy('authorization', authorization, token) ?? 'no-scheme';
    const use = form === 'absent' || form === 'empty' ? { ...NOBODY, kind: 'none' } : (useOf(token) ?? NOBODY);
    const actAs = linesOf(request, headers['act-as'].name);
    const authType = linesOf(request, headers['auth-type'].name);
    const { kind, validity, holding } = use;
    const dimensions = {
      kind,
      validity,
      holding,
      operation: operation.id,
      authorization: form,
      'act-as': actAsOf(actAs, people.user) ?? namedBy('act-as', actAs, token) ?? 'unknown',
      'auth-type': namedBy('auth-type', authType, token) ?? 'other-value',
      'header-case': 'documented',
      body: bodyValue(operation, linesOf(request, 'Content-Type')[0] ?? '', request.body),
    };
    return { dimensions, actAs: actAs[0] };
  };
}

function linesOf({ headers }: WireRequest, name: string): readonly string[] {
  return headers.flatMap(([line, value]) => (line.toLowerCase() === name.toLowerCase() ? [value] : []));
}

/** Whom USER_EMAIL names is there as well, though no value of the matrix names that person alone. */
function actAsOf(lines: readonly string[], user: string | undefined): string | undefined {
  return lines.length === 1 && lines[0] === user ? 'existing' : undefined;
}

function bodyValue({ example, field }: Operation, type: string, text: string | undefined): string {
  if (!example || !field) return 'valid';
  if (!/json/i.test(type)) return 'other-content-type';
  const body = parsed(text);
  const value = typeof body === 'object' && body !== null ? new Map(Object.entries(body)).get(field.name) : undefined;
  if (value === undefined) return 'missing-field';
  return typeof value === typeof example[field.name] ? 'valid' : 'mistyped-field';
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
