import { describe, expect, test, vi } from 'vitest';
import { policy } from '../api/policy.ts';
import { validateBody } from '../api/validate-body.ts';
import { operations } from '../terms/operations.ts';
import { bearer, call, initialize, mcpApp, message, metadata } from '../testing/mcp-app.ts';
import { descriptions } from './tools.ts';

describe('tools', () => {
  test('take the fields of the operations (spec 2.3, 2.4)', () => {
    for (const operation of operations) {
      const { properties, required } = descriptions[operation.id].input;
      const example = { query: 'q', pageSize: 1, conversationId: 'c' };
      const fields = Object.fromEntries(Object.entries(example).filter(([name]) => name in (properties ?? {})));
      expect(required).toEqual(['query']);
      expect(validateBody({ operation } as never, fields)).toEqual(fields);
      for (const [name, value] of Object.entries(fields)) {
        const wrong = { ...fields, [name]: typeof value === 'string' ? 1 : 'text' };
        expect(() => validateBody({ operation } as never, wrong)).toThrow(/invalid-body/);
      }
    }
  });

  test('find what only this person may see, and not what only another person may see', async () => {
    const { secret, send } = await mcpApp();
    const results = async (userEmail: string) =>
      (await send({ headers: bearer(await secret({ userEmail })), body: message(call('search')) })).json.result
        .structuredContent.results;
    expect(await results('ann@example.com')).toMatchObject([{ title: 'The budget of Ann' }]);
    expect(await results('bob@example.com')).toEqual([]);
  });

  test('run as the person in X-Service-ActAs with a GLOBAL token (spec 5.2)', async () => {
    const { secret, send } = await mcpApp();
    const headers = bearer(await secret({ permission: 'GLOBAL' }));
    const actAs = (email: string) =>
      send({ headers: { ...headers, 'x-service-actas': email }, body: message(call('search')) });
    expect((await actAs('ann@example.com')).json.result.structuredContent.results).toHaveLength(1);
    expect((await actAs('bob@example.com')).json.result.structuredContent.results).toHaveLength(0);
    expect(await actAs('nobody@example.com')).toMatchObject({
      status: 401,
      json: { jsonrpc: '2.0', id: null, error: { message: 'Invalid identity' } },
    });
    expect(await send({ headers })).toMatchObject({
      status: 400,
      json: { error: { message: 'Required header missing: X-Service-ActAs' } },
    });
  });

  test('say as a result why a call is refused', async () => {
    const { secret, send } = await mcpApp();
    const headers = bearer(await secret());
    const conversation = { query: 'budget', conversationId: 'unknown' };
    const refused = await send({ headers, body: message(call('chat', conversation)) });
    expect(refused.json.result).toMatchObject({ isError: true, content: [{ text: /no conversation/ }] });
    const wrong = await send({ headers, body: message(call('search', { query: 1 })) });
    expect(wrong.json.result).toMatchObject({ isError: true });
    const unknown = await send({ headers, body: message(call('delete')) });
    expect(unknown.json.error).toMatchObject({ code: -32_602 });
  });

  test('are recorded in the audit trail, with the token', async () => {
    const { secret, send, store, boss } = await mcpApp();
    await send({ headers: bearer(await secret({ description: 'my host' })), body: message(call('search')) });
    const { events } = await store.auditTrail.read(boss, 1);
    expect(events[0]).toMatchObject({
      actor: 'ann@example.com',
      action: 'tool called',
      detail: 'search',
      token: { description: 'my host' },
    });
  });
});

describe('refusals', () => {
  test('of a request without a token name the metadata and the scopes (RFC 9728 5.1, RFC 6750 3)', async () => {
    const { send } = await mcpApp();
    for (const method of ['POST', 'GET', 'DELETE', 'PUT'] as const) {
      const { status, headers } = await send({ method });
      expect([method, status]).toEqual([method, 401]);
      expect(headers['www-authenticate']).toBe(`Bearer realm="client-api", scope="MCP SEARCH CHAT", ${metadata}`);
    }
    const unknown = await send({ headers: bearer('unknown') });
    expect(unknown).toMatchObject({ status: 401, json: { jsonrpc: '2.0', id: null, error: { code: -32_000 } } });
    expect(unknown.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('of a token without MCP name MCP, whatever the message is (RFC 6750 3.1)', async () => {
    const { secret, send } = await mcpApp();
    const headers = bearer(await secret({ scopes: ['SEARCH', 'CHAT'] }));
    for (const body of [message(initialize), message(call('search')), 'no JSON']) {
      const answer = await send({ headers, body });
      expect(answer.status).toBe(403);
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer realm="client-api", error="insufficient_scope", scope="MCP", ${metadata}`,
      );
    }
  });

  test.each([
    ['search', 'MCP SEARCH', ['MCP', 'CHAT']],
    ['chat', 'MCP CHAT', ['MCP', 'SEARCH']],
  ])('of a call of %s without its scope name %s', async (tool, wanted, scopes) => {
    const { secret, send } = await mcpApp();
    const headers = bearer(await secret({ scopes }));
    expect(await send({ headers })).toMatchObject({ status: 200 });
    const bodies = [message(call(tool)), [message({ method: 'tools/list' }), { ...message(call(tool)), id: 2 }]];
    for (const body of bodies) {
      const answer = await send({ headers, body });
      expect(answer.status).toBe(403);
      expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope"/);
      expect(answer.headers['www-authenticate']).toContain(`scope="${wanted}"`);
      expect(answer.headers['www-authenticate']).toContain(metadata);
    }
  });

  test('of a message have the error of the protocol (JSON-RPC 2.0, 5.1)', async () => {
    const { secret, send } = await mcpApp();
    const headers = bearer(await secret());
    expect(await send({ headers, body: 'no JSON' })).toMatchObject({ status: 400, json: { error: { code: -32_700 } } });
    expect(await send({ headers, body: message({ method: 'nothing' }) })).toMatchObject({
      json: { id: 1, error: { code: -32_601 } },
    });
    expect(await send({ headers: { ...headers, 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    const long = message(call('search', { query: 'x'.repeat(300_000) }));
    expect(await send({ headers, body: long })).toMatchObject({ status: 413, json: { jsonrpc: '2.0' } });
    for (const method of ['GET', 'DELETE', 'PUT'] as const)
      expect(await send({ method, headers })).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });
});

describe('pages', () => {
  test.each([
    ['a rebound name', { host: 'attacker.example' }, 403],
    ['an address that imitates a name of ours', { host: 'localhost.attacker.example' }, 403],
    ['the public name', { host: 'api.example.com' }, 200],
    ['localhost', { host: 'localhost:9' }, 200],
    ['an http page of another site', { origin: 'http://attacker.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['an https page', { origin: 'https://client.example' }, 200],
    ['a page on this device', { origin: 'http://localhost:6274' }, 200],
  ])('from %s get the right answer', async (_name, headers, status) => {
    const { secret, send } = await mcpApp();
    expect(await send({ headers: { ...bearer(await secret()), ...headers } })).toMatchObject({ status });
  });

  test('may ask before they send a token (Fetch, "CORS preflight")', async () => {
    const { send } = await mcpApp();
    const asked = {
      origin: 'https://client.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,mcp-protocol-version',
    };
    expect(await send({ method: 'OPTIONS', headers: asked })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization,mcp-protocol-version',
      },
    });
    const refused = await send({ headers: { origin: 'https://client.example' } });
    expect(refused.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  });
});

describe('limits', () => {
  /** A search that ends when the test says so. */
  function slowSearch() {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const search = vi.fn(async () => {
      await ended;
      return { results: [], trackingToken: 't', requestId: 'r' };
    });
    return { steps: { ...policy, search }, search, end };
  }

  test('refuse more requests at once than allowed, and allow them later', async () => {
    const { steps, search, end } = slowSearch();
    const { secret, send } = await mcpApp({ steps, limits: { perToken: 1, total: 2 } });
    const [first, second, third] = [await secret(), await secret(), await secret()];
    const slow = [first, second].map((token) => send({ headers: bearer(token), body: message(call('search')) }));
    await vi.waitFor(() => expect(search).toHaveBeenCalledTimes(2));
    expect(await send({ headers: bearer(first) })).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(await send({ headers: bearer(third) })).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    end();
    await Promise.all(slow);
    await vi.waitFor(async () => expect(await send({ headers: bearer(first) })).toMatchObject({ status: 200 }));
  });

  test('end an answer that takes too long', async () => {
    const { steps } = slowSearch();
    const { secret, send } = await mcpApp({ steps, limits: { time: 50 } });
    const { json } = await send({ headers: bearer(await secret()), body: message(call('search')) });
    expect(json).toBeUndefined();
  });
});
