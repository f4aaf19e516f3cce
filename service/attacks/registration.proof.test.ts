import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { authorizationRequest, register, send, toPage } from '../testing/attacker.ts';
import { client } from '../testing/client.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ passwordCost: cheapPasswordCost, registrationBurst: 1000 });
});
afterAll(() => service?.close());

const statusOf = async (metadata: object) => (await register(service, metadata)).status;

describe('a client cannot have a name that deceives people (ASVS 5.1, RFC 6819 5.2.3.5)', () => {
  test.each([
    ['a digit for a letter of our own', 'the Admin Conso1e'],
    ['zeros for the letters o of our own', 'Admin C0ns0le'],
    ['a capital I for an l of our own', 'ADMlN CONSOLE'],
    ['a capital I in that of this service', 'CIient API'],
    ['a dotless i in that of this service', 'Cl\u0131ent API'],
    ['a bar for an l in that of this service', 'C|ient API'],
    ['a Latin alpha in our own', '\u0251dmin console'],
    ['a blank that is no space', 'Notes\u2800\u2800\u2800(verified)'],
    ['a musical blank', '\u{1D159}Notes'],
    ['letters that run over the lines around them', `N${'\u0336'.repeat(60)}otes`],
    ['many spaces', `Notes${' '.repeat(60)}verified`],
    ['spaces at its start', '   Notes'],
    ['other spaces', 'Notes\u2003\u2003verified'],
    ['half an emoji', 'Notes \ud83d'],
  ])('such as one with %s', async (_what, client_name) => {
    expect(await statusOf({ client_name })).toBe(400);
  });

  test.each(['Café Ångström', 'Zürich notes', 'देवनागरी', 'Tiếng Việt', 'ノート 2', 'Client of Ann', 'Notes 📝'])(
    '%s deceives nobody',
    async (client_name) => expect(await statusOf({ client_name })).toBe(201),
  );

  test('and markup in it is text on every page', async () => {
    const { json } = await register(service, { client_name: '"><script>alert(1)</script><b x=\'' });
    const { url } = authorizationRequest(service, {
      client_id: String(json['client_id']),
      redirect_uri: 'http://127.0.0.1/callback',
    });
    const page = await toPage(client({ apiUrl: service.authorizationServerUrl }), url.href);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('&#60;script&#62;');
  });
});

describe('a redirect URI (RFC 9700 4.1, RFC 8252 7, 8.4)', () => {
  test.each([
    'googlechrome://attacker.example/cb',
    'googlechromes://attacker.example/cb',
    'firefox://open-url?url=https://attacker.example',
    'microsoft-edge://attacker.example/cb',
    'microsoft-edge-https://attacker.example/cb',
    'opera-https://attacker.example/cb',
    'brave://open-url',
    'x-safari-https://attacker.example/cb',
    'touch-https://attacker.example/cb',
    'itms-services://attacker.example/install',
    'itms-apps://attacker.example/x',
    'market://details',
    'android-app://com.example/x',
    'content://com.example/x',
    'x-apple.systempreferences:com.apple.preference',
    'webcal://attacker.example/calendar',
    'gopher://attacker.example/x',
    'git://attacker.example/x',
    'svn+ssh://attacker.example/x',
    'dav://attacker.example/x',
    'nfs://attacker.example/x',
    'afp://attacker.example/x',
    'news://attacker.example/x',
    'ws+unix://x/y',
  ])('that opens a browser, a shop or a network share is refused: %s', async (uri) => {
    expect(await statusOf({ redirect_uris: [uri] })).toBe(400);
  });

  test.each([
    'https:attacker.example/cb',
    'https:/attacker.example/cb',
    'https:///attacker.example/cb',
    'https://attacker.example\\@good.example/cb',
    'http:\\\\127.0.0.1\\cb',
    'https://@attacker.example/cb',
    'https://:@attacker.example/cb',
    'https://attacker.example/"onmouseover=x',
    'https://attacker.example/<b>',
    'https://good.example%2f@attacker.example/',
    'https://good.example%00.attacker.example/',
    'https://attacker.example:99999/cb',
    'https://',
    '//attacker.example/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[::]/cb',
    'http://127.0.0.2/cb',
    'http://localhost./cb',
    'http://localhost%2eattacker.example/cb',
  ])('that one parser reads in another way than the next is refused: %s', async (uri) => {
    expect(await statusOf({ redirect_uris: [uri] })).toBe(400);
  });

  test.each([
    [{}],
    ['https://a.example/cb'],
    [[['https://a.example/cb']]],
    [[{ toString: 'x' }]],
    [[null]],
    [[]],
    [null],
  ])('that is no text is refused: %j', async (redirect_uris) => expect(await statusOf({ redirect_uris })).toBe(400));
});

describe('a registration cannot get more than a client may have (RFC 7591 5)', () => {
  test.each([
    ['the id of the console', { client_id: 'admin-console' }, 'client_id', 'admin-console'],
    [
      'a secret of its choice',
      { client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' },
      'client_secret',
      'x',
    ],
    [
      'a grant type without a person',
      { grant_types: ['client_credentials', 'authorization_code'] },
      'grant_types',
      ['client_credentials', 'authorization_code'],
    ],
    ['the implicit flow', { response_types: ['code', 'token'] }, 'response_types', ['code', 'token']],
    ['unsigned ID tokens', { id_token_signed_response_alg: 'none' }, 'id_token_signed_response_alg', 'none'],
    [
      'ID tokens signed with its secret',
      { id_token_signed_response_alg: 'HS256' },
      'id_token_signed_response_alg',
      'HS256',
    ],
    ['a time of registration', { client_id_issued_at: 1 }, 'client_id_issued_at', 1],
    ['pairwise subjects', { subject_type: 'pairwise' }, 'subject_type', 'pairwise'],
    [
      'authentication by a key',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'token_endpoint_auth_method',
      'private_key_jwt',
    ],
    [
      'a certificate',
      { token_endpoint_auth_method: 'self_signed_tls_client_auth' },
      'token_endpoint_auth_method',
      'self_signed_tls_client_auth',
    ],
    ['requests without PKCE', { require_pkce: false }, 'require_pkce', false],
  ])('such as %s', async (_what, metadata, name, wanted) => {
    const { status, json } = await register(service, metadata);
    expect([201, 400]).toContain(status);
    expect(json[name]).not.toEqual(wanted);
  });

  test.each([
    'post_logout_redirect_uris',
    'backchannel_logout_uri',
    'request_uris',
    'jwks_uri',
    'sector_identifier_uri',
    'logo_uri',
    'policy_uri',
    'tos_uri',
    'client_uri',
    'initiate_login_uri',
    'software_statement',
  ])('such as a server that fetches or shows %s (SSRF, ASVS 12.6)', async (name) => {
    const value = name.endsWith('uris') ? ['https://127.0.0.1:1/x'] : 'https://127.0.0.1:1/x';
    const { status, json } = await register(service, { [name]: value });
    expect(status === 400 || !(name in json)).toBe(true);
  });

  test.each([
    '{"__proto__":{"scope":"MCP"},"redirect_uris":["https://a.example/cb"]}',
    '{"constructor":{"prototype":{"isAdmin":true}},"redirect_uris":["https://a.example/cb"]}',
  ])('such as properties of every object (prototype pollution, ASVS 5.1.2): %s', async (body) => {
    await send(`${service.authorizationServerUrl}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object({})).not.toHaveProperty('isAdmin');
  });

  test.each([
    [
      'a megabyte',
      'application/json',
      JSON.stringify({ redirect_uris: ['https://a.example/cb'], x: 'x'.repeat(1 << 20) }),
    ],
    ['a hundred thousand brackets', 'application/json', '['.repeat(50_000)],
    ['a form', 'application/x-www-form-urlencoded', 'redirect_uris=https://a.example/cb'],
    ['no type', '', '{"redirect_uris":["https://a.example/cb"]}'],
  ])('and %s is refused without a failure of the server', async (_what, type, body) => {
    const { status } = await send(`${service.authorizationServerUrl}/reg`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect([400, 413, 415]).toContain(status);
  });
});
