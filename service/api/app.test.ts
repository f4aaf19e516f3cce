import { describe, expect, test } from 'vitest';
import { bearer, chatPath, searchPath, start, testApp } from '../testing/app.ts';

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

  test('starts a chat and continues the conversation', async () => {
    const { secret, send } = await testApp();
    const token = bearer(await secret());
    const first = await send(chatPath, token);
    expect(first.status).toBe(200);
    const { conversationId } = first.json;
    const next = await send(chatPath, token, { query: 'and then?', conversationId });
    expect(next).toMatchObject({ status: 200, json: { conversationId } });
  });

  test('acts as the named person only when it is GLOBAL', async () => {
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

  test('is accepted until it expires', async () => {
    const { clock, secret, send } = await testApp();
    const token = bearer(await secret({ expiresAt: start + 1000 }));
    clock.now = start + 999;
    expect(await send(searchPath, token)).toMatchObject({ status: 200 });
    clock.now = start + 1000;
    expect(await send(searchPath, token)).toMatchObject({ status: 401 });
  });

  test('is refused after it is revoked', async () => {
    const { store, boss, secret, send } = await testApp();
    const token = await secret();
    const id = (await store.serviceTokens.find(token))?.id ?? '';
    expect(await send(searchPath, bearer(token))).toMatchObject({ status: 200 });
    await store.serviceTokens.revoke(boss, id);
    expect(await send(searchPath, bearer(token))).toMatchObject({ status: 401 });
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('is accepted after the scheme "%s"', async (scheme) => {
    const { secret, send } = await testApp();
    expect(await send(searchPath, ['authorization', `${scheme} ${await secret()}`])).toMatchObject({ status: 200 });
  });
});

describe('a refusal', () => {
  const all = { permission: 'GLOBAL', scopes: ['SEARCH', 'CHAT'] };
  const missing = 'Required header missing: X-Service-ActAs';
  const text = expect.any(String);
  const realm = 'Bearer realm="client-api"';
  interface Expected {
    status: number;
    detail: unknown;
    challenge?: string;
  }
  const rows: [name: string, token: object | null, headers: string[], expected: Expected][] = [
    [
      'a request without Authorization',
      null,
      [],
      { status: 401, detail: expect.stringContaining('Authorization'), challenge: realm },
    ],
    ['another scheme', null, ['Authorization', 'Basic eDp5'], { status: 401, detail: text, challenge: realm }],
    [
      'a scheme without a token',
      null,
      ['Authorization', 'Bearer '],
      { status: 400, detail: text, challenge: `${realm}, error="invalid_request"` },
    ],
    ['an unknown token', null, bearer('unknown-token'), { status: 401, detail: 'Invalid Secret' }],
    [
      'a token with our prefix that was never issued',
      null,
      bearer(`svc_${'A'.repeat(43)}`),
      { status: 401, detail: 'Invalid Secret' },
    ],
    [
      'an unknown token with X-Service-Auth-Type: OAUTH',
      null,
      [...bearer('unknown-token'), ...authType('OAUTH')],
      { status: 401, detail: expect.stringContaining('not valid'), challenge: `${realm}, error="invalid_token"` },
    ],
    ['GLOBAL without X-Service-ActAs', all, [], { status: 400, detail: missing }],
    ['GLOBAL with a blank X-Service-ActAs', all, actAs('  '), { status: 400, detail: missing }],
    [
      'GLOBAL with the email of nobody',
      all,
      actAs('eve@example.com'),
      { status: 401, detail: 'Invalid identity', challenge: realm },
    ],
    [
      'GLOBAL with a text that is not an email',
      all,
      actAs('not an address'),
      { status: 401, detail: 'Invalid identity' },
    ],
    [
      'GLOBAL with two people',
      all,
      [...actAs('ann@example.com'), ...actAs('bob@example.com')],
      { status: 400, detail: text },
    ],
    ['two tokens', {}, bearer('another'), { status: 400, detail: text }],
    ['two authentication types', {}, [...authType('OAUTH'), ...authType('OAUTH')], { status: 400, detail: text }],
    ['another authentication type', {}, authType('JWT'), { status: 400, detail: text }],
    ['the authentication type in lower case', {}, authType('oauth'), { status: 400, detail: text }],
    [
      'a missing scope',
      { scopes: ['CHAT'] },
      [],
      {
        status: 403,
        detail: 'The access token lacks the scope SEARCH.',
        challenge: `${realm}, error="insufficient_scope", scope="SEARCH"`,
      },
    ],
  ];

  test.each(rows)('names the reason for %s', async (_name, token, headers, { status, detail, challenge }) => {
    const { secret, send } = await testApp();
    const sent = token ? [...bearer(await secret(token)), ...headers] : headers;
    const answer = await send(searchPath, sent);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({
      type: 'about:blank',
      title: text,
      status,
      detail,
      requestId: text,
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
    ['a query that is not a string', { query: 5 }, [], 400],
    ['a page size that is not an integer', { query: 'a', pageSize: '5' }, [], 400],
    ['a body that is not an object', [], [], 400],
    ['a body that is not JSON', '{"query"', [], 400],
    ['an empty body', '', [], 400],
    ['another content type', '{"query":"a"}', ['content-type', 'text/plain'], 415],
    ['a body that is too large', { query: 'a'.repeat(300_000) }, [], 413],
  ])('has a 4xx status for %s', async (_name, body, headers, status) => {
    const { secret, send } = await testApp();
    const answer = await send(searchPath, [...bearer(await secret()), ...headers], body);
    expect(answer).toMatchObject({ status, json: { status, detail: text } });
  });

  test('names the method that a path supports', async () => {
    const { send } = await testApp();
    expect(await send(searchPath, [], undefined, 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await send(searchPath, [], 'not JSON', 'PUT')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    for (const path of ['/rest/api/v1/nothing', '/%zz']) {
      expect(await send(path, [])).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    }
  });

  test("is the same for another person's conversation and for one that does not exist", async () => {
    const { secret, send } = await testApp();
    const { conversationId } = (await send(chatPath, bearer(await secret()))).json;
    const bobs = bearer(await secret({ userEmail: 'bob@example.com' }));
    const other = await send(chatPath, bobs, { query: 'a', conversationId });
    const none = await send(chatPath, bobs, { query: 'a', conversationId: 'none' });
    expect([other.status, none.status]).toEqual([404, 404]);
    expect(other.json.detail).toBe(none.json.detail);
  });
});

describe('health and readiness', () => {
  test('need no token', async () => {
    const { send } = await testApp();
    expect(await send('/health', [], undefined, 'GET')).toMatchObject({ status: 200, json: { status: 'live' } });
    expect(await send('/ready', [], undefined, 'GET')).toMatchObject({
      status: 200,
      json: { status: 'ready' },
      headers: { 'cache-control': 'no-store' },
    });
  });

  test('differ when the database does not respond', async () => {
    const { store, send } = await testApp();
    store.close();
    expect(await send('/health', [], undefined, 'GET')).toMatchObject({ status: 200 });
    const answer = await send('/ready', [], undefined, 'GET');
    expect(answer).toMatchObject({ status: 503, json: { status: 'not ready' } });
  });
});
