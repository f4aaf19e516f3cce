// What a server understands of a request. Like evaluator.ts, it shares no code with what judges the server.

/** What an imagined server knows: its contract, people and tokens. */
export interface Server {
  /** The header that carries a token, with the text around it, or a parameter of the query. */
  readonly credential: Line | { readonly query: string };
  readonly operations: readonly Served[];
  readonly acting: Acting | undefined;
  /** The operation that shows whom a request runs as, and the keys at which it does. */
  readonly identity: { readonly operation: string; readonly keys: readonly string[] } | undefined;
  readonly tokens: ReadonlyMap<string, Token>;
  readonly people: readonly string[];
  readonly areEmails: boolean;
  /** The statuses that the contract names, by the id of the rule. */
  readonly statuses: Readonly<Record<string, number>>;
}
export interface Served {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly needs: readonly string[];
  /** The kinds of token that it is refused to. */
  readonly barred: readonly string[];
  /** The first required and the first optional field of the body, each with a value of a wrong type. */
  readonly field: Field | undefined;
  readonly option: Field | undefined;
  readonly success: {
    readonly status: number;
    readonly body: unknown;
    readonly misfit: unknown;
    readonly unwanted: number | undefined;
  };
}
type Line = Readonly<Record<'header' | 'before' | 'after', string>>;
interface Field {
  readonly name: string;
  readonly mistyped: unknown;
}
interface Acting {
  readonly header: string;
  readonly by: readonly string[];
  readonly isRequired: boolean;
  readonly loses: readonly string[];
}
export interface Token {
  readonly kind: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly owner: string;
}
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}
/** What is known of a request. A fault depends on it. */
export interface Facts {
  readonly operation: string;
  readonly form: 'documented' | 'loose' | 'absent' | 'empty' | 'no-scheme' | 'other-scheme' | 'doubled';
  /** Empty without a token that somebody issued. */
  readonly kind: string;
  /** `none` without a token, `unknown` for one that nobody issued, otherwise that of the token. */
  readonly state: string;
  /** The scopes that the operation needs and the token lacks. */
  readonly lacks: string;
  readonly holds: 'every scope' | 'some scopes' | 'no scope';
  readonly acts: 'never' | 'may' | 'must';
  readonly named: 'nobody' | 'person' | 'unknown' | 'malformed' | 'blank' | 'doubled';
  readonly loses: 'the operation' | 'nothing';
  readonly reaches: 'the operation' | 'nothing';
  readonly letters: 'documented' | 'lower' | 'upper';
  readonly body: 'right' | 'field' | 'option' | 'not-json' | 'other-type';
}

/** The facts of a request, its token, the owner of that, and whom the request names. */
export function readFacts(server: Server, served: Served, asked: Asked, also?: 'query' | 'body' | 'exact names') {
  const linesOf = (name: string) =>
    asked.headers.flatMap(([own, value]) => (own.toLowerCase() === name.toLowerCase() ? [value] : []));
  const parameters = new URLSearchParams(asked.path.split('?')[1] ?? '');
  const { credential } = server;
  const carried = ({ header }: Line) =>
    linesOf(header).filter(() => also !== 'exact names' || asked.headers.some(([name]) => name === header));
  const sent =
    'query' in credential
      ? formOf(parameters.getAll(credential.query))
      : formOf(carried(credential).flatMap(cookiesIn(credential)), credential);
  const places = { query: parameters.get('access_token'), body: Object(parsed(asked.body))['access_token'] };
  const elsewhere = also === 'query' || also === 'body' ? places[also] : undefined;
  const { form, token } = typeof elsewhere === 'string' ? formOf([elsewhere]) : sent;
  const known = server.tokens.get(token) ?? resembled(server, token);
  const lines = server.acting ? linesOf(server.acting.header) : [];
  const acts = !known || !server.acting?.by.includes(known.kind) ? 'never' : server.acting.isRequired ? 'must' : 'may';
  const names = asked.headers.map(([name]) => name);
  const lacks = known ? served.needs.filter((scope) => !known.scopes.includes(scope)) : [];
  const { scopes = [] } = known ?? {};
  const everything = server.operations.flatMap(({ needs }) => needs);
  const facts: Facts = {
    operation: served.id,
    form,
    kind: known?.kind ?? '',
    state: token === '' ? 'none' : (known?.state ?? 'unknown'),
    lacks: lacks.join(' '),
    holds: everything.every((scope) => scopes.includes(scope))
      ? 'every scope'
      : scopes.length > 0
        ? 'some scopes'
        : 'no scope',
    acts,
    named: namedIn(server, lines),
    loses: server.acting?.loses.includes(served.id) ? 'the operation' : 'nothing',
    reaches: known && served.barred.includes(known.kind) ? 'nothing' : 'the operation',
    letters: names.every((name) => name === name.toLowerCase())
      ? 'lower'
      : names.every((name) => name === name.toUpperCase())
        ? 'upper'
        : 'documented',
    body: bodyOf(served, linesOf('Content-Type')[0] ?? '', asked.body),
  };
  return { facts, token, owner: known?.owner ?? server.people[0] ?? '', named: lines[0]?.trim() ?? '' };
}

/** The one cookie that carries a token, of a line with several; a line as it is where it carries no cookies. */
const cookiesIn =
  ({ header, before }: Line) =>
  (line: string): readonly string[] => {
    if (header.toLowerCase() !== 'cookie' || !line.includes(';')) return [line];
    return line.split(/ *; */).filter((one) => one.startsWith(before));
  };

/** How a token is written on its lines, and the token. */
function formOf(
  [line, ...others]: readonly string[],
  { before, after }: Pick<Line, 'before' | 'after'> = { before: '', after: '' },
): { form: Facts['form']; token: string } {
  if (line === undefined) return { form: 'absent', token: '' };
  if (after === '' && (before === '' || /^\S+ $/.test(before))) return schemeFormOf([line, ...others], before.trim());
  const text = line.trim();
  const isDocumented = text.startsWith(before) && text.endsWith(after);
  const token = isDocumented ? text.slice(before.length, text.length - after.length) : text;
  if (others.length > 0) return { form: 'doubled', token };
  if (token === '') return { form: 'empty', token };
  return { form: isDocumented ? (line === text ? 'documented' : 'loose') : 'no-scheme', token };
}

function schemeFormOf(
  [line = '', ...others]: readonly string[],
  scheme: string,
): { form: Facts['form']; token: string } {
  const [first = '', ...rest] = line.trim().split(/ +/);
  const isScheme = scheme === '' || first.toLowerCase() === scheme.toLowerCase();
  const [token = '', ...more] = scheme === '' ? [line.trim()] : isScheme || rest.length > 0 ? rest : [first];
  if (others.length > 0) return { form: 'doubled', token };
  if (token === '') return { form: 'empty', token };
  if (!isScheme || more.length > 0) return { form: rest.length > 0 ? 'other-scheme' : 'no-scheme', token };
  return { form: line === `${scheme} ${token}`.trimStart() ? 'documented' : 'loose', token };
}

const ALIKE = 8;
/** A token that begins or ends as an issued one does was tampered with. */
function resembled({ tokens }: Server, token: string): Token | undefined {
  const isLike = (one: string) =>
    one.slice(0, ALIKE) === token.slice(0, ALIKE) || one.slice(-ALIKE) === token.slice(-ALIKE);
  const [, found] = [...tokens].find(([one]) => token.length >= ALIKE && isLike(one)) ?? [];
  return found && { ...found, state: 'tampered' };
}

function namedIn({ people, areEmails }: Server, [line, ...others]: readonly string[]): Facts['named'] {
  if (line === undefined) return 'nobody';
  if (others.length > 0) return 'doubled';
  const name = line.trim();
  if (name === '') return 'blank';
  if (people.includes(name)) return 'person';
  return areEmails && !name.includes('@') ? 'malformed' : 'unknown';
}

function bodyOf({ field, option }: Served, type: string, text: string | undefined): Facts['body'] {
  if (!field) return 'right';
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) return 'other-type';
  const body = parsed(text);
  if (typeof body !== 'object' || body === null) return 'not-json';
  const given = ({ name }: Field) => (body as Readonly<Record<string, unknown>>)[name];
  const isWrong = (one: Field) => typeof given(one) === typeof one.mistyped;
  if (given(field) === undefined || isWrong(field)) return 'field';
  return option && isWrong(option) ? 'option' : 'right';
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
