import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './database.ts';
import type { PasswordCost } from './password-hash.ts';
import { openStore } from './store.ts';

async function opened() {
  const { people, close } = await openStore(':memory:', () => 0);
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
