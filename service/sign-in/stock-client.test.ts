import { WWWAuthenticateChallengeError } from 'oauth4webapi';
import { expect, onTestFinished, test } from 'vitest';
import { at, demoService, password } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

const searchPath = '/rest/api/v1/search';

async function startDemoService() {
  const service = await demoService();
  onTestFinished(service.close);
  return service;
}
const priya = { email: at('priya'), password };

test('a stock client registers itself, signs a person in, searches as them, refreshes and revokes its tokens', async () => {
  const { apiUrl } = await startDemoService();
  const client = await stockClient(apiUrl);
  const tokens = await client.signIn(priya, 'SEARCH');
  expect(tokens.scope).toBe('SEARCH');
  expect(await client.post(searchPath, tokens, { query: 'travel' })).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ title: 'Travel policy' })]),
    trackingToken: expect.any(String),
    requestId: expect.any(String),
  });

  const renewed = await client.refresh(tokens);
  expect(renewed.accessToken).not.toBe(tokens.accessToken);
  expect(await client.post(searchPath, renewed, { query: 'travel' })).toHaveProperty('results');
  await client.revoke(renewed.refreshToken);
  await expect(client.refresh(renewed)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('a stock client with a client secret signs a person in and searches as them', async () => {
  const { apiUrl } = await startDemoService();
  const client = await stockClient(apiUrl, {
    application_type: 'web',
    token_endpoint_auth_method: 'client_secret_basic',
  });
  expect(client.client.client_secret).toEqual(expect.any(String));
  expect(await client.post(searchPath, await client.signIn(priya, 'SEARCH CHAT'), { query: 'cake' })).toMatchObject({
    results: [expect.objectContaining({ title: 'First week at Alder & Finch' })],
  });
});

test('a call without the scope gets a challenge with the scope and the address of the metadata', async () => {
  const { apiUrl } = await startDemoService();
  const client = await stockClient(apiUrl);
  const refused = client.post('/rest/api/v1/chat', await client.signIn(priya, 'SEARCH'), { query: 'travel' });
  const error = await refused.catch((thrown: unknown) => thrown);
  if (!(error instanceof WWWAuthenticateChallengeError)) throw error;
  expect(error.status).toBe(403);
  expect(error.cause).toMatchObject([
    {
      scheme: 'bearer',
      parameters: {
        error: 'insufficient_scope',
        scope: 'CHAT',
        resource_metadata: `${apiUrl}/.well-known/oauth-protected-resource`,
      },
    },
  ]);
});
