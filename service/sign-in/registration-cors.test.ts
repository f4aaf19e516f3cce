import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';

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
