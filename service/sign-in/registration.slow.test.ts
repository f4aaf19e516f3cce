import { createServer } from 'node:net';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunningService, type ServiceConfig, startService } from '../start.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';

async function running(config: ServiceConfig = {}): Promise<RunningService> {
  const service = await startService({ passwordCost: cheapPasswordCost, ...config });
  onTestFinished(service.close);
  return service;
}

const native = {
  client_name: 'Notes',
  redirect_uris: ['http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
};

async function register({ authorizationServerUrl }: RunningService, metadata: object, headers = {}) {
  const answer = await request(`${authorizationServerUrl}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(metadata),
  });
  const text = await answer.body.text();
  const json: Record<string, unknown> = /json/.test(String(answer.headers['content-type'])) ? JSON.parse(text) : {};
  return { status: answer.statusCode, headers: answer.headers, json };
}

const statusOf = async (metadata: object) => (await register(await running(), { ...native, ...metadata })).status;

describe('a registration', () => {
  test.each(['sector_identifier_uri', 'jwks_uri'])('with %s is refused, and nothing is fetched', async (field) => {
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await new Promise((done) => listener.once('listening', done));
    onTestFinished(() => void listener.close());
    const address = listener.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { status, json } = await register(await running(), { ...native, [field]: `https://127.0.0.1:${port}/x` });
    expect({ status, error: json['error'], connections }).toEqual({
      status: 400,
      error: 'invalid_client_metadata',
      connections: 0,
    });
  });

  test.each([
    ['a list of scopes', { scope: 'MCP SEARCH' }, { scope: 'MCP SEARCH' }],
    [
      'scopes of which we know some',
      { scope: 'SEARCH read:everything offline_access' },
      { scope: 'SEARCH offline_access' },
    ],
    [
      'grant types of which we know some',
      { grant_types: ['authorization_code', 'refresh_token', 'implicit'] },
      { grant_types: ['authorization_code', 'refresh_token'] },
    ],
    ['a loopback redirect URI and no application type', {}, { application_type: 'native' }],
    [
      'a loopback redirect URI and the application type web',
      { application_type: 'web' },
      { application_type: 'native' },
    ],
    ['IPv6 loopback', { redirect_uris: ['http://[::1]:8765/cb'] }, { application_type: 'native' }],
    ['localhost', { redirect_uris: ['http://localhost:3118/callback'] }, { application_type: 'native' }],
    ['a private scheme', { redirect_uris: ['com.example.notes:/callback'] }, { application_type: 'native' }],
    [
      'a private scheme without a period',
      { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] },
      { application_type: 'native' },
    ],
    ['an https redirect URI', { redirect_uris: ['https://app.example.com/cb'] }, { application_type: 'web' }],
    [
      'https and loopback redirect URIs',
      { redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'] },
      { application_type: 'native' },
    ],
    ['a name in another script', { client_name: 'Заметки 2' }, { client_name: 'Заметки 2' }],
  ])('with %s is accepted', async (_what, changes, kept) => {
    const { status, json } = await register(await running(), { ...native, ...changes });
    expect({ status, json }).toMatchObject({ status: 201, json: kept });
  });

  test('keeps nothing that this server does not use', async () => {
    const links = Object.fromEntries(
      ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'initiate_login_uri'].map((name) => [
        name,
        'https://evil.example/x',
      ]),
    );
    const more = { ...links, contacts: ['a@example.com'], jwks: { keys: [] }, software_id: 'x'.repeat(5000) };
    const { status, json } = await register(await running(), { ...native, ...more });
    expect(status).toBe(201);
    expect(Object.keys(json).filter((name) => name in more)).toEqual([]);
    // A token to manage the registration (RFC 7592) would be another secret that nobody uses.
    expect(json).not.toHaveProperty('registration_access_token');
  });

  test.each([
    'http://attacker.example/cb',
    'http://127.0.0.1.attacker.example/cb',
    'http://localhost.attacker.example/cb',
    'http://10.0.0.1/cb',
    'http://0.0.0.0/cb',
    'https://good.example@attacker.example/cb',
    'https://app.example.com/cb#fragment',
    'https://app.example.com/c b',
    'https://аpp.example.com/cb',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://attacker.example/cb',
    'ws://attacker.example/cb',
    'intent://scan/#Intent;end',
    'mailto:x@attacker.example',
    'ms-settings:privacy',
    'chrome://settings',
    'view-source:https://app.example.com/cb',
    `https://app.example.com/${'x'.repeat(2000)}`,
    'callback',
  ])('with the redirect URI %s is refused (RFC 9700 2.6, RFC 8252 7)', async (uri) => {
    expect(await statusOf({ redirect_uris: [uri] })).toBe(400);
    expect(await statusOf({ application_type: 'native', redirect_uris: ['https://app.example.com/cb', uri] })).toBe(
      400,
    );
  });

  test('with many redirect URIs is refused', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `https://app.example.com/${index}`);
    expect(await statusOf({ redirect_uris: many })).toBe(400);
  });

  test.each([
    ['54 kB', 'x'.repeat(54_000)],
    ['101 characters', 'x'.repeat(101)],
    ['a right-to-left override', 'Notes \u202Eelosnoc'],
    ['a line feed', 'Notes\nYour session has expired'],
    ['a zero-width space', 'No\u200Btes'],
    ['a line separator', 'Notes\u2028more'],
    ['a soft hyphen', 'No\u00ADtes'],
    ['an invisible letter', '\u3164'],
    ['a tag character', 'Notes\u{E0041}'],
    ['nothing visible', '   '],
    ['no letters', '!!!'],
    ['our own', 'the admin console'],
    ['our own in capitals', 'THE ADMIN CONSOLE'],
    ['our own within another', 'Official Admin-Console (secure)'],
    ['our own with full-width letters', 'Ａｄｍｉｎ Ｃｏｎｓｏｌｅ'],
    ['our own with accents', 'Ádmin Cónsole'],
    ['that of this service', 'Client API'],
    ['that of its console', 'Client API console'],
    ['our own with a Cyrillic letter', 'the \u0430dmin console'],
    ['letters of two scripts in one word', 'P\u0430ypal'],
    ['not a text', { en: 'x' }],
  ])('with a name of %s is refused', async (_what, client_name) => {
    expect(await statusOf({ client_name })).toBe(400);
  });

  test('is limited in number, and says when to try again', async () => {
    const service = await running();
    const answers = [];
    for (let count = 0; count < 61; count += 1) answers.push(await register(service, native));
    expect(answers.slice(0, 60).map(({ status }) => status)).toEqual(Array(60).fill(201));
    expect(answers.at(-1)).toMatchObject({ status: 429, json: { error: 'temporarily_unavailable' } });
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('is in the audit trail', async () => {
    const service = await running();
    const { store } = service.context;
    const boss = await store.people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
    await register(service, native);
    expect((await store.auditTrail.read(boss, 1)).events).toMatchObject([
      { action: 'client registered', actor: null, detail: expect.stringContaining('Notes') },
    ]);
  });
});

describe('a client of an older release', () => {
  test.each([
    ['http off loopback', { redirect_uris: ['http://attacker.example/cb'] }],
    ['a name of ours', { client_name: 'the admin console' }],
    ['an address that the server would fetch', { sector_identifier_uri: 'https://127.0.0.1/' }],
  ])('that registered with %s is not served any more', async (_what, changes) => {
    const service = await running();
    const metadata = {
      redirect_uris: ['https://app.example.com/cb'],
      token_endpoint_auth_method: 'none' as const,
      ...changes,
    };
    await service.context.store.authorization.adapter('Client')?.upsert('old', { client_id: 'old', ...metadata });
    const query = new URLSearchParams({
      client_id: 'old',
      response_type: 'code',
      redirect_uri: metadata.redirect_uris[0] ?? '',
      scope: 'SEARCH',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const { statusCode, headers, body } = await request(`${service.authorizationServerUrl}/auth?${query}`);
    await body.dump();
    expect({ statusCode, location: headers.location }).toEqual({ statusCode: 400, location: undefined });
  });
});
