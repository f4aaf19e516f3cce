import { describe, expect, test } from 'vitest';
import type { CheckApi } from '../../../harness/checks/check.ts';
import { ACT_AS, type Contract } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { VariationRow } from '../../../harness/contract/variations.ts';
import { contract } from '../../../harness/testing/contract.ts';
import { chat, engine, search } from '../../testing/engine.ts';
import { textsFor, textsOfLook, variationsFor } from './known-variations.ts';

const row = (kind: VariationRow['kind'], name: string, more: Partial<VariationRow> = {}): VariationRow => ({
  ...{ kind, name, about: 'a test', source: 'rfc-9110', telling: 1, values: ['1'] },
  ...more,
});

const addressed = (target: string) => (name: string) => (name === 'TARGET_BASE_URL' ? target : undefined);
interface Changes {
  readonly api?: Partial<CheckApi>;
  readonly contract?: Partial<Contract>;
  readonly target?: string;
}
/** An API whose catalogue has these rows. */
function knowing(
  rows: readonly VariationRow[],
  { api, contract: changed, target = 'https://api.example' }: Changes = {},
) {
  const known: Contract = { ...contract, ...changed, variations: { ...contract.variations, rows } };
  return engine(() => 'accepts', { contract: known, variable: addressed(target), ...api }).api;
}
/** The names and values of the variations of a row that is the only one. */
const of = (one: VariationRow, { operation = search, ...changes }: Changes & { readonly operation?: Operation } = {}) =>
  variationsFor(knowing([one], changes), operation, [one.kind], { breadth: 'whole' }).map(
    ({ name, value }) => `${name} ${value}`,
  );

test('no token is tried in another header that the contract names for it', () => {
  const tried = (...alternatives: readonly string[]) => {
    const headers = { ...contract.matrix.headers, authorization: { name: 'X-Key', lines: {}, alternatives } };
    return of(row('place', 'Authorization', { in: 'header' }), {
      contract: { matrix: { ...contract.matrix, headers } },
    });
  };
  expect([tried('X-Other'), tried('authorization')]).toEqual([['Authorization 1'], []]);
});

describe('the variations of a request', () => {
  const rows = [
    row('header', 'X-One', { values: ['1', '2', '3'] }),
    row('cookie', 'two', { values: ['4'] }),
    row('header', 'X-Three', { values: ['5', '6'], telling: 2 }),
    row('path', 'four', { values: ['/a', '/b'] }),
  ];
  const values = (api: CheckApi, operation: Operation, kinds: readonly VariationRow['kind'][]) =>
    variationsFor(api, operation, kinds).map(({ value }) => value);

  test('are those of these kinds, the first value of each row first', () => {
    expect(values(knowing(rows), search, ['header', 'cookie'])).toEqual(['1', '4', '5', '2', '6', '3']);
    expect(values(knowing(rows), search, ['header'])).toEqual(['1', '5', '2', '6', '3']);
    expect(values(knowing([]), search, ['header'])).toEqual([]);
  });

  test('are the telling ones without the whole breadth, and for a slow operation, except for its paths', () => {
    const telling = values(knowing(rows, { api: { breadth: 'telling' } }), search, ['header', 'path']);
    expect(telling).toEqual(['1', '5', '/a', '6']);
    expect(chat.isSlow).toBe(true);
    expect(values(knowing(rows), chat, ['header', 'cookie'])).toEqual(['1', '4', '5', '6']);
    expect(values(knowing(rows), chat, ['path'])).toEqual(['/a', '/b']);
    expect(variationsFor(knowing(rows), chat, ['header'], { breadth: 'whole' })).toHaveLength(5);
  });

  test('may be filled with other texts', () => {
    const api = knowing([row('header', 'X-Seen', { values: ['{mood}'] })]);
    const filled = variationsFor(api, search, ['header'], { texts: { mood: 'calm' } });
    expect(filled.map(({ value }) => value)).toEqual(['calm']);
  });
});

describe('a token', () => {
  const inQuery = row('parameter', 'access_token', { values: ['{token}'] });

  test('stands in the query only on this machine, or if it was made for this run', () => {
    const placed = row('place', 'access_token', { in: 'parameter', values: ['{token}'] });
    for (const one of [inQuery, placed]) {
      expect(of(one)).toEqual([]);
      expect(of(one, { target: 'http://127.0.0.1:8080' })).toEqual(['access_token %7Btoken%7D']);
      expect(of(one, { api: { trusted: true } })).toEqual(['access_token %7Btoken%7D']);
    }
    expect(of(inQuery, { api: { variable: () => undefined } })).toEqual([]);
    expect(of(row('parameter', 'user', { values: ['{loopback}'] }))).toEqual(['user 127.0.0.1']);
  });

  test('stands in headers and cookies of any target', () => {
    expect(of(row('header', 'X-Token', { values: ['{token}'] }))).toEqual(['X-Token {token}']);
    expect(of(row('place', 'token', { in: 'cookie', values: ['{token}'] }))).toEqual(['token {token}']);
  });
});

describe('an operation that changes something', () => {
  const operation = { ...search, isHarmless: false };

  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'SEARCH', 'REPORT'])(
    'is asked by %s',
    (method) => {
      expect(of(row('method', method, { values: [] }), { operation })).toEqual([`${method} `]);
    },
  );

  test.each(['POST', 'PUT', 'DELETE', 'MOVE'])('is not asked by %s, as others are', (method) => {
    expect(of(row('method', method, { values: [] }), { operation })).toEqual([]);
    expect(of(row('method', method, { values: [] }))).toHaveLength(1);
  });

  test('is not told to read another method that writes', () => {
    const values = ['GET', 'delete', 'PATCH', 'PUT', 'POST', 'a POST', 'POSTER'];
    expect(of(row('header', 'X-Method', { values }), { operation })).toEqual([
      'X-Method GET',
      'X-Method a POST',
      'X-Method POSTER',
    ]);
    const [one] = variationsFor(knowing([row('field', 'list', { values: [['PUT']] })]), operation, ['field']);
    expect(one?.value).toEqual(['PUT']);
  });
});

const { matrix } = contract;
const carrying = (name: string, line: string): Contract['matrix'] => ({
  ...matrix,
  headers: { ...matrix.headers, authorization: { name, lines: { bearer: [line] } } },
});
test.each<[string, string, readonly string[]]>([
  ['X-Api-Key', '{token}', ['*', '{token};', '"{token}"']],
  ['Cookie', 'sid={token}', ['sid=*']],
  ['Authorization', 'Token {token}', ['Token *', 'Token {token};', 'Token "{token}"']],
  ['Authorization', 'Basic {token}', []],
])('a token in %s: %s is written otherwise as a bearer token is', (name, line, wanted) => {
  const values = ['Bearer *', 'Bearer {token};', 'Bearer "{token}"', 'Bearer Bearer {token}', 'JWT {token}'];
  const written = row('authorization', 'Bearer *', { values, breaks: 'token.unknown' });
  const changed = { contract: { has: [], matrix: carrying(name, line) } };
  const bearer = row('place', 'Authorization', { in: 'header', values: ['Bearer {token}'] });
  expect([of(bearer), of(bearer, changed)]).toEqual([[], ['Authorization Bearer {token}']]);
  expect(of(written, changed)).toEqual(wanted.map((value) => `the text * ${value}`));
});

test('no variation leads to another operation at the path, whose rules are its own', () => {
  const operation = { ...search, others: ['GET', 'HEAD'] };
  const methods = ['GET', 'HEAD', 'get', 'OPTIONS'].map((name) => row('method', name, { values: [] }));
  expect(methods.flatMap((one) => of(one, { operation }))).toEqual(['OPTIONS ']);
  expect(of(row('header', 'X-Method', { values: ['GET', 'PUT'] }), { operation })).toEqual(['X-Method PUT']);
});

describe('a row varies nothing that the contract does not have', () => {
  const without = (...headers: readonly string[]): Changes => ({
    contract: { headers: contract.headers.filter((one) => !headers.includes(one)) },
  });
  const bodyless: Changes & { operation: Operation } = { operation: { ...search, example: undefined } };
  const queryless = { operation: { ...search, example: { text: 'a' } } };

  test.each<[string, VariationRow, Parameters<typeof of>[1]]>([
    ['a bearer token', row('authorization', 'lower', { values: ['bearer {token}'] }), { contract: { has: [] } }],
    ['a header for the type of a token', row('auth-type', 'oauth', { values: [] }), without('auth-type')],
    ['a header for a person', row('person', 'upper', { values: ['A'] }), without(ACT_AS)],
    ['a body, for a field', row('field', 'debug', { values: [true] }), bodyless],
    ['a body, for a content type', row('content-type', 'text/plain'), bodyless],
    ['a query', row('query', 'owner', { values: ['owner:x'] }), queryless],
    ['a query, without a body', row('query', 'owner', { values: ['owner:x'] }), bodyless],
    ['a body, for its blanks', row('transport', 'body-with-blanks'), bodyless],
    ['a body, for its chunks', row('transport', 'chunked'), bodyless],
    ['a body, for a coding', row('transport', 'br'), bodyless],
  ])('%s', (_what, one, changes) => {
    expect(of(one, changes)).toEqual([]);
    expect(of(one)).toHaveLength(1);
  });

  test('but for how header lines are written, and the content type of any body', () => {
    expect(of(row('transport', 'headers-reversed'), bodyless)).toHaveLength(1);
    expect(of(row('transport', 'breve'), bodyless)).toHaveLength(1);
    expect(of(row('content-type', 'text/plain'), queryless)).toHaveLength(1);
  });
});

describe('a row names no place that has its own value', () => {
  test('such as a header of the contract, in any case', () => {
    expect(of(row('header', 'x-service-actas'))).toEqual([]);
    expect(of(row('place', 'AUTHORIZATION', { in: 'header' }))).toEqual([]);
    expect(of(row('cookie', 'authorization'))).toEqual(['authorization 1']);
  });

  test('such as the parameter or the cookie of the token', () => {
    const carrying = (authorization: object): Changes => {
      const headers = {
        ...contract.matrix.headers,
        authorization: { ...contract.matrix.headers.authorization, ...authorization },
      };
      return { contract: { matrix: { ...contract.matrix, headers } } };
    };
    const inQuery = carrying({ in: 'query', name: 'Key' });
    expect([of(row('parameter', 'key'), inQuery), of(row('parameter', 'key'))]).toEqual([[], ['key 1']]);
    expect(of(row('place', 'key', { in: 'parameter' }), inQuery)).toEqual([]);
    const inCookie = carrying({ name: 'Cookie', lines: { empty: ['Session='] } });
    expect([of(row('cookie', 'session'), inCookie), of(row('cookie', 'other'), inCookie)]).toEqual([[], ['other 1']]);
    expect(of(row('place', 'session', { in: 'cookie' }), inCookie)).toEqual([]);
  });
});

describe('placeholders', () => {
  const { api } = engine(() => 'accepts', { variable: addressed('https://api.example:8443/prefix') });

  test('stand for the target, the people, the scopes and the headers of a request', () => {
    expect(textsFor(api, search)).toMatchObject({
      ...{ host: 'api.example:8443', origin: 'https://api.example:8443', scope: 'SEARCH' },
      ...{ HOST: 'API.EXAMPLE:8443', 'host-and-dot': 'api.example.:8443' },
      ...{ person: api.people.actAs, other: api.people.user, path: search.path, token: '{token}' },
      ...{ 'unknown-token': 'nobody-issued-this', loopback: '127.0.0.1', private: '10.0.0.1' },
      ...{
        'authorization-name': 'Authorization',
        'act-as-name': 'X-Service-ActAs',
        ...{ 'auth-type-name': 'X-Service-Auth-Type', family: 'X-Service' },
      },
    });
    expect(textsFor(api, { ...search, scopes: ['SEARCH', 'CHAT'] })).toMatchObject({ scope: 'SEARCH CHAT' });
    const [head = '', claims = ''] = textsFor(api, search)['jwt']?.split('.') ?? [];
    const decoded = [head, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(decoded).toEqual([
      expect.objectContaining({ alg: 'none' }),
      expect.objectContaining({ email: api.people.actAs, iss: 'https://api.example:8443' }),
    ]);
  });

  test('stand for the people who are known', () => {
    const knownAs = (people: object) => {
      const { person, other } = textsFor({ ...api, people: { ...api.people, ...people } }, search);
      return [person, other];
    };
    expect(knownAs({ actAs: undefined })).toEqual([api.people.user, api.people.user]);
    expect(knownAs({ user: undefined })).toEqual([api.people.actAs, api.people.nobody]);
    expect(knownAs({ user: undefined, actAs: undefined })).toEqual(['admin', api.people.nobody]);
    expect(textsFor({ ...api, variable: () => undefined }, search)).toMatchObject({
      ...{ host: 'localhost', origin: 'http://localhost', 'host-and-dot': 'localhost.' },
    });
  });

  test('stand for both people where somebody looks for a document', () => {
    const own = { owner: 'USER', email: 'uma@people.example', query: 'drafts' } as const;
    const other = { owner: 'ACT_AS', email: 'ada@people.example', query: 'payroll of ada' } as const;
    expect(textsOfLook({ own, other })).toMatchObject({
      ...{ person: 'uma@people.example', other: 'ada@people.example', 'own-query': 'drafts' },
      ...{ 'private-query': 'payroll of ada', 'PRIVATE-QUERY': 'PAYROLL OF ADA', 'private-word': 'payroll' },
      ...{ 'spaced-query': 'payroll  of ada', 'reversed-query': 'ada of payroll', 'begun-query': 'payroll of ada' },
    });
  });
});
