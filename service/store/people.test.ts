import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database/database.ts';
import type { Role } from './database/schema.ts';
import { cheapPasswordCost, type PasswordCost } from './password-hash.ts';
import { canonical } from './people.ts';
import { openStore } from './store.ts';

async function opened() {
  const { people, close } = await openStore(':memory:', () => 0, { cost: cheapPasswordCost });
  onTestFinished(close);
  const ann = await people.add({ email: ' Ann@Example.com ', name: 'Ann', role: 'user', password: 'correct horse' });
  return { people, ann };
}

test('an email belongs to one person, whatever its letter case', async () => {
  const { people, ann } = await opened();
  expect(ann.email).toBe('ann@example.com');
  expect(await people.find('ANN@example.COM')).toEqual(ann);
  await expect(people.add({ email: 'ann@EXAMPLE.com', name: 'Another', role: 'user' })).rejects.toThrow();
});

test('signing in needs the right email and its password', async () => {
  const { people, ann } = await opened();
  await people.add({ email: 'bob@example.com', name: 'Bob', role: 'user' });
  expect(await people.signIn('ann@example.com', 'correct horse')).toEqual({ kind: 'signed in', person: ann });
  expect(await people.signIn('ann@example.com', 'Correct horse')).toEqual({ kind: 'wrong' });
  expect(await people.signIn('nobody@example.com', 'correct horse')).toEqual({ kind: 'wrong' });
  // A person without a password cannot sign in, not even with an empty one.
  expect(await people.signIn('bob@example.com', '')).toEqual({ kind: 'wrong' });
});

test('a password is hashed with the full cost by default', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'people-')), 'people.db');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const costOf = async (cost?: PasswordCost) => {
    const { people, close } = await openStore(`file:${file}`, () => 0, { cost });
    const email = `${cost?.ln}@example.com`;
    await people.add({ email, name: 'Somebody', role: 'user', password: 'correct horse' });
    close();
    const db = await openDatabase(`file:${file}`);
    const { rows } = await db.$client.execute({
      sql: 'SELECT password_hash FROM people WHERE email = ?',
      args: [email],
    });
    db.$client.close();
    return String(rows[0]?.password_hash).split('$')[2];
  };
  expect(await costOf()).toBe('ln=14,r=8,p=5');
  expect(await costOf({ ln: 4, r: 8, p: 1 })).toBe('ln=4,r=8,p=1');
});

test('a new password replaces the old one', async () => {
  const { people, ann } = await opened();
  await people.setPassword('ANN@example.com', 'battery staple');
  expect(await people.signIn('ann@example.com', 'battery staple')).toEqual({ kind: 'signed in', person: ann });
  expect(await people.signIn('ann@example.com', 'correct horse')).toEqual({ kind: 'wrong' });
  await expect(people.setPassword('nobody@example.com', 'x')).rejects.toThrow(/There is no person with the email/);
});

test('several people can get one new password, and nobody else gets it', async () => {
  const { people, ann } = await opened();
  const bob = await people.add({ email: 'bob@example.com', name: 'Bob', role: 'user' });
  const eve = await people.add({ email: 'eve@example.com', name: 'Eve', role: 'user', password: 'correct horse' });
  await people.setPassword([ann.email, 'BOB@example.com'], 'battery staple');
  expect(await people.signIn(ann.email, 'battery staple')).toEqual({ kind: 'signed in', person: ann });
  expect(await people.signIn(bob.email, 'battery staple')).toEqual({ kind: 'signed in', person: bob });
  expect(await people.signIn(eve.email, 'battery staple')).toEqual({ kind: 'wrong' });
  await expect(people.setPassword([ann.email, 'nobody@example.com'], 'x')).rejects.toThrow('"nobody@example.com"');
});

test('an email that only looks like the one of a person finds nobody', async () => {
  const { people } = await opened();
  await people.add({ email: 'kate@example.com', name: 'Kate', role: 'user', password: 'x' });
  // The Kelvin sign, a no-break space, a zero-width space and a byte order mark.
  const lookalikes = [
    '\u212Aate@example.com',
    '\u00A0kate@example.com',
    'kate@example.com\u200B',
    'kate@example.com\uFEFF',
  ];
  for (const email of lookalikes) {
    expect(await people.find(email)).toBeUndefined();
    expect(await people.signIn(email, 'x')).toEqual({ kind: 'wrong' });
  }
  expect(await people.find(' Kate@EXAMPLE.com\t')).toMatchObject({ name: 'Kate' });
  for (const email of [...lookalikes.slice(1), 'kate', 'a@b@c', 'a b@example.com'])
    await expect(people.add({ email, name: 'Another', role: 'user' })).rejects.toThrow('is not an email');
});

test('a password whose hash took less work than today is hashed again when its owner signs in', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'people-')), 'people.db');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const open = (ln: number) => openStore(`file:${file}`, () => 0, { cost: { ln, r: 8, p: 1 } });
  const hash = async () => {
    const db = await openDatabase(`file:${file}`);
    const { rows } = await db.$client.execute('SELECT password_hash FROM people');
    db.$client.close();
    return String(rows[0]?.password_hash);
  };
  const old = await open(4);
  await old.people.add({ email: 'ann@example.com', name: 'Ann', role: 'user', password: 'correct horse' });
  const session = await old.consoleSessions.begin((await old.people.find('ann@example.com')) ?? neverPerson());
  old.close();
  const first = await hash();

  const now = await open(5);
  await now.people.signIn('ann@example.com', 'wrong');
  expect(await hash()).toBe(first);
  expect(await now.people.signIn('ann@example.com', 'correct horse')).toMatchObject({ kind: 'signed in' });
  expect(await hash()).toContain('$ln=5,');
  expect(await now.people.signIn('ann@example.com', 'correct horse')).toMatchObject({ kind: 'signed in' });
  // The password is the same, so nothing ends.
  expect(await now.consoleSessions.find(session)).toMatchObject({ name: 'Ann' });
  now.close();

  const cheaper = await open(4);
  await cheaper.people.signIn('ann@example.com', 'correct horse');
  cheaper.close();
  expect(await hash()).toContain('$ln=5,');
});

describe('a person', () => {
  const opened = async () => {
    const store = await openStore(':memory:', () => 7, { cost: cheapPasswordCost });
    onTestFinished(store.close);
    const add = (name: string, role: Role) => store.people.add({ email: `${name}@example.com`, name, role });
    const [boss, chief, ann] = [
      await add('boss', 'super-admin'),
      await add('chief', 'super-admin'),
      await add('ann', 'admin'),
    ];
    return { ...store, boss, chief, ann };
  };

  test('is removed by a Super Admin only, and never by themselves', async () => {
    const { people, boss, chief, ann } = await opened();
    expect(await people.remove(ann, boss.id)).toBe('not allowed');
    expect(await people.remove(boss, boss.id)).toBe('not allowed');
    expect(await people.remove(boss, 'nobody')).toBe('no such person');
    expect(await people.remove(boss, chief.id)).toBe('removed');
    // Somebody who was removed a moment ago removes nobody.
    expect(await people.remove(chief, boss.id)).toBe('no such person');
    expect(await people.remove(boss, chief.id)).toBe('no such person');
  });

  test('who was removed gets no token, no password and no second life, and nobody gets their email', async () => {
    const { people, serviceTokens, boss, ann } = await opened();
    await people.remove(boss, ann.id);
    const request = { description: 'x', permission: 'USER', scopes: ['SEARCH'], userEmail: ann.email };
    expect((await serviceTokens.issue(boss, request)).ok).toBe(false);
    await expect(serviceTokens.issue(ann, { ...request, userEmail: boss.email })).resolves.toMatchObject({ ok: false });
    await expect(people.setPassword(ann.email, 'x')).rejects.toThrow('There is no person');
    await expect(people.add({ email: ann.email, name: 'Another Ann', role: 'user' })).rejects.toThrow();
  });

  test('who was removed loses the tokens that they created, whose secrets they have seen', async () => {
    const { people, serviceTokens, auditTrail, boss, chief } = await opened();
    const issued = await serviceTokens.issue(chief, { description: 'x', permission: 'GLOBAL', scopes: ['SEARCH'] });
    if (!issued.ok) throw new Error('not issued');
    await people.remove(boss, chief.id);
    expect(await serviceTokens.find(issued.secret)).toBeUndefined();
    expect((await auditTrail.read(boss, 1)).events).toMatchObject([
      { action: 'person removed', actor: boss.email, detail: chief.email, at: 7 },
      { action: 'token revoked', actor: boss.email, token: { id: issued.token.id } },
      { action: 'token created' },
    ]);
  });
});

function neverPerson(): never {
  throw new Error('There is no such person.');
}

test('an email with very many spaces is compared in linear time', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(canonical(`${spaces}A${spaces}b${spaces}`)).toBe(`a${spaces}b`);
  expect(canonical(spaces)).toBe('');
});
