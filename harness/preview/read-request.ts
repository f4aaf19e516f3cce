import { ACT_AS, type Contract, type HeaderLines } from '../contract/contract.ts';
import { parsedJson, stepsOf, withValueAt } from '../contract/json-value.ts';
import type { Operation } from '../contract/openapi.ts';
import { personVariable } from '../contract/people.ts';
import type { Dimensions } from '../plan/case.ts';
import { linesFor, placeholders, type RequestParts, type WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { TokenUse } from '../settings/catalogue.ts';
import { isHeaderValue } from '../settings/parse-values.ts';
import type { Settings } from '../settings/settings.ts';

const UNKNOWN: TokenUse = { kind: 'unknown', validity: '-', holding: '-' };

/** A request as its target understands it: its value in each dimension, and the person that it names. */
interface ReadRequest {
  readonly dimensions: Dimensions;
  readonly actAs: string | undefined;
  /** The person that its token is bound to, if that is known. */
  readonly person: string | undefined;
}

/** What a token can be used for, and whose it is if it was made for a person. */
export interface OwnedUse extends TokenUse {
  readonly person?: string | undefined;
}

/** Reads the values of a case from its request: the inverse of `buildRequest`. @param useOf undefined for a token of nobody. */
export function requestReader(
  { contract, people, unknownToken }: RequestParts,
  useOf: (token: string) => OwnedUse | undefined,
): (operation: Operation, request: WireRequest) => ReadRequest {
  const { authorization: carrier, ...headers } = contract.matrix.headers;
  const valueSentAs = (header: HeaderLines, lines: readonly string[], token: string): string | undefined => {
    const known = placeholders(people, token, unknownToken);
    return Object.keys(header.lines).find((value) => {
      const wanted = linesFor(header, value, known);
      // A blank line is not the same as no line.
      return wanted?.length === lines.length && lines.every((line, at) => line === wanted[at]);
    });
  };
  const [before = '', after = ''] = carrier.lines['bearer']?.[0]?.split('{token}') ?? [];
  return (operation, request) => {
    const authorization =
      carrier.in === 'query'
        ? parametersOf(request, carrier.name)
        : linesOf(request, carrier.name).flatMap((line) => ownCookies(line, carrier, before));
    const [line = ''] = authorization;
    const token = tokenIn(line.endsWith(after) ? line.slice(0, line.length - after.length) : line, before);
    const form = valueSentAs(carrier, authorization, token) ?? 'no-scheme';
    const use: OwnedUse =
      form === 'absent' || form === 'empty' ? { ...UNKNOWN, kind: 'none' } : (useOf(token) ?? UNKNOWN);
    const sent = Object.entries(headers).map(([dimension, header]) => {
      const lines = linesOf(request, header.name);
      const known =
        (dimension === ACT_AS ? actAsOf(lines, people.user) : undefined) ?? valueSentAs(header, lines, token);
      return { dimension, lines, value: known ?? (dimension === ACT_AS ? 'unknown' : 'other-value') };
    });
    const { kind, validity, holding } = use;
    const dimensions = {
      kind,
      validity,
      holding,
      operation: operation.id,
      authorization: form,
      ...Object.fromEntries(sent.map(({ dimension, value }) => [dimension, value])),
      'header-case': 'documented',
      body: bodyValue(operation, linesOf(request, 'Content-Type')[0] ?? '', request.body),
    };
    return { dimensions, actAs: sent.find(({ dimension }) => dimension === ACT_AS)?.lines[0], person: use.person };
  };
}

/** Reads a raw request as a strict server does. Anything outside the grammar is answered with 400. */
export function readRaw(text: string, base: string, answer: (request: WireRequest) => RawAnswer): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const [first = '', ...lines] = head.split('\r\n');
  const [, method, target] = /^([A-Z]+) (\/\S*) HTTP\/1\.[01]$/.exec(first) ?? [];
  const headers = lines.map((line) => (isHeaderValue(line) ? /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) : null));
  if (method === undefined || target === undefined || headers.includes(null)) return plain(400);
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

function linesOf({ headers }: WireRequest, name: string): readonly string[] {
  return headers.flatMap(([line, value]) => (line.toLowerCase() === name.toLowerCase() ? [value] : []));
}

/** Of a line with several cookies, those that carry a token; any other line as it is. */
function ownCookies(line: string, { name }: HeaderLines, before: string): readonly string[] {
  if (name.toLowerCase() !== 'cookie' || !line.includes(';')) return [line];
  const own = line.split(/ *; */).filter((cookie) => cookie.startsWith(before));
  return own.length === 0 ? [] : [own.join('; ')];
}

/** The token of a line: the last word of its first cookie, without what stands before the token in this word. */
function tokenIn(line: string, before: string): string {
  const [first = ''] = line.split('; ');
  const word = first.trim().split(/\s+/).at(-1) ?? '';
  const [name = ''] = /\S*$/.exec(before) ?? [];
  return word.startsWith(name) ? word.slice(name.length) : word;
}

/** The values of a parameter, as they are without percent-encoding. */
function parametersOf({ path }: WireRequest, name: string): readonly string[] {
  return new URLSearchParams(path.split('?')[1] ?? '').getAll(name);
}

/** `existing` if the header names the person of USER_EMAIL. No value of the matrix names this person, but checks do. */
function actAsOf(lines: readonly string[], user: string | undefined): string | undefined {
  return lines.length === 1 && lines[0] === user ? 'existing' : undefined;
}

function bodyValue({ example, field, option }: Operation, type: string, text: string | undefined): string {
  if (!example || !field) return 'valid';
  if (!/json/i.test(type)) return 'other-content-type';
  const body = parsedJson(text ?? '');
  if (body === undefined) return 'not-json';
  const values = new Map(Object.entries(Object(body)));
  const value = values.get(field.name);
  if (value === undefined) return 'missing-field';
  if (typeof value !== typeof example[field.name]) return 'mistyped-field';
  return option && typeof values.get(option.name) === typeof option.mistyped ? 'mistyped-option' : 'valid';
}

/** A success. The marker is in a header: the body may allow no further field. @param shown whom the request runs as, at a pointer. */
export function acceptance(
  { success: { status, validate } }: Operation,
  marker: string,
  shown?: { readonly pointer: string; readonly person: string },
): RawAnswer {
  // A free body names a conversation, so that a check that continues conversations sends its further requests.
  const body = validate ? instanceOf(validate.schema) : { conversationId: 'made-up' };
  const text = JSON.stringify(shown ? withValueAt(body, stepsOf(shown.pointer), shown.person) : body);
  return { status, headers: { 'content-type': 'application/json', 'x-found': marker }, text, truncated: false };
}

/** The smallest value that fits a schema, of several the last. Knows the parts of JSON Schema that contracts use. */
export function instanceOf(schema: unknown): unknown {
  const { type, required = [], properties = {}, anyOf, allOf } = Object(schema);
  const choice = Array.isArray(anyOf) ? anyOf.at(-1) : undefined;
  if (choice !== undefined) return instanceOf(choice);
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map(instanceOf));
  switch ([type].flat()[0]) {
    case 'object':
      return Object.fromEntries(required.map((name: string) => [name, instanceOf(properties[name])]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return true;
    default:
      return '';
  }
}

/** Whose the tokens of a kind are, by the variables. */
export function ownerOf(variables: Settings['variables'], contract: Contract, kind: string): string {
  const [own, user] = [kind, 'USER'].map((owner) => variables.get(personVariable(contract, owner))?.value);
  return own ?? user ?? '';
}

/** The private marker that a person finds: their own, if the body contains their private query. A third person finds none. */
export function markerFound(variables: Settings['variables'], person = '', body = ''): string {
  const value = (name: string) => variables.get(name)?.value;
  const owner = ['ACT_AS', 'USER'].find((one) => value(`${one}_EMAIL`)?.toLowerCase() === person.toLowerCase());
  const query = owner && value(`${owner}_PRIVATE_QUERY`);
  return query !== undefined && body.includes(query) ? (value(`${owner}_PRIVATE_MARKER`) ?? '') : '';
}

export function plain(status: number, headers: RawAnswer['headers'] = {}, text = ''): RawAnswer {
  return { status, headers, text, truncated: false };
}
