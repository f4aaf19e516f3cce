import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { attackedService, authorizationRequest, evilUri, postForm, register, send } from '../testing/attacker.ts';
import { at, password } from '../testing/client.ts';
import type { StockClient } from '../testing/stock-client.ts';

let service: RunningService;
let victim: StockClient;
let evil: string;
const priya = { email: at('priya'), password };
const searchPath = '/rest/api/v1/search';

beforeAll(async () => {
  ({ service, victim, evil } = await attackedService());
});
afterAll(() => service?.close());

describe('an attacker who is not the client', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['no secret', { client_id: 'admin-console' }, {}],
    ['an empty secret', { client_id: 'admin-console', client_secret: '' }, {}],
    ['a guessed secret', { client_id: 'admin-console', client_secret: 'undefined' }, {}],
    ['an empty Basic secret', {}, { authorization: `Basic ${Buffer.from('admin-console:').toString('base64')}` }],
    [
      'a Basic header without a colon',
      {},
      { authorization: `Basic ${Buffer.from('admin-console').toString('base64')}` },
    ],
    [
      'an assertion',
      {
        client_id: 'admin-console',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'e30.e30.',
      },
      {},
    ],
  ])('does not become the console with %s (RFC 6749 2.3)', async (_how, fields, headers) => {
    const all = {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: `${service.apiUrl}/admin/signed-in`,
      ...fields,
    };
    const { status } = await postForm(service, '/token', all, headers);
    expect([400, 401]).toContain(status);
  });

  test('cannot use a confidential client by leaving its secret out (RFC 9700 2.5)', async () => {
    const { json } = await register(service, { token_endpoint_auth_method: 'client_secret_post' });
    const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: String(json['client_id']) };
    expect((await postForm(service, '/token', fields)).json).toMatchObject({ error: 'invalid_client' });
    const hash = createHash('sha256').update(String(json['client_secret'])).digest('base64url');
    for (const client_secret of [`sha256:${hash}`, hash])
      expect((await postForm(service, '/token', { ...fields, client_secret })).json).toMatchObject({
        error: 'invalid_client',
      });
  });

  test('cannot ask for scopes of the API as the console, nor send its code elsewhere', async () => {
    const own = {
      client_id: 'admin-console',
      redirect_uri: `${service.apiUrl}/admin/signed-in`,
      scope: 'openid SEARCH',
    };
    expect(String((await send(authorizationRequest(service, own).url.href)).headers['location'])).toContain(
      'error=invalid_scope',
    );
    const elsewhere = authorizationRequest(service, { ...own, scope: 'openid', redirect_uri: evilUri });
    expect(await send(elsewhere.url.href)).toMatchObject({ status: 400 });
  });

  test.each(['access_token', 'refresh_token'])(
    'cannot learn about or end a token that is not theirs (%s; RFC 7009 2.1)',
    async (kind) => {
      const tokens = await victim.signIn(priya, 'SEARCH');
      const token = kind === 'access_token' ? tokens.accessToken : tokens.refreshToken;
      const theirs = await postForm(service, '/token/revocation', { token, client_id: evil });
      const unknown = await postForm(service, '/token/revocation', { token: 'unknown', client_id: evil });
      expect(theirs.text).not.toMatch(/SEARCH|priya/);
      expect(unknown.status).toBeLessThan(500);
      expect(await victim.post(searchPath, tokens, { query: 'a' })).toHaveProperty('results');
      expect(await victim.refresh(tokens)).toHaveProperty('accessToken');
    },
  );
});

describe('an endpoint that should not be there', () => {
  test.each([
    '/me',
    '/token/introspection',
    '/request',
    '/device',
    '/device/auth',
    '/session/end',
    '/backchannel',
    '/challenge',
    '/debug',
    '/reg/x/rotate',
  ])('%s gives nothing away', async (path) => {
    for (const method of ['GET', 'POST'] as const) {
      const { status } = await send(service.authorizationServerUrl + path, { method });
      expect([400, 401, 404, 405]).toContain(status);
    }
  });

  test.each(['GET', 'PUT', 'DELETE'] as const)(
    '%s of a registration is refused without a token that was never issued (RFC 7592)',
    async (method) => {
      const { status } = await send(`${service.authorizationServerUrl}/reg/${evil}`, {
        method,
        headers: { authorization: 'Bearer x' },
      });
      expect([401, 404]).toContain(status);
    },
  );
});
