import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../start.ts';
import { scopes } from '../terms/operations.ts';
import { bearer, searchPath, testApp } from '../testing/app.ts';

const api = 'https://api.example.com';
const protectedResource = {
  resource: api,
  name: 'Client API',
  authorizationServers: ['https://login.example.com'],
  scopes,
};
const path = '/.well-known/oauth-protected-resource';

test('the metadata of the API names its authorization server and scopes, and needs no token (RFC 9728 3.2)', async () => {
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

test('every challenge has the address of the metadata, and no other answer does (RFC 9728 5.1)', async () => {
  const { secret, send } = await testApp({ protectedResource });
  const challenge = async (headers: string[]) => (await send(searchPath, headers)).headers['www-authenticate'];
  const metadata = `resource_metadata="${api}${path}"`;
  expect(await challenge([])).toBe(`Bearer realm="client-api", ${metadata}`);
  expect(await challenge(bearer('unknown-token'))).toBe(
    `Bearer realm="client-api", error="invalid_token", ${metadata}`,
  );
  expect(await challenge(bearer(await secret({ scopes: ['PINS'] })))).toBe(
    `Bearer realm="client-api", error="insufficient_scope", scope="SEARCH", ${metadata}`,
  );
  expect(await challenge(bearer(await secret({ permission: 'GLOBAL' })))).toBeUndefined();
  expect(await challenge(bearer(await secret()))).toBeUndefined();
});

test('a challenge of the running service leads to its authorization server (RFC 9728 5.1, RFC 8414 3)', async () => {
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
