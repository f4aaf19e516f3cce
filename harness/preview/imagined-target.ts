import { actsAs, type Dimension, type HeaderDimension, messageText, type Values } from '../contract/contract.ts';
import type { Operation } from '../contract/openapi.ts';
import { makeCase } from '../plan/case.ts';
import { expect } from '../plan/expectation.ts';
import { linesFor, placeholders } from '../plan/header-lines.ts';
import type { WireRequest } from '../plan/request.ts';
import type { RawAnswer } from '../record/observation.ts';
import type { Transport, TransportInput } from '../send/transport.ts';
import { isHeaderValue } from '../settings/header-value.ts';
import { type ImaginedAdministration, imaginedAdministration } from './imagined-administration.ts';
import { imaginedAuthorizationServer } from './imagined-authorization-server.ts';

type Known = Pick<Values, 'kind' | 'validity' | 'holding'>;
const NOBODY: Known = { kind: 'unknown', validity: '-', holding: '-' };

/**
 * A target that has nothing wrong with it and is nowhere: it answers what the contract admits first. With it a run is
 * rehearsed, to count what would be sent; it knows the tokens of the plan and judges nothing by itself.
 */
export function imaginedTarget(input: TransportInput, heard: Heard = () => undefined): Transport {
  const administration = imaginedAdministration(input.parts.contract);
  const server = imaginedAuthorizationServer(input.settings);
  const imagined = imagine(input, administration, server.challenge);
  const answer = (request: WireRequest): RawAnswer => {
    const { operation, answer: given } = imagined(request);
    heard(operation, given.status);
    return given;
  };
  const send = (request: WireRequest) => Promise.resolve(answer(request));
  return {
    probe: { send, close: async () => undefined },
    connect: () => ({ exchange: send, close: () => undefined }),
    raw: (text) => Promise.resolve(readRaw(text, new URL(input.settings.baseUrl).pathname, answer)),
    async visit(_origin, request) {
      const given = server.visit(request);
      heard(undefined, given.status);
      return given;
    },
    administer: input.settings.variables.has('ADMINISTRATION_COMMAND') ? administration.administer : undefined,
  };
}

/** Is told of every request, and of what it was answered; no operation is meant where there is none. */
export type Heard = (operation: Operation | undefined, status: number) => void;

function imagine(
  { settings, plan, parts: { contract, people, unknownToken } }: TransportInput,
  administration: ImaginedAdministration,
  challenge: string,
): (request: WireRequest) => { operation: Operation | undefined; answer: RawAnswer } {
  const tokens = new Map<string, Known>();
  for (const { credential, values } of plan.cases.values()) if (credential) tokens.set(credential.token, values);
  const { headers } = contract.matrix;

  /** The value of a dimension whose lines these are. */
  const namedBy = (dimension: HeaderDimension, lines: readonly string[], token: string): string | undefined => {
    const known = placeholders(people, token, unknownToken);
    const same = (value: string) => linesFor(headers[dimension], value, known)?.join('\n') === lines.join('\n');
    return Object.keys(headers[dimension].lines).find(same);
  };

  const answerOf = (operation: Operation, { headers: sent, body }: WireRequest): RawAnswer => {
    const linesOf = (name: string) =>
      sent.flatMap(([line, value]) => (line.toLowerCase() === name.toLowerCase() ? [value] : []));
    const authorization = linesOf(headers.authorization.name);
    const token = authorization[0]?.trim().split(/\s+/).at(-1) ?? '';
    const [actAs, authType] = [linesOf(headers['act-as'].name), linesOf(headers['auth-type'].name)];
    const form = namedBy('authorization', authorization, token) ?? 'no-scheme';
    const holder = tokens.get(token) ?? administration.use(token) ?? NOBODY;
    const known = form === 'absent' || form === 'empty' ? { ...NOBODY, kind: 'none' } : holder;
    const dimensions: Record<Dimension, string> = {
      ...known,
      operation: operation.id,
      authorization: form,
      'act-as': actAsOf(actAs, people.user) ?? namedBy('act-as', actAs, token) ?? 'unknown',
      'auth-type': namedBy('auth-type', authType, token) ?? 'other-value',
      'header-case': 'documented',
      body: bodyValue(operation, linesOf('Content-Type')[0] ?? '', body),
    };
    const { values } = makeCase(contract, dimensions);
    const { kind, admissible } = expect(contract, values);
    if (kind !== 'refuse') {
      return accept(operation, seen(settings.variables, actsAs(contract, values.kind) ? actAs[0] : undefined, body));
    }
    const { status, message } = admissible[0]?.outcome ?? { status: 400 };
    const [text] = Array.isArray(message) ? message.map((id) => messageText(contract, id)) : [];
    const [first = 400] = [status].flat();
    const code = typeof first === 'number' ? first : 400;
    return plain(code, code === 401 ? { 'www-authenticate': challenge } : {}, text);
  };

  return (request) => {
    const there = contract.operations.filter(({ path }) => path === request.path.split('?')[0]);
    const operation = there.find(({ method }) => method === request.method);
    const allow = there.map(({ method }) => method).join(', ');
    const answer = operation ? answerOf(operation, request) : plain(there.length > 0 ? 405 : 404, { allow });
    return { operation, answer };
  };
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

/** The private marker that a person's own private query finds. */
function seen(variables: TransportInput['settings']['variables'], actAs: string | undefined, body = ''): string {
  const value = (name: string) => variables.get(name)?.value;
  const owner = actAs !== undefined && actAs === value('ACT_AS_EMAIL') ? 'ACT_AS' : 'USER';
  const query = value(`${owner}_PRIVATE_QUERY`);
  return query !== undefined && body.includes(query) ? (value(`${owner}_PRIVATE_MARKER`) ?? '') : '';
}

/** In a header, since a body may take no further field. */
function accept({ success: { status, validate } }: Operation, marker: string): RawAnswer {
  // Where the body is free, it names a conversation: whoever is given one goes on with it.
  const text = JSON.stringify(validate ? instanceOf(validate.schema) : { conversationId: 'made-up' });
  return { status, headers: { 'content-type': 'application/json', 'x-found': marker }, text, truncated: false };
}

/** The smallest value that a schema of the contract's kind takes. */
function instanceOf(schema: unknown): unknown {
  const { type, required = [], properties = {} } = Object(schema);
  switch (type) {
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

function plain(status: number, headers: RawAnswer['headers'] = {}, text = ''): RawAnswer {
  return { status, headers, text, truncated: false };
}

/** Bytes as a strict server reads them; what is no request in its grammar is a bad one. */
function readRaw(text: string, base: string, answer: (request: WireRequest) => RawAnswer): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, end), text.slice(end + 4)];
  const [first = '', ...lines] = head.split('\r\n');
  const [, method, target] = /^([A-Z]+) (\/\S*) HTTP\/1\.1$/.exec(first) ?? [];
  const headers = lines.map((line) => (isHeaderValue(line) ? /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) : null));
  if (method === undefined || target === undefined || headers.includes(null)) return plain(400);
  const prefix = base.replace(/\/+$/, '');
  const path = target.startsWith(prefix) ? target.slice(prefix.length) : target;
  return answer({ method, path, headers: headers.map((line) => [line?.[1] ?? '', line?.[2] ?? '']), body });
}
