import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { type RunningService, startService } from '../start.ts';
import { demoCompany } from '../store/demo-company.ts';
import { cheapPasswordCost } from '../store/password-hash.ts';
import { postForm, register, send, submit } from '../testing/attacker.ts';
import { at, type Client, client, password, personNamed, signedIn } from '../testing/client.ts';

let service: RunningService;
let grace: Client;
let mei: Client;
let token: string;
const lines: string[] = [];

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).split('\n').filter(Boolean));
      done();
    },
  });
  service = await startService({ passwordCost: cheapPasswordCost, log: createLog('debug', destination) });
  const { store } = service.context;
  await store.seed(demoCompany);
  for (const name of ['grace', 'mei', 'priya']) await store.people.setPassword(at(name), password);
  grace = await signedIn(service, 'grace');
  mei = await signedIn(service, 'mei');
  const issued = await store.serviceTokens.issue(await personNamed(service, 'mei'), {
    description: 'attack',
    permission: 'USER',
    scopes: ['SEARCH', 'CHAT'],
    userEmail: at('mei'),
  });
  if (!issued.ok) throw new Error('There is no token.');
  token = issued.secret;
});
afterAll(() => service?.close());

const call = (operation: 'search' | 'chat', body: unknown, headers: Record<string, string> = {}) =>
  send(`${service.apiUrl}/rest/api/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const payloads = [
  "' OR '1'='1",
  "'; DROP TABLE people; --",
  '" OR 1=1 --',
  'title:travel',
  'NEAR(a b, 1)',
  'travel*',
  '"travel',
  '-travel ^a {x}: (((',
  'a AND NOT b OR',
  '\u0000travel',
  '\ud800',
  '%_\\',
  '{{7*7}}<%= 7*7 %>',
  '../../etc/passwd',
  '$(id)`id`',
];

/** Half a surrogate pair cannot be in an address. */
const inAddresses = payloads.filter((text) => text !== '\ud800');

describe('SQL and search syntax (ASVS 5.3.4)', () => {
  test.each(payloads)('in a query is words: %j', async (query) => {
    expect((await call('search', { query })).status).toBe(200);
    expect((await call('chat', { query })).status).toBe(200);
  });

  test.each(payloads)('in a conversation id names no conversation: %j', async (conversationId) => {
    expect((await call('chat', { query: 'a', conversationId })).status).toBe(404);
  });

  test.each(inAddresses)('in the console finds no more than words do: %j', async (words) => {
    const { status, text } = await mei.once(`/admin?${new URLSearchParams({ words, state: words, page: words })}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/SQLITE|near "/);
  });

  test('in an id of the console finds nothing', async () => {
    for (const id of inAddresses)
      for (const path of ['tokens', 'people', 'applications']) {
        const { status } = await grace.once(
          `/admin/${path}/${encodeURIComponent(id)}${path === 'tokens' ? '' : '/remove'}`,
        );
        expect([400, 403, 404]).toContain(status);
      }
  });

  test('in an email signs nobody in', async () => {
    for (const email of ["' OR 1=1 --", `${at('grace')}' --`, `${at('grace')}\u0000`, `%@alder-finch.example`]) {
      const browser = client(service);
      expect((await submit(browser, await browser.get('/admin'), { email, password })).status).toBe(401);
    }
  });
});

describe('JSON (ASVS 5.1.2, 13.2)', () => {
  test.each([
    '{"query":"a","__proto__":{"isAdmin":true}}',
    '{"query":"a","constructor":{"prototype":{"isAdmin":true}}}',
    '['.repeat(100_000),
    `{"query":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    '{"query":"a","query":5}',
    '{"query":{"$ne":""}}',
    '{"query":["a"]}',
    '{"query":"a","pageSize":"5"}',
    '{"query":"a"}garbage',
    "{'query':'a'}",
    '',
  ])('that is not a request changes nothing and is refused (%#)', async (body) => {
    for (const operation of ['search', 'chat'] as const)
      expect((await call(operation, body)).status).toBe(operation === 'chat' && body.includes('pageSize') ? 200 : 400);
    expect(Object({})).not.toHaveProperty('isAdmin');
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'application/jsonp',
  ])('under another name is not read: %s', async (type) =>
    expect((await call('search', { query: 'a' }, { 'content-type': type })).status).toBe(415),
  );

  test('in a compressed body is not unpacked (ASVS 12.1.2)', async () => {
    expect((await call('search', '{"query":"a"}'.repeat(9), { 'content-encoding': 'gzip' })).status).toBe(400);
  });
});

describe('headers (ASVS 5.3, 14.5)', () => {
  test.each([
    'host',
    'x-forwarded-host',
    'forwarded',
    'x-original-url',
    'x-rewrite-url',
    'x-forwarded-prefix',
    'x-forwarded-proto',
    'origin',
    'referer',
  ])('a made-up %s changes no address in an answer', async (name) => {
    for (const [url, path] of [
      [service.apiUrl, '/admin'],
      [service.apiUrl, '/admin/sign-in'],
      [service.apiUrl, '/.well-known/oauth-protected-resource'],
      [service.authorizationServerUrl, '/.well-known/oauth-authorization-server'],
      [service.authorizationServerUrl, '/auth?client_id=x'],
    ] as const) {
      const { text, headers } = await send(url + path, { headers: { [name]: 'evil.example' } });
      const { 'access-control-allow-origin': _origin, ...others } = headers;
      expect(text + JSON.stringify(others)).not.toContain('evil.example');
    }
    const refused = await send(`${service.apiUrl}/rest/api/v1/search`, {
      method: 'POST',
      headers: { [name]: 'evil.example' },
    });
    expect(String(refused.headers['www-authenticate'])).toContain(service.apiUrl);
  });

  test('a line feed in an address ends in no header of the answer (response splitting)', async () => {
    for (const path of ['/admin/sign-in?goal=/admin/%0d%0aset-cookie:%20x=1', '/admin/%0d%0aset-cookie:%20x=1']) {
      const { headers } = await send(service.apiUrl + path);
      expect(JSON.stringify(headers)).not.toMatch(/"x=1|\\n/);
    }
  });

  test('a page of another origin gets no permission to read answers with cookies (ASVS 14.5.3)', async () => {
    for (const url of [
      `${service.apiUrl}/admin`,
      `${service.apiUrl}/rest/api/v1/search`,
      `${service.authorizationServerUrl}/token`,
      `${service.authorizationServerUrl}/auth`,
      `${service.authorizationServerUrl}/interaction/x`,
    ])
      for (const origin of ['https://evil.example', 'null', service.apiUrl])
        for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
          const { headers } = await send(url, { method, headers: { origin, 'access-control-request-method': 'POST' } });
          expect(headers).not.toHaveProperty('access-control-allow-credentials');
        }
  });
});

describe('the log (ASVS 7.1, 7.3)', () => {
  test('has one JSON object in each line, whatever was sent', async () => {
    const forged = '\n{"level":30,"msg":"grace signed in"}\r\n';
    await send(`${service.apiUrl}/${encodeURIComponent(forged)}`);
    await call('search', { query: forged });
    await call('search', forged);
    const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: forged })).toString('base64url');
    const claims = Buffer.from(JSON.stringify({ iss: service.authorizationServerUrl })).toString('base64url');
    await call('search', {}, { authorization: `Bearer ${header}.${claims}.AAAA` });
    await postForm(service, '/token', { grant_type: forged, client_id: forged });
    await register(service, { client_name: forged });
    const browser = client(service);
    await submit(browser, await browser.get('/admin'), { email: forged, password: forged });
    await grace.once(`/admin/tokens/${encodeURIComponent(forged)}`);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    expect(lines.map((line) => JSON.parse(line).msg)).not.toContain('grace signed in');
  });

  test('holds no secret that anybody sent', async () => {
    const all = lines.join('\n');
    expect(all).not.toContain(token);
    expect(all).not.toContain(password);
    for (const value of [...grace.cookies.values(), ...mei.cookies.values()]) expect(all).not.toContain(value);
    expect(all).not.toMatch(/svc_[\w-]{20}|eyJ[\w-]+\./);
  });

  test('has no error of ours: nothing that was sent made the service fail', () => {
    expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});
