import { expect, test } from 'vitest';
import { scopes } from '../terms/operations.ts';
import { asRequest, emptyForm, readForm, suggested } from './token-form-page.ts';
import { createFormSubmissions, createOneTimeSecrets } from './token-routes.ts';

test('a form submitted twice has one effect', async () => {
  let now = 0;
  let effects = 0;
  const submissions = createFormSubmissions<number>(() => now);
  const work = async () => {
    effects += 1;
    return effects;
  };
  expect(await Promise.all([submissions.once('form', work), submissions.once('form', work)])).toEqual([1, 1]);
  expect(await submissions.once('other form', work)).toBe(2);
  now = 10 * 60 * 1000;
  expect(await submissions.once('form', work)).toBe(3);
});

test('a secret can be taken once, with its key', () => {
  const secrets = createOneTimeSecrets(() => 0);
  secrets.put('ann token-1', 'swordfish');
  expect(secrets.take('eve token-1')).toBeUndefined();
  expect(secrets.take('ann token-1')).toBe('swordfish');
  expect(secrets.take('ann token-1')).toBeUndefined();
});

test('a secret expires after ten minutes', () => {
  let now = 0;
  const secrets = createOneTimeSecrets(() => now);
  secrets.put('ann token-1', 'swordfish');
  now = 10 * 60 * 1000;
  expect(secrets.take('ann token-1')).toBeUndefined();
});

const fields = new URLSearchParams([
  ['description', 'Intranet'],
  ['permission', 'USER'],
  ['userEmail', 'ann@example.com'],
  ['scopes', 'PINS'],
  ['scopes', 'CHAT'],
  ['expires', '2030-05-06'],
]);

test('an empty form has USER, the own email and no scopes (spec 2.1)', () => {
  const form = emptyForm({ id: '1', email: 'ann@example.com', name: 'Ann', role: 'admin' });
  expect(form).toMatchObject({ permission: 'USER', userEmail: 'ann@example.com', scopes: [], expires: '' });
  expect(asRequest(form)).not.toHaveProperty('expiresAt');
});

test('a form becomes a request whose token works until the end of the date', () => {
  expect(asRequest(readForm(fields))).toEqual({
    description: 'Intranet',
    permission: 'USER',
    userEmail: 'ann@example.com',
    scopes: ['PINS', 'CHAT'],
    expiresAt: Date.UTC(2030, 4, 7),
  });
});

test('a GLOBAL token ignores the email', () => {
  expect(asRequest({ ...readForm(fields), permission: 'GLOBAL' })).not.toHaveProperty('userEmail');
});

test('a suggested set replaces the scopes and nothing else', () => {
  const form = readForm(fields);
  expect(suggested(form, fields)).toBeUndefined();
  const wanted = new URLSearchParams({ suggest: 'analytics-dashboard' });
  expect(suggested(form, wanted)).toEqual({ ...form, scopes: ['INSIGHTS', 'ACTIVITY'] });
  expect(suggested(form, new URLSearchParams({ suggest: 'all' }))?.scopes).toEqual(scopes);
});
