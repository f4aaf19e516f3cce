import type { CheckApi } from '../../../harness/checks/check.ts';
import { ACT_AS, type Contract } from '../../../harness/contract/contract.ts';
import { wireName } from '../../../harness/contract/holdings.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { VariationKind, VariationRow } from '../../../harness/contract/variations.ts';
import { aroundToken, credentialLine } from '../../../harness/plan/request.ts';
import { isBasic } from '../../../harness/plan/token-bytes.ts';
import type { Breadth } from '../../../harness/record/exchange.ts';
import type { Routes } from '../../../harness/send/routes.ts';
import { isLoopback } from '../../../harness/settings/parse-values.ts';
import { pathTexts, personTexts, type Texts } from '../../variations/fill.ts';
import { type Variation, variationsOf } from '../../variations/variation.ts';
import { naming } from './forged-jwt.ts';
import type { Person } from './private-documents.ts';

interface Choice {
  /** What further placeholders stand for. */
  readonly texts?: Texts | undefined;
  /**
   * By default that of the run. A slow operation gets the telling ones, except for its paths: what reads the headers and fields
   * of one operation reads those of the others.
   */
  readonly breadth?: Breadth;
}

/** The variations of these kinds of a request to an operation. Without the whole breadth, the telling ones. */
export function variationsFor(
  api: CheckApi,
  operation: Operation,
  kinds: readonly VariationKind[],
  { texts: more, breadth = operation.isSlow && !kinds.includes('path') ? 'telling' : api.breadth }: Choice = {},
): readonly Variation[] {
  const all = rowsOf(api, operation, kinds);
  // Few rows are telling, and to fill the others takes long.
  const rows = breadth === 'whole' ? all : all.filter(({ telling }) => telling > 0);
  const texts = { ...textsFor(api, operation), ...more };
  const own = placesOf(api.contract);
  const byRow = rows.map((row) => {
    // A query string ends up in logs, so a token is sent there only if it was made for this run or stays on this machine.
    const isLogged = row.kind === 'parameter' || row.in === 'parameter';
    const known = isLogged && !isPrivate(api) ? { ...texts, token: undefined } : texts;
    const ways = variationsOf(row, known).filter(
      (one) =>
        !operation.others.includes(methodOf(one)) &&
        !own.includes(`${one.place ?? one.kind},${one.name.toLowerCase()}`),
    );
    return ways.filter((one) => (operation.isHarmless || isSafe(one)) && !namesItself(one));
  });
  // The first value of each row means most, so that they are bundled with each other.
  const longest = Math.max(0, ...byRow.map(({ length }) => length));
  const found = Array.from({ length: longest }, (_, at) => byRow.flatMap((values) => values[at] ?? [])).flat();
  return breadth === 'whole' ? found : found.filter(({ isTelling }) => isTelling);
}

/** The rows of these kinds that vary something that the contract and the operation have. */
function rowsOf(
  { contract }: CheckApi,
  { example }: Operation,
  kinds: readonly VariationKind[],
): readonly VariationRow[] {
  const isOf = ({ kind, name }: VariationRow): boolean => {
    switch (kind) {
      case 'auth-type':
        return contract.headers.includes(kind);
      case 'person':
        return contract.headers.includes(ACT_AS);
      case 'field':
      case 'content-type':
        return example !== undefined;
      case 'query':
        return example?.['query'] !== undefined;
      case 'transport':
        return example !== undefined || !OF_BODIES.test(name);
      default:
        return true;
    }
  };
  return contract.variations.rows
    .filter((row) => kinds.includes(row.kind) && isOf(row))
    .flatMap((row) => (row.kind === 'authorization' ? carriedRows(contract, row) : [row]));
}

/** Where a contract has values of its own: `header,x-service-actas`. Beside a scheme of its own, a server may know Bearer too. */
function placesOf(contract: Contract): readonly string[] {
  const isOther = !/^bearer /i.test(aroundToken(contract)[0]);
  const headers = Object.values(contract.matrix.headers).flatMap(({ name, alternatives = [] }) => [
    ...(isOther && /^authorization$/i.test(name) ? [] : [name]),
    ...alternatives,
  ]);
  return [...headers.map((one) => `header,${one.toLowerCase()}`), carrierOf(contract).join()];
}

/** A row about the Authorization line, for what carries the token of the contract. None if it is about bearer tokens alone. */
function carriedRows(contract: Contract, row: VariationRow): readonly VariationRow[] {
  if (contract.has.includes('bearer')) return [row];
  const { name } = contract.matrix.headers.authorization;
  // What reads Base64 may skip what stands behind it.
  if (row.breaks === undefined || row.with !== undefined || isBasic(contract)) return [];
  // A cookie may stand in quotes, and may be encoded, and a semicolon ends it (RFC 6265 4.1.1).
  const odd = name.toLowerCase() === 'cookie' ? /^Bearer|[;"%]|\{encoded\}/ : /^Bearer/;
  const values = row.values.flatMap((value) => {
    const text = /^Bearer (.+)$/.exec(String(value))?.[1];
    return text === undefined || odd.test(text) ? [] : [credentialLine(contract, text)];
  });
  return values.length === 0 ? [] : [{ ...row, name: row.name.replace(/^Bearer /, 'the text '), values }];
}

/** Where a contract has its token, if not in a header of its own. */
function carrierOf({ matrix }: Contract): readonly [place: string, name: string] {
  const { in: where, name, lines } = matrix.headers.authorization;
  const [line = ''] = lines['empty'] ?? [];
  return where === 'query'
    ? ['parameter', name.toLowerCase()]
    : [name.toLowerCase(), line.replace('=', '').toLowerCase()];
}

const OF_BODIES = /^(?:body-|chunked|gzip|deflate|br$)/;

/** A method with a header that names it again. */
const namesItself = ({ kind, name, lines }: Variation): boolean =>
  kind === 'method' && lines.some(([, value]) => value === name);

/** The method that a server takes a variation for. Where that is another operation, the contract says who may use it. */
const methodOf = ({ kind, name, value }: Variation): string => String(kind === 'method' ? name : value).toUpperCase();

/** Whether a server that obeys a variation reads only, as HTTP means its method (RFC 9110 9.2.1). */
function isSafe({ kind, name, value }: Variation): boolean {
  if (kind === 'method') return READING.includes(name);
  return !(typeof value === 'string' && WRITING.test(value));
}

const READING: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH', 'REPORT'];
const WRITING = /^(?:POST|PUT|PATCH|DELETE)$/i;

/** What the placeholders of rows stand for in requests to an operation. */
export function textsFor(api: CheckApi, { method, path, scopes }: Operation): Texts {
  const { host, hostname, port, origin } = new URL(api.variable('TARGET_BASE_URL') ?? 'http://localhost');
  const { actAs, user } = api.people;
  const { headers } = api.contract.matrix;
  const person = actAs ?? user ?? 'admin';
  return {
    ...personTexts(person),
    ...pathTexts(path),
    method,
    ...{ other: user ?? api.people.nobody, loopback: '127.0.0.1', private: '10.0.0.1' },
    ...{ host, HOST: host.toUpperCase(), 'host-and-dot': `${hostname}.${port && `:${port}`}`, origin },
    scope: scopes.map((scope) => wireName(api.contract, scope)).join(' '),
    // It is filled when the request is written.
    token: '{token}',
    'unknown-token': api.unknownToken,
    jwt: naming(person, origin, { alg: 'none' }, 'none'),
    // What begins the names of the headers that the target has of its own.
    family: /^(?:X-)?\w+(?=-)/.exec(headers[ACT_AS]?.name ?? '')?.[0],
    ...Object.fromEntries(Object.entries(headers).map(([dimension, { name }]) => [`${dimension}-name`, name])),
  };
}

/** What they stand for in the ways to a target. A way that it has not is left out. */
export const textsOfRoutes = ({ addresses: [first, second, third, fourth], speaksHttp2 }: Routes): Texts => ({
  ...{ protocol: speaksHttp2 ? 'h2' : undefined, 'first-address': first, 'second-address': second },
  ...{ 'third-address': third, 'fourth-address': fourth },
});

/** What they stand for where somebody looks for the document of another person. */
export const textsOfLook = ({ own, other }: Readonly<Record<'own' | 'other', Person>>): Texts => ({
  ...personTexts(own.email),
  ...{ other: other.email, 'own-query': own.query },
  ...{ 'private-query': other.query, 'PRIVATE-QUERY': other.query.toUpperCase() },
  ...{ 'private-word': other.query.split(' ')[0], 'spaced-query': other.query.replace(' ', '  ') },
  'reversed-query': other.query.split(' ').reverse().join(' '),
  'begun-query': other.query.replace(/(\S{3,}?)\S{1,4}$/, '$1'),
});

const isPrivate = (api: CheckApi): boolean =>
  api.trusted || isLoopback(new URL(api.variable('TARGET_BASE_URL') ?? 'http://unknown.invalid').hostname);
