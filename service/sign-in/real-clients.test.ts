import { createServer } from 'node:http';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, test } from 'vitest';
import { scopes } from '../terms/operations.ts';
import { at, demoServiceForTest, password } from '../testing/client.ts';
import { inMemoryClient } from '../testing/mcp-authorization.ts';
import { browse, redirectUri, stockClient } from '../testing/stock-client.ts';

// Clients as their documentation shows them. They know the address of the API, or of the authorization server, and no more.

const priya = { email: at('priya'), password };
const searchPath = '/rest/api/v1/search';

async function search(apiUrl: string, token: string): Promise<number> {
  const { status } = await fetch(apiUrl + searchPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"travel"}',
  });
  return status;
}

describe('oauth4webapi', () => {
  test.each([
    ['public', 'none'],
    ['confidential', 'client_secret_basic'],
    ['confidential, with its secret in the body', 'client_secret_post'],
  ])('discovers, registers a %s client with a scope, signs in, refreshes and revokes', async (_what, method) => {
    const { apiUrl } = await demoServiceForTest();
    const client = await stockClient(
      apiUrl,
      { scope: 'SEARCH', token_endpoint_auth_method: method },
      method === 'client_secret_post' ? oauth.ClientSecretPost : undefined,
    );
    const tokens = await client.signIn(priya, 'SEARCH');
    expect(await search(apiUrl, tokens.accessToken)).toBe(200);
    const renewed = await client.refresh(tokens);
    expect(await search(apiUrl, renewed.accessToken)).toBe(200);
    await client.revoke(renewed.refreshToken);
    expect(await search(apiUrl, renewed.accessToken)).toBe(401);
    await expect(client.refresh(renewed)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('openid-client', () => {
  test('discovers, registers with a scope, signs in with PKCE, refreshes and revokes', async () => {
    const { apiUrl, authorizationServerUrl } = await demoServiceForTest();
    const metadata = { redirect_uris: [redirectUri], client_name: 'An openid client', scope: 'openid SEARCH MCP' };
    const config = await openid.dynamicClientRegistration(
      new URL(authorizationServerUrl),
      { ...metadata, token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
      openid.None(),
      { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' },
    );
    expect(config.clientMetadata()['scope']).toBe('openid SEARCH MCP');
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid SEARCH',
      resource: apiUrl,
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const tokens = await openid.authorizationCodeGrant(config, await browse(url, priya), checks);
    expect(tokens.claims()).toMatchObject({ iss: authorizationServerUrl, sub: expect.any(String) });
    // Only our own client learns the session.
    expect(tokens.claims()).not.toHaveProperty('sid');
    expect(await search(apiUrl, tokens.access_token)).toBe(200);
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await search(apiUrl, renewed.access_token)).toBe(200);
    await openid.tokenRevocation(config, renewed.refresh_token ?? '');
    expect(await search(apiUrl, renewed.access_token)).toBe(401);
  });
});

describe("the MCP SDK's auth()", () => {
  test.each([
    ['a scope', {}, 'MCP SEARCH'],
    ['all scopes that the API names', {}, undefined],
    ['a client secret', { token_endpoint_auth_method: 'client_secret_post' }, 'MCP SEARCH'],
  ])('discovers, registers, signs in with PKCE and refreshes with %s', async (_what, metadata, scope) => {
    const { apiUrl: serverUrl } = await demoServiceForTest();
    const { kept, provider } = inMemoryClient(metadata);
    const options = { serverUrl, ...(scope !== undefined && { scope }) };
    expect(await auth(provider, options)).toBe('REDIRECT');
    // The SDK registers the scope that it asks for.
    expect(kept.information).toMatchObject({ scope: scope ?? scopes.join(' ') });
    if (!kept.sentTo) throw new Error('The person was sent nowhere.');
    const back = await browse(kept.sentTo, priya);
    const authorizationCode = back.searchParams.get('code') ?? '';
    expect(await auth(provider, { ...options, authorizationCode })).toBe('AUTHORIZED');
    const first = kept.tokens;
    expect(first?.scope?.split(' ').sort()).toEqual((scope ?? scopes.join(' ')).split(' ').sort());
    expect(await search(serverUrl, first?.access_token ?? '')).toBe(200);
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect(kept.tokens?.access_token).not.toBe(first?.access_token);
    expect(await search(serverUrl, kept.tokens?.access_token ?? '')).toBe(200);
  });
});

test('a program that listens on any port of this device gets its code there (RFC 8252 7.3)', async () => {
  const { apiUrl } = await demoServiceForTest();
  const client = await stockClient(apiUrl, { redirect_uris: ['http://127.0.0.1/callback'] });
  const listener = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await new Promise((done) => listener.once('listening', done));
  const address = listener.address();
  const redirect_uri = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/callback`;
  const { url } = await client.begin('SEARCH', { redirect_uri });
  const back = await browse(url, priya, 'allow', redirect_uri);
  expect(back.searchParams.get('code')).toEqual(expect.any(String));
  listener.close();
});
