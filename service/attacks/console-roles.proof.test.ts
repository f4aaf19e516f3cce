import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../start.ts';
import { send } from '../testing/attacker.ts';
import { at, type Client, demoService, password, personNamed, signedIn } from '../testing/client.ts';
import { stockClient } from '../testing/stock-client.ts';

let service: RunningService;
const browsers = new Map<string, Client>();
const as = (name: string): Client => {
  const browser = browsers.get(name);
  if (!browser) throw new Error(`${name} is not signed in.`);
  return browser;
};
/** Without access to anything of other people. */
const others = ['tomas', 'mei', 'priya'];

let tokenOfGrace: string;
let clientOfGrace: string;
let conversationOfGrace: string;
let secretOf: (name: string) => Promise<string>;

beforeAll(async () => {
  service = await demoService();
  for (const name of ['grace', ...others]) browsers.set(name, await signedIn(service, name));
  const grace = await personNamed(service, 'grace');
  secretOf = async (name) => {
    const issued = await service.context.store.serviceTokens.issue(grace, {
      description: `A token of ${name}`,
      permission: 'USER',
      scopes: ['SEARCH', 'CHAT'],
      userEmail: at(name),
    });
    if (!issued.ok) throw new Error('There is no token.');
    if (name === 'grace') tokenOfGrace = issued.token.id;
    return issued.secret;
  };
  const app = await stockClient(service.apiUrl);
  await app.signIn({ email: at('grace'), password }, 'SEARCH');
  clientOfGrace = app.client.client_id;
  const chat = await call('chat', await secretOf('grace'), { query: 'budget' });
  conversationOfGrace = String(chat.json['conversationId']);
});
afterAll(() => service?.close());

const call = (operation: 'search' | 'chat', secret: string, body: object, headers: Record<string, string> = {}) =>
  send(`${service.apiUrl}/rest/api/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe.each(others)('%s cannot reach what belongs to another person (IDOR, ASVS 4.2.1)', (name) => {
  test('a token: read it, see its page, revoke it', async () => {
    for (const path of [`/admin/tokens/${tokenOfGrace}`, `/admin/tokens/${tokenOfGrace}/revoke`])
      expect((await as(name).get(path)).status).toBe(404);
    expect((await as(name).post(`/admin/tokens/${tokenOfGrace}/revoke`, {})).status).toBe(404);
    expect((await as('grace').get(`/admin/tokens/${tokenOfGrace}`)).text).not.toContain('Revoked by');
  });

  test('an application: see it, end the access of somebody else, remove it', async () => {
    for (const what of ['revoke', 'remove']) {
      expect((await as(name).get(`/admin/applications/${clientOfGrace}/${what}`)).status).toBe(404);
      expect((await as(name).post(`/admin/applications/${clientOfGrace}/${what}`, {})).status).toBe(404);
    }
    expect((await as(name).get('/admin/applications')).text).not.toContain(clientOfGrace);
    expect((await as('grace').get('/admin/applications')).text).toContain(clientOfGrace);
  });

  test('a person: remove them or themselves', async () => {
    for (const target of ['grace', 'mei', name]) {
      const { id } = await personNamed(service, target);
      expect((await as(name).get(`/admin/people/${id}/remove`)).status).toBe(403);
      expect((await as(name).post(`/admin/people/${id}/remove`, {})).status).toBe(403);
    }
  });

  test('a conversation: continue it with a token of their own', async () => {
    const body = { query: 'go on', conversationId: conversationOfGrace };
    expect((await call('chat', await secretOf(name), body)).status).toBe(404);
  });

  test('events of other people in the audit trail', async () => {
    const { text } = await as(name).get('/admin/audit?page=1');
    expect(text).not.toContain('allowed access to');
    expect(text).not.toContain(`${at('grace')}</a> signed in`);
    expect(text).not.toMatch(/An application registered itself/);
  });

  test('tokens by a filter that names another person', async () => {
    const { text } = await as(name).get(`/admin?words=${at('grace')}`);
    expect(text).not.toContain(tokenOfGrace);
  });
});

describe('a role cannot be raised (ASVS 4.1.2, 4.1.3)', () => {
  test.each([
    ['tomas', 'GLOBAL'],
    ['mei', 'GLOBAL'],
    ['priya', 'USER'],
    ['priya', 'GLOBAL'],
  ])('%s gets no %s token, whatever the form holds', async (name, permission) => {
    const tricks: [string, string][][] = [
      [['permission', permission]],
      [
        ['permission', permission],
        ['permission', 'USER'],
      ],
      [
        ['permission', permission],
        ['role', 'super-admin'],
      ],
      [
        ['permission', permission],
        ['actor', at('grace')],
        ['createdBy', at('grace')],
      ],
      [['permission', permission.toLowerCase()]],
      [['permission', `${permission} `]],
      [
        ['permission', permission],
        ['__proto__[role]', 'super-admin'],
      ],
    ];
    for (const trick of tricks) {
      const { status, text } = await as(name).post('/admin/tokens', [
        ['form', randomUUID()],
        ['description', 'x'],
        ['scopes', 'SEARCH'],
        ...(permission === 'USER' ? [['userEmail', at(name)] as [string, string]] : []),
        ...trick,
      ]);
      expect([403, 422]).toContain(status);
      expect(text).not.toMatch(/svc_[\w-]{43}/);
    }
  });

  test.each(['tomas', 'mei'])('%s gets no token for grace by another spelling of an email', async (name) => {
    for (const userEmail of [
      at('grace').toUpperCase(),
      ` ${at('grace')} `,
      `${at(name)},${at('grace')}`,
      `${at('grace')}\u0000`,
    ]) {
      const fields = { form: randomUUID(), description: 'x', permission: 'USER', userEmail, scopes: 'SEARCH' };
      const { status, text } = await as(name).post('/admin/tokens', fields);
      expect([403, 422]).toContain(status);
      expect(text).not.toMatch(/svc_[\w-]{43}/);
    }
  });

  test.each(['ADMIN', 'search', '*', 'SEARCH CHAT', 'openid', '__proto__', 'constructor'])(
    'no token has the scope %s, which does not exist',
    async (scopes) => {
      const fields = { form: randomUUID(), description: 'x', permission: 'USER', userEmail: at('grace'), scopes };
      expect((await as('grace').post('/admin/tokens', fields)).status).toBe(422);
    },
  );

  test.each([
    '-1',
    '0',
    '1969-12-31',
    '2020-02-30',
    '9999999-01-01',
    '2030-01-01T00:00',
    'never',
    '١٢٣٤-٠١-٠١',
    '+275760-09-13',
    '1e9',
  ])('no token has the expiry %s', async (expires) => {
    const fields = {
      form: randomUUID(),
      description: 'x',
      permission: 'USER',
      userEmail: at('grace'),
      scopes: 'SEARCH',
      expires,
    };
    expect((await as('grace').post('/admin/tokens', fields)).status).toBe(422);
  });

  test('a USER token acts as nobody else (spec 5.2)', async () => {
    const secret = await secretOf('mei');
    const wanted = await call('search', secret, { query: 'travel budget' });
    const asGrace = await call('search', secret, { query: 'travel budget' }, { 'x-service-actas': at('grace') });
    expect(asGrace.json['results']).toEqual(wanted.json['results']);
  });

  test('an OAuth token of the API opens nothing in the console, and the cookie of the console nothing in the API', async () => {
    const app = await stockClient(service.apiUrl);
    const { accessToken } = await app.signIn({ email: at('grace'), password }, 'SEARCH CHAT');
    const console = await send(`${service.apiUrl}/admin`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(console.status).toBe(303);
    const cookie = `console=${as('grace').cookies.get('console')}`;
    const api = await send(`${service.apiUrl}/rest/api/v1/search`, { method: 'POST', headers: { cookie } });
    expect(api.status).toBe(401);
  });
});

describe('the audit trail cannot be avoided or changed (ASVS 7.1.3, 7.3.3)', () => {
  test('a token that a person may not create leaves an event with their name', async () => {
    await as('priya').post('/admin/tokens', {
      form: 'evade',
      description: 'x',
      permission: 'GLOBAL',
      scopes: 'SEARCH',
    });
    const { text } = await as('grace').get('/admin/audit');
    expect(text).toMatch(new RegExp(`${at('priya')} was refused a GLOBAL token`));
  });

  test('creation and revocation by one person within a second are two events', async () => {
    const fields = {
      form: 'quick',
      description: 'quick one',
      permission: 'USER',
      userEmail: at('mei'),
      scopes: 'SEARCH',
    };
    const { url } = await as('mei').post('/admin/tokens', fields);
    await as('mei').post(`${url.pathname}/revoke`, {});
    const { events } = await service.context.store.auditTrail.read(
      await personNamed(service, 'grace'),
      1,
      url.pathname.split('/').at(-1),
    );
    expect(events.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      `${at('mei')} token revoked`,
      `${at('mei')} token created`,
    ]);
  });

  test.each(['POST', 'DELETE', 'PUT', 'PATCH'])('%s changes no event', async (method) => {
    const before = (await service.context.store.auditTrail.read(await personNamed(service, 'grace'), 1)).events[0]?.id;
    const answer = await as('grace').once('/admin/audit', { method });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await service.context.store.auditTrail.read(await personNamed(service, 'grace'), 1)).events[0]?.id).toBe(
      before,
    );
  });
});
