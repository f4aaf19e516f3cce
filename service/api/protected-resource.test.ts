import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../start.ts';
import { scopes } from '../terms/operations.ts';
import { bearer, searchPath, testApp } from '../testing/app.ts';

const api = 'https://api.example.com';
const protectedResource = { resource: api, authorizationServers: ['https://login.example.com'] };
const path = '/.well-known/oauth-protected-resource';

test('who issues tokens for this API, and which, is told to anybody (RFC 9728 3.2)', async () => {
  const { send } = await testApp({ protectedResource });
  expect(await send(path, [], undefined, 'GET')).toMatchObject({
    status: 200,
    headers: { 'content-type': expect.stringMatching(/^application\/json/), 'access-control-allow-origin': '*' },
    json: {
      resource: api,
      authorization_servers: ['https://login.example.com'],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    },
  });
});

test('every challenge says where that is (RFC 9728 5.1), and no other answer does', async () => {
  const { secret, send } = await testApp({ protectedResource });
  const challenge = async (headers: string[]) => (await send(searchPath, headers)).headers['www-authenticate'];
  const there = `resource_metadata="${api}${path}"`;
  expect(await challenge([])).toBe(`Bearer realm="client-api", ${there}`);
  expect(await challenge(bearer('made-up'))).toBe(`Bearer realm="client-api", error="invalid_token", ${there}`);
  expect(await challenge(bearer(await secret({ scopes: ['PINS'] })))).toBe(
    `Bearer realm="client-api", error="insufficient_scope", scope="SEARCH", ${there}`,
  );
  expect(await challenge(bearer(await secret({ permission: 'GLOBAL' })))).toBeUndefined();
  expect(await challenge(bearer(await secret()))).toBeUndefined();
});

test('what the running service says of itself leads to its authorization server (RFC 8414)', async () => {
  const { apiUrl, authorizationServerUrl, audiences, close } = await startService();
  onTestFinished(close);
  const refused = await request(`${apiUrl}${searchPath}`, { method: 'POST' });
  await refused.body.dump();
  const [, url = ''] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? [];
  const metadata = Object(await (await request(url)).body.json());
  expect(metadata).toMatchObject({ resource: audiences.api, authorization_servers: [authorizationServerUrl] });
  expect(url).toBe(`${metadata.resource}${path}`);
  const server = await request(`${metadata.authorization_servers[0]}/.well-known/oauth-authorization-server`);
  expect(await server.body.json()).toMatchObject({ issuer: metadata.authorization_servers[0] });
});
