import { expect, test } from 'vitest';
import { scopes } from '../terms/operations.ts';
import { asRequest, emptyForm, readForm, suggested } from './token-form-page.ts';

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
