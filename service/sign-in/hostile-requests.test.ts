import fc from 'fast-check';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ passwordCost: cheapPasswordCost, registrationBurst: 1_000_000 });
});
afterAll(() => service?.close());

const runs = 300;
const uri = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'http://127.0.0.1/cb',
    'https://app.example.com/cb',
    'javascript:alert(1)',
    'com.example.app:/cb',
    '//x',
  ),
  fc.string({ unit: 'binary' }),
);
const anything = fc.jsonValue();
const metadata = fc.record(
  {
    client_name: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 120 }), anything),
    redirect_uris: fc.oneof(fc.array(uri, { maxLength: 4 }), anything),
    scope: fc.oneof(fc.constantFrom('SEARCH', 'openid MCP', 'x', '', ' '), anything),
    application_type: fc.oneof(fc.constantFrom('web', 'native'), anything),
    grant_types: fc.oneof(fc.subarray(['authorization_code', 'refresh_token', 'implicit', 'x']), anything),
    response_types: fc.oneof(fc.subarray(['code', 'token']), anything),
    token_endpoint_auth_method: fc.oneof(fc.constantFrom('none', 'client_secret_basic', 'private_key_jwt'), anything),
    client_id: anything,
    client_secret: anything,
    jwks: anything,
    default_max_age: anything,
    contacts: anything,
    __proto__: anything,
  },
  { requiredKeys: [] },
);

test('no registration makes the server fail, and whatever is registered keeps to the rules', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(metadata, anything), async (body) => {
      const { statusCode, body: answer } = await request(`${service.authorizationServerUrl}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const registered = Object(await answer.json());
      expect([201, 400]).toContain(statusCode);
      if (statusCode === 400) return;
      for (const registeredUri of registered.redirect_uris)
        expect(registeredUri).toMatch(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]|com\.example\.app:)/);
      expect(registered.client_name ?? '').not.toMatch(/\p{C}/u);
      expect(registered.client_id).not.toBe(Object(body).client_id);
      expect(registered).not.toHaveProperty('jwks');
    }),
    { numRuns: runs },
  );
});

test.each([
  '/auth',
  '/token',
  '/token/revocation',
  '/jwks',
  '/reg',
  '/interaction/x',
  '/session/end',
  '/session/end/confirm',
])('no request to %s makes the server fail', async (path) => {
  const parameters = fc.dictionary(
    fc.constantFrom(
      'client_id',
      'redirect_uri',
      'scope',
      'response_type',
      'response_mode',
      'state',
      'resource',
      'prompt',
      'max_age',
      'code_challenge',
      'claims',
      'request',
      'request_uri',
      'grant_type',
      'code',
      'token',
      'xsrf',
    ),
    fc.oneof(
      fc.constantFrom('admin-console', 'code', 'form_post', 'S256', 'none', 'login', 'refresh_token', '{}'),
      fc.string({ unit: 'binary', maxLength: 40 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'), parameters, async (method, given) => {
      const query = String(new URLSearchParams(given));
      const isForm = method === 'POST';
      const { statusCode, headers, body } = await request(
        `${service.authorizationServerUrl}${path}${isForm ? '' : `?${query}`}`,
        {
          method,
          ...(isForm && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: query }),
        },
      );
      await body.dump();
      expect(statusCode).toBeLessThan(500);
      // Nobody is sent anywhere but to a sign-in page, or back to our own console with an error: in the fragment, if the response
      // type names a token (OAuth 2.0 Multiple Response Type Encoding Practices 5).
      const location = String(headers.location ?? '');
      expect(location).toMatch(new RegExp(`^$|^/interaction/|^${service.apiUrl}/admin/signed-in[?#]error=`));
    }),
    { numRuns: 60 },
  );
});
