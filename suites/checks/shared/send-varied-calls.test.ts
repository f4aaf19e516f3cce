import { describe, expect, test } from 'vitest';
import type { Call } from '../../../harness/checks/check.ts';
import { search } from '../../testing/engine.ts';
import { AIM, called, credential, type Row, TYPED } from '../../testing/written.ts';

describe('an HTTP client sends', () => {
  const plain = { operation: search, credential, authorization: undefined, headers: TYPED.headers, query: '' };

  test('the documented request, where nothing is varied', async () => {
    const { call, once } = await called([]);
    expect(call).toEqual({ ...plain, body: search.example, ...AIM });
    expect(once).toBe(false);
  });

  test('it once, where another answer would show nothing new', async () => {
    expect((await called([], { isAnew: false })).once).toBe(true);
    expect((await called([], { isAnew: true })).once).toBe(false);
  });

  test('other fields than those of the example, and what is found with them', async () => {
    const { call } = await called([], { fields: { query: 'mine' }, finds: 'USER' });
    expect(call).toMatchObject({ body: { query: 'mine' }, finds: 'USER' });
    expect(call).not.toHaveProperty('fields');
    expect(call).not.toHaveProperty('isAnew');
  });

  test.each<[string, readonly Row[], Partial<Call>]>([
    [
      'a header, and the lines that belong to it',
      [['header', 'X-Debug', '1']],
      { headers: [...TYPED.headers, ['X-Debug', '1'], ['X-Beside', 'yes']] },
    ],
    [
      'a header with the token in it',
      [['header', 'X-Token', 'is {token}.']],
      { headers: [...TYPED.headers, ['X-Token', 'is a+b.']] },
    ],
    [
      'a header instead of one of its name',
      [['header', 'x-service-auth-type', 'SAML']],
      { headers: [['x-service-auth-type', 'SAML']] },
    ],
    ['no header of this name', [['header', 'x-service-auth-type', null]], { headers: [] }],
    ['the body in a batch', [['content-type', 'application/json', []]], { body: [search.example] }],
    ['another auth type', [['auth-type', 'oauth']], { headers: [['X-Service-Auth-Type', 'oauth']] }],
    [
      'a person, on two lines',
      [['person', 'two', ['a@x.test', 'b@x.test']]],
      { headers: [...TYPED.headers, ['X-Service-ActAs', 'a@x.test'], ['X-Service-ActAs', 'b@x.test']] },
    ],
    [
      'somebody to act as',
      [['acting', 'one', 'a@x.test']],
      { headers: [...TYPED.headers, ['X-Service-ActAs', 'a@x.test']] },
    ],
    [
      'cookies on one line',
      [
        ['cookie', 'a', '1'],
        ['cookie', 'b', '{token}'],
      ],
      { headers: [...TYPED.headers, ['Cookie', 'a=1; b=a+b']] },
    ],
    [
      'a token in a cookie',
      [['place', 'token_cookie', '{token}']],
      { headers: [...TYPED.headers, ['Cookie', 'token_cookie=a+b']] },
    ],
    [
      'parameters',
      [
        ['parameter', 'debug', '1'],
        ['parameter', 'flag', ''],
      ],
      { query: '?debug=1&flag' },
    ],
    [
      'a token in a parameter, percent-encoded',
      [['parameter', 'access_token', '{token}']],
      { query: '?access_token=a%2Bb' },
    ],
    [
      'fields of any type',
      [
        ['field', 'admin', true],
        ['field', 'roles', ['{token}', 1]],
      ],
      { body: { ...search.example, admin: true, roles: ['a+b', 1] } },
    ],
    ['a field with the token', [['field', 'token', '{token}']], { body: { ...search.example, token: 'a+b' } }],
    ['another query', [['query', 'all', '*']], { body: { query: '*' } }],
    ['another line of the token', [['authorization', 'lower', 'bearer {token}']], { authorization: 'bearer a+b' }],
    ['a documented content type', [['content-type', 'application/json', 'json']], { body: search.example }],
  ])('%s', async (_what, rows, wanted) => {
    expect((await called(rows)).call).toEqual({ ...plain, body: search.example, ...AIM, ...wanted });
  });

  test('no line where there is no token, and the unknown token where one is to stand', async () => {
    const base = { credential: undefined, authorization: null, headers: [] };
    const { call } = await called(
      [
        ['header', 'X-Token', '{token}'],
        ['authorization', 'other', 'Basic {token}'],
      ],
      { base },
    );
    expect(call.authorization).toBeNull();
    expect(call.headers).toEqual([['X-Token', 'nobody-issued-this']]);
  });

  test('the token of a line that is not documented', async () => {
    const base = { credential: undefined, authorization: 'Bearer of-the-line', headers: [] };
    const { call } = await called([['header', 'X-Token', '{token}']], { base });
    expect(call).toMatchObject({ authorization: 'Bearer of-the-line', headers: [['X-Token', 'of-the-line']] });
  });
});
