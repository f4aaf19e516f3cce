import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningService, type ServiceConfig, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { browse, redirectUri, registeredClient, stockClient } from '../testing/stock-client.ts';

const ann = { email: 'ann@example.com', password: 'correct horse' };
const searchPath = '/rest/api/v1/search';
const refused = { error: 'invalid_grant' };

async function running(config: ServiceConfig = {}): Promise<RunningService> {
  const service = await startService({ passwordCost: cheapPasswordCost, ...config });
  onTestFinished(service.close);
  const { people } = service.context.store;
  if (!(await people.find(ann.email))) await people.add({ ...ann, name: 'Ann', role: 'user' });
  return service;
}

async function registered(service: RunningService) {
  return stockClient(service.apiUrl);
}

/** The first answer of the authorization endpoint. `back` has the parameters of a redirect to the client. */
async function firstAnswer(url: URL): Promise<{ status: number; back: URLSearchParams | undefined }> {
  const { statusCode, headers, body } = await request(url);
  await body.dump();
  const location = String(headers.location ?? '');
  return {
    status: statusCode,
    back: location.startsWith(redirectUri) ? new URL(location).searchParams : undefined,
  };
}

describe('an authorization code', () => {
  test.each([
    ['without a code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with a plain code challenge', { code_challenge_method: 'plain' }],
    ['with a code challenge but no method, which means plain', { code_challenge_method: undefined }],
  ])('is not issued for a request %s (RFC 7636 4.3; RFC 9700 2.1.1)', async (_what, changes) => {
    const client = await registered(await running());
    const { url } = await client.begin('SEARCH', changes);
    expect((await firstAnswer(url)).back?.get('error')).toBe('invalid_request');
  });

  test.each([
    ['another path', `${redirectUri}/more`],
    ['a query', `${redirectUri}?next=x`],
    ['another host', 'http://127.0.0.1.example.com:53682/callback'],
    ['another scheme', redirectUri.replace('http:', 'https:')],
    ['another letter case', redirectUri.replace('callback', 'Callback')],
    ['a fragment', `${redirectUri}#x`],
    ['a path traversal', `${redirectUri}/../other`],
  ])('is never sent to a redirect URI with %s (RFC 9700 2.1)', async (_what, redirect_uri) => {
    const client = await registered(await running());
    const { url } = await client.begin('SEARCH', { redirect_uri });
    expect(await firstAnswer(url)).toEqual({ status: 400, back: undefined });
  });

  test('can be used once, and a second use revokes the tokens of the first', async () => {
    const client = await registered(await running());
    const begun = await client.begin('SEARCH');
    const back = await browse(begun.url, ann);
    const tokens = await client.redeem(back, begun);
    await expect(client.redeem(back, begun)).rejects.toMatchObject(refused);
    await expect(client.refresh(tokens)).rejects.toMatchObject(refused);
  });

  test('can only be used by its client and with its code verifier', async () => {
    const service = await running();
    const [client, other] = [await registered(service), await registered(service)];
    const begun = await client.begin('SEARCH');
    const back = await browse(begun.url, ann);
    await expect(other.redeem(back, begun)).rejects.toMatchObject(refused);
    const wrong = { ...begun, verifier: begun.verifier.split('').reverse().join('') };
    await expect(client.redeem(back, wrong)).rejects.toMatchObject(refused);
  });

  test('is not issued when the person denies access', async () => {
    const client = await registered(await running());
    const { url } = await client.begin('SEARCH');
    expect((await browse(url, ann, 'deny')).searchParams.get('error')).toBe('access_denied');
  });
});

describe('an access token', () => {
  test('is a JWT for one audience with the requested scopes (RFC 9068 2)', async () => {
    const service = await running();
    const client = await registered(service);
    const { accessToken } = await client.signIn(ann, 'CHAT SEARCH');
    const person = await service.context.store.people.find(ann.email);
    expect(decodeProtectedHeader(accessToken)).toMatchObject({ typ: 'at+jwt', alg: 'ES256', kid: expect.any(String) });
    expect(decodeJwt(accessToken)).toMatchObject({
      iss: service.authorizationServerUrl,
      aud: service.audiences.api,
      sub: person?.id,
      client_id: client.client.client_id,
      scope: 'CHAT SEARCH',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  });

  test('for another resource is refused by the API (RFC 8707 2)', async () => {
    const service = await running();
    const client = await registered(service);
    const other = await client.signIn(ann, 'SEARCH', { resource: service.audiences.mcp });
    expect(decodeJwt(other.accessToken).aud).toBe(service.audiences.mcp);
    await expect(client.post(searchPath, other, { query: 'a' })).rejects.toMatchObject({ status: 401 });
  });

  test('is for this API also when the resource has a slash at the end', async () => {
    const service = await running();
    const client = await registered(service);
    const tokens = await client.signIn(ann, 'SEARCH', { resource: `${service.apiUrl}/` });
    expect(await client.post(searchPath, tokens, { query: 'a' })).toHaveProperty('results');
  });

  test('is not issued for an unknown resource', async () => {
    const client = await registered(await running());
    const { url } = await client.begin('SEARCH', { resource: 'https://elsewhere.example.com' });
    expect((await firstAnswer(url)).back?.get('error')).toBe('invalid_target');
  });
});

describe('a refresh token', () => {
  test('rotates, and the use of an old one also revokes the new one (RFC 9700 4.14.2)', async () => {
    const client = await registered(await running());
    const first = await client.signIn(ann, 'SEARCH');
    const second = await client.refresh(first);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    await expect(client.refresh(first)).rejects.toMatchObject(refused);
    await expect(client.refresh(second)).rejects.toMatchObject(refused);
  });

  test('cannot be used or revoked by another client (RFC 7009 2.1)', async () => {
    const service = await running();
    const [client, other] = [await registered(service), await registered(service)];
    const tokens = await client.signIn(ann, 'SEARCH');
    await expect(other.refresh(tokens)).rejects.toMatchObject(refused);
    await other.revoke(tokens.refreshToken).catch(() => undefined);
    expect(await client.refresh(tokens)).toHaveProperty('accessToken');
  });

  test('is refused after its client revokes it', async () => {
    const client = await registered(await running());
    const tokens = await client.signIn(ann, 'SEARCH');
    await client.revoke(tokens.refreshToken);
    await expect(client.refresh(tokens)).rejects.toMatchObject(refused);
  });
});

test('clients, tokens and revocations survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorization-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = await running({ database: `file:${join(folder, 'service.db')}` });
  const client = await registered(first);
  const kept = await client.signIn(ann, 'SEARCH');
  const other = await registered(first);
  const revoked = await other.signIn(ann, 'SEARCH');
  await other.revoke(revoked.refreshToken);
  await first.close();
  const ports = {
    port: Number(new URL(first.apiUrl).port),
    authorizationServerPort: Number(new URL(first.authorizationServerUrl).port),
  };
  const second = await running({ database: `file:${join(folder, 'service.db')}`, ...ports });
  expect(second.apiUrl).toBe(first.apiUrl);
  // The connections of the client must be those to the second service.
  for (const url of [second.apiUrl, second.authorizationServerUrl]) await vi.waitFor(() => fetch(`${url}/nothing`));
  const again = registeredClient(client.server, client.client, client.resource);
  expect(await again.post(searchPath, kept, { query: 'a' })).toHaveProperty('results');
  expect(await again.post(searchPath, await again.refresh(kept), { query: 'a' })).toHaveProperty('results');
  await expect(other.refresh(revoked)).rejects.toMatchObject(refused);
});

let service: RunningService;
beforeAll(async () => {
  service = await startService({ passwordCost: cheapPasswordCost });
});
afterAll(() => service?.close());

describe('a script on another site', () => {
  const origin = 'https://app.example.com';

  test('may register a client, as it may ask for a token (RFC 7591 3)', async () => {
    const asked = await request(`${service.authorizationServerUrl}/reg`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      },
    });
    await asked.body.dump();
    expect(asked.statusCode).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type,mcp-protocol-version',
    });
    for (const client_name of ['Notes', '']) {
      const { headers, body } = await request(`${service.authorizationServerUrl}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({
          client_name,
          redirect_uris: ['http://127.0.0.1/callback'],
          token_endpoint_auth_method: 'none',
        }),
      });
      await body.dump();
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('may read the metadata of the resource with any header (RFC 9728 3.1)', async () => {
    const { apiUrl } = service;
    const { statusCode, headers, body } = await request(`${apiUrl}/.well-known/oauth-protected-resource`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    await body.dump();
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'mcp-protocol-version',
    });
  });
});
