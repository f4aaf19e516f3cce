import { describe, expect, test } from 'vitest';
import { Refusal } from '../terms/refusal.ts';
import { bearer, chatPath, searchPath, start, testApp } from '../testing/app.ts';
import { policy } from './policy.ts';

const actAs = (email: string) => ['X-Service-ActAs', email];
const authType = (value: string) => ['X-Service-Auth-Type', value];

describe('a service-issued token', () => {
  test('searches as the user it is bound to', async () => {
    const { store, ann, secret, send } = await testApp();
    await store.documents.add({ title: 'Plan', body: 'the budget of Ann', owner: ann, audience: [] });
    const { status, json, headers } = await send(searchPath, bearer(await secret()));
    expect(status).toBe(200);
    expect(json).toEqual({
      results: [{ id: '1', title: 'Plan', snippet: 'the budget of Ann', owner: 'ann@example.com' }],
      trackingToken: expect.any(String),
      requestId: expect.any(String),
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('application/json'),
    });
  });

  test('chats and continues the conversation', async () => {
    const { secret, send } = await testApp();
    const token = bearer(await secret());
    const first = await send(chatPath, token);
    expect(first.status).toBe(200);
    const { conversationId } = first.json;
    const next = await send(chatPath, token, { query: 'and then?', conversationId });
    expect(next).toMatchObject({ status: 200, json: { conversationId } });
  });

  test('acts as the person named when it is GLOBAL, and only then', async () => {
    const { store, bob, secret, send } = await testApp();
    await store.documents.add({ title: 'Plan', body: 'the budget of Bob', owner: bob, audience: [] });
    const global = await send(searchPath, [
      ...bearer(await secret({ permission: 'GLOBAL' })),
      ...actAs(' BOB@example.com '),
    ]);
    expect(global.json).toMatchObject({ results: [{ owner: 'bob@example.com' }] });
    const user = await send(searchPath, [...bearer(await secret()), ...actAs('bob@example.com')]);
    expect(user).toMatchObject({ status: 200, json: { results: [] } });
  });

  test('is accepted up to the moment it expires', async () => {
    const { clock, secret, send } = await testApp();
    const token = bearer(await secret({ expiresAt: start + 1000 }));
    clock.now = start + 999;
    expect(await send(searchPath, token)).toMatchObject({ status: 200 });
    clock.now = start + 1000;
    expect(await send(searchPath, token)).toMatchObject({ status: 401 });
  });

  test('is refused once it is revoked', async () => {
    const { store, boss, secret, send } = await testApp();
    const token = await secret();
    const id = (await store.serviceTokens.find(token))?.id ?? '';
    expect(await send(searchPath, bearer(token))).toMatchObject({ status: 200 });
    await store.serviceTokens.revoke(boss, id);
    expect(await send(searchPath, bearer(token))).toMatchObject({ status: 401 });
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('is accepted behind the scheme "%s"', async (scheme) => {
    const { secret, send } = await testApp();
    expect(await send(searchPath, ['authorization', `${scheme} ${await secret()}`])).toMatchObject({ status: 200 });
  });
});

describe('a refusal', () => {
  const all = { permission: 'GLOBAL', scopes: ['SEARCH', 'CHAT'] };
  const missing = 'Required header missing: X-Service-ActAs';
  const rows: [
    name: string,
    token: object | null,
    headers: string[],
    status: number,
    detail: unknown,
    challenge?: string,
  ][] = [
    ['no Authorization', null, [], 401, expect.stringContaining('Authorization'), 'Bearer realm="client-api"'],
    ['another scheme', null, ['Authorization', 'Basic eDp5'], 401, expect.any(String), 'Bearer realm="client-api"'],
    [
      'no token behind the scheme',
      null,
      ['Authorization', 'Bearer '],
      400,
      expect.any(String),
      'Bearer realm="client-api", error="invalid_request"',
    ],
    ['an unknown token', null, bearer('nobody-knows-this'), 401, 'Invalid Secret'],
    ['a token in our form that was never issued', null, bearer(`svc_${'A'.repeat(43)}`), 401, 'Invalid Secret'],
    [
      'an unknown token called OAuth',
      null,
      [...bearer('nobody-knows-this'), ...authType('OAUTH')],
      401,
      expect.stringContaining('not valid'),
      'Bearer realm="client-api", error="invalid_token"',
    ],
    ['GLOBAL without a person to act as', all, [], 400, missing],
    ['GLOBAL with a blank person to act as', all, actAs('  '), 400, missing],
    [
      'GLOBAL with an unknown person',
      all,
      actAs('eve@example.com'),
      401,
      'Invalid identity',
      'Bearer realm="client-api"',
    ],
    ['GLOBAL with no address at all', all, actAs('not an address'), 401, 'Invalid identity'],
    [
      'GLOBAL with two people',
      all,
      [...actAs('ann@example.com'), ...actAs('bob@example.com')],
      400,
      expect.any(String),
    ],
    ['two tokens', {}, bearer('another'), 400, expect.any(String)],
    ['two authentication types', {}, [...authType('OAUTH'), ...authType('OAUTH')], 400, expect.any(String)],
    ['another authentication type', {}, authType('JWT'), 400, expect.any(String)],
    ['the authentication type in another case', {}, authType('oauth'), 400, expect.any(String)],
    [
      'a missing scope',
      { scopes: ['CHAT'] },
      [],
      403,
      'The access token lacks the scope SEARCH.',
      'Bearer realm="client-api", error="insufficient_scope", scope="SEARCH"',
    ],
  ];

  test.each(rows)('of %s says so', async (_name, token, headers, status, detail, challenge) => {
    const { secret, send } = await testApp();
    const sent = token ? [...bearer(await secret(token)), ...headers] : headers;
    const answer = await send(searchPath, sent);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      type: 'about:blank',
      title: expect.any(String),
      status,
      detail,
      requestId: expect.any(String),
    });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    if (challenge) expect(answer.headers['www-authenticate']).toBe(challenge);
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
  });

  test('never repeats the token', async () => {
    const { secret, send } = await testApp();
    const token = await secret({ scopes: ['PINS'] });
    const answer = await send(searchPath, bearer(token));
    expect(answer.status).toBe(403);
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(token.slice(4, 16));
  });

  test.each([
    ['a missing query', {}, [], 400],
    ['a query that is no text', { query: 5 }, [], 400],
    ['a page size that is no integer', { query: 'a', pageSize: '5' }, [], 400],
    ['a body that is no object', [], [], 400],
    ['a body that is no JSON', '{"query"', [], 400],
    ['no body', '', [], 400],
    ['another content type', '{"query":"a"}', ['content-type', 'text/plain'], 415],
    ['too much', { query: 'a'.repeat(300_000) }, [], 413],
  ])('of %s is a client error', async (_name, body, headers, status) => {
    const { secret, send } = await testApp();
    const answer = await send(searchPath, [...bearer(await secret()), ...headers], body);
    expect(answer).toMatchObject({ status, json: { status, detail: expect.any(String) } });
  });

  test('names the method that a path takes', async () => {
    const { send } = await testApp();
    expect(await send(searchPath, [], undefined, 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await send(searchPath, [], 'no JSON', 'PUT')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    for (const path of ['/rest/api/v1/nothing', '/%zz']) {
      expect(await send(path, [])).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    }
  });

  test("does not tell somebody else's conversation from none", async () => {
    const { secret, send } = await testApp();
    const { conversationId } = (await send(chatPath, bearer(await secret()))).json;
    const bobs = bearer(await secret({ userEmail: 'bob@example.com' }));
    const other = await send(chatPath, bobs, { query: 'a', conversationId });
    const none = await send(chatPath, bobs, { query: 'a', conversationId: 'none' });
    expect([other.status, none.status]).toEqual([404, 404]);
    expect(other.json.detail).toBe(none.json.detail);
  });
});

describe('the table of steps', () => {
  test('puts faults in the order of its stages', async () => {
    const late = await testApp();
    const token = bearer(await late.secret({ permission: 'GLOBAL', scopes: ['PINS'] }));
    expect(await late.send(searchPath, token)).toMatchObject({ status: 400 });

    const early = await testApp({
      steps: { ...policy, order: ['authenticate', 'requireScope', 'validateBody', 'identify', 'checkExpiry'] },
    });
    const other = bearer(await early.secret({ permission: 'GLOBAL', scopes: ['PINS'] }));
    expect(await early.send(searchPath, other)).toMatchObject({ status: 403 });
  });

  test('lets exactly one step be replaced', async () => {
    const { secret, send } = await testApp({
      steps: {
        ...policy,
        requireScope: (call, credential) => {
          if (call.operation.id === 'search') throw new Refusal('insufficient-scope', { status: 404 });
          policy.requireScope(call, credential);
        },
      },
    });
    const token = bearer(await secret());
    expect(await send(searchPath, token)).toMatchObject({ status: 404 });
    expect(await send(chatPath, token)).toMatchObject({ status: 200 });
  });

  test('refuses an order that leaves a stage out', async () => {
    await expect(testApp({ steps: { ...policy, order: ['authenticate'] } })).rejects.toThrow(/order must name each/);
  });

  test('answers 500 without detail when a step breaks', async () => {
    const { secret, send } = await testApp({
      steps: {
        ...policy,
        search: async () => {
          throw new Error('the password is swordfish');
        },
      },
    });
    const answer = await send(searchPath, bearer(await secret()));
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('swordfish');
  });
});
