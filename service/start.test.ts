import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { policy } from './api/policy.ts';
import { startService } from './start.ts';

async function running() {
  const service = await startService();
  onTestFinished(service.close);
  return service;
}

test('the authorization server has metadata, and prints nothing (RFC 8414 3)', async () => {
  const info = vi.spyOn(console, 'info');
  const warn = vi.spyOn(console, 'warn');
  const { authorizationServerUrl } = await running();
  const { body } = await request(`${authorizationServerUrl}/.well-known/oauth-authorization-server`);
  expect(await body.json()).toMatchObject({
    issuer: authorizationServerUrl,
    registration_endpoint: `${authorizationServerUrl}/reg`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: expect.arrayContaining(['SEARCH', 'CHAT', 'VERIFICATION']),
  });
  expect([...info.mock.calls, ...warn.mock.calls]).toEqual([]);
});

test('a client registers itself (RFC 7591) and must use PKCE', async () => {
  const { authorizationServerUrl, audiences } = await running();
  const registered = await request(`${authorizationServerUrl}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'test',
      redirect_uris: ['http://127.0.0.1/done'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    }),
  });
  expect(registered.statusCode).toBe(201);
  const { client_id } = Object(await registered.body.json());
  const parameters = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1/done',
    scope: 'SEARCH',
    resource: audiences.api,
  });
  const { statusCode, headers } = await request(`${authorizationServerUrl}/auth?${parameters}`);
  expect(statusCode).toBe(303);
  expect(new URL(String(headers.location)).searchParams.get('error')).toBe('invalid_request');
});

test('a sign-in page without a pending sign-in says so', async () => {
  const { authorizationServerUrl } = await running();
  const { statusCode, body } = await request(`${authorizationServerUrl}/interaction/nothing`);
  expect(statusCode).toBe(400);
  expect(await body.text()).toContain('This sign-in has expired');
});

test('people and tokens in a file survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = `file:${join(folder, 'service.db')}`;

  const first = await startService({ database });
  const { people, serviceTokens } = first.context.store;
  const boss = await people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
  const issued = await serviceTokens.issue(boss, {
    description: 'restart',
    permission: 'USER',
    scopes: ['SEARCH'],
    userEmail: boss.email,
  });
  await first.close();

  const { apiUrl, close } = await startService({ database });
  onTestFinished(close);
  const { statusCode } = await request(`${apiUrl}/rest/api/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${issued.ok && issued.secret}`, 'content-type': 'application/json' },
    body: '{"query":"anything"}',
  });
  expect(statusCode).toBe(200);
});

test('pending requests are answered while the service closes', async () => {
  let reached = () => {};
  const pending = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let finish = () => {};
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { apiUrl, close } = await startService({
    steps: {
      ...policy,
      admit: () => {
        reached();
        return slow;
      },
    },
  });
  const answer = request(`${apiUrl}/rest/api/v1/search`, { method: 'POST' });
  await pending;
  const closed = close();
  finish();
  expect((await answer).statusCode).toBe(401);
  await closed;
  await expect(request(apiUrl)).rejects.toThrow();
});

test('a port in use is an error that names it', async () => {
  const { apiUrl } = await running();
  await expect(startService({ port: Number(new URL(apiUrl).port) })).rejects.toThrow(/EADDRINUSE/);
});

test('the address alone leads a browser to the admin console', async () => {
  const { apiUrl } = await running();
  const { statusCode, headers } = await request(`${apiUrl}/`);
  expect([statusCode, headers['location']]).toEqual([303, '/admin']);
});
