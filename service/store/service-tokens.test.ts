import { describe, expect, onTestFinished, test } from 'vitest';
import type { Role } from './database/schema.ts';
import type { TokenRequest } from './service-token-request.ts';
import { openStore } from './store.ts';

const now = Date.UTC(2030, 0, 1);

async function opened() {
  const store = await openStore(':memory:', () => now);
  onTestFinished(() => store.close());
  const person = (name: string, role: Role) => store.people.add({ email: `${name}@example.com`, name, role });
  return { store, person, other: await person('other', 'user') };
}

const request: TokenRequest = {
  description: 'CI',
  permission: 'USER',
  scopes: ['SEARCH'],
  userEmail: 'other@example.com',
};

describe('who may create a token (spec 2.1)', () => {
  test.each<[Role, Partial<TokenRequest>, boolean]>([
    ['super-admin', {}, true],
    ['super-admin', { userEmail: 'me@example.com' }, true],
    ['super-admin', { permission: 'GLOBAL', userEmail: '' }, true],
    ['admin', {}, false],
    ['admin', { userEmail: 'ME@example.com' }, true],
    ['admin', { permission: 'GLOBAL', userEmail: '' }, false],
    ['api-token-creator', {}, false],
    ['api-token-creator', { userEmail: 'me@example.com' }, true],
    ['api-token-creator', { permission: 'GLOBAL', userEmail: '' }, false],
    ['user', {}, false],
    ['user', { userEmail: 'me@example.com' }, false],
  ])('%s requests %j: %s', async (role, part, ok) => {
    const { store, person } = await opened();
    const issued = await store.serviceTokens.issue(await person('me', role), { ...request, ...part });
    expect(issued.ok).toBe(ok);
  });
});

test.each<[Role, Partial<TokenRequest>]>([
  ['admin', {}],
  ['api-token-creator', {}],
  ['user', {}],
  ['user', { permission: 'ROOT' }],
])('nobody is looked up for the %s who may not create the token %j', async (role, part) => {
  const { store, person } = await opened();
  const actor = await person('me', role);
  const answers = await Promise.all(
    ['other@example.com', 'nobody@example.com'].map((userEmail) =>
      store.serviceTokens.issue(actor, { ...request, ...part, userEmail }),
    ),
  );
  expect(answers[0]).toMatchObject({ ok: false });
  expect(JSON.stringify(answers[0])).toContain('"field":"actor"');
  expect(answers[1]).toEqual(answers[0]);
});

describe('what a token needs (spec 2.1)', () => {
  test.each<[string, Partial<TokenRequest>]>([
    ['description', { description: '  ' }],
    ['permission', { permission: 'ROOT' }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['SEARCH', 'search'] }],
    ['expiresAt', { expiresAt: now }],
    ['expiresAt', { expiresAt: Number.NaN }],
    ['userEmail', { userEmail: '' }],
    ['userEmail', { userEmail: 'nobody@example.com' }],
    ['userEmail', { permission: 'GLOBAL' }],
  ])('the problem names the field %s: %j', async (field, part) => {
    const { store, person } = await opened();
    const issued = await store.serviceTokens.issue(await person('boss', 'super-admin'), { ...request, ...part });
    expect(issued).toMatchObject({ ok: false, problems: [{ field }] });
  });

  test('all problems are reported together', async () => {
    const { store, person } = await opened();
    const issued = await store.serviceTokens.issue(await person('me', 'user'), {
      ...request,
      description: '',
      scopes: [],
    });
    expect(issued).toMatchObject({ problems: [{ field: 'description' }, { field: 'scopes' }, { field: 'actor' }] });
  });
});

describe('a created token', () => {
  test('returns its secret once, and the store does not contain it', async () => {
    const { store, person } = await opened();
    const issued = await store.serviceTokens.issue(await person('boss', 'super-admin'), request);
    if (!issued.ok) throw new Error('not issued');
    expect(issued.secret).toMatch(/^svc_[\w-]{43}$/);
    const found = await store.serviceTokens.find(issued.secret);
    expect(found).toEqual(issued.token);
    expect(JSON.stringify(found)).not.toContain(issued.secret);
  });

  test.each(['first', 'last', 'dropped', 'appended', 'case'])('is not found by a changed secret (%s)', async (what) => {
    const { store, person } = await opened();
    const issued = await store.serviceTokens.issue(await person('boss', 'super-admin'), request);
    const secret = issued.ok ? issued.secret : '';
    const swapped = [...secret].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
    const forms: Record<string, string> = {
      first: `x${secret.slice(1)}`,
      last: secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A'),
      dropped: secret.slice(0, -1),
      appended: `${secret}A`,
      case: swapped,
    };
    expect(await store.serviceTokens.find(forms[what] ?? secret)).toBeUndefined();
  });

  test('is revoked once, by a Super Admin or the person it runs as', async () => {
    const { store, person, other } = await opened();
    const boss = await person('boss', 'super-admin');
    const issued = await store.serviceTokens.issue(boss, request);
    if (!issued.ok) throw new Error('not issued');
    expect(await store.serviceTokens.revoke(await person('eve', 'admin'), issued.token.id)).toBe('no such token');
    expect(await store.serviceTokens.revoke(other, issued.token.id)).toBe('revoked');
    expect(await store.serviceTokens.revoke(boss, issued.token.id)).toBe('no such token');
    expect(await store.serviceTokens.find(issued.secret)).toBeUndefined();
  });
});

test('the time of the last use is written once a minute', async () => {
  const clock = { now };
  const store = await openStore(':memory:', () => clock.now);
  onTestFinished(() => store.close());
  const boss = await store.people.add({ email: 'boss@example.com', name: 'Boss', role: 'super-admin' });
  const issued = await store.serviceTokens.issue(boss, { ...request, userEmail: boss.email });
  if (!issued.ok) throw new Error('not issued');
  const lastUse = async () => {
    const token = await store.serviceTokens.find(issued.secret);
    if (!token) throw new Error('not found');
    await store.serviceTokens.recordUse(token);
    return (await store.serviceTokens.find(issued.secret))?.lastUsedAt;
  };
  expect(await lastUse()).toBe(now);
  clock.now = now + 59_999;
  expect(await lastUse()).toBe(now);
  clock.now = now + 60_000;
  expect(await lastUse()).toBe(now + 60_000);
});
