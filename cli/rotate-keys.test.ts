import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../service/store/store.ts';
import { commandLine } from './testing/command-line.ts';

const cli = commandLine();
const rotateKeys = (env: Record<string, string> = {}, ...flags: string[]) =>
  cli.command(['rotate-keys', ...flags], env);

/** The keys in the database, newest first. */
async function keys(databaseKey?: string): Promise<string[]> {
  const store = await openStore(`file:${cli.file('client-api.db')}`, Date.now, { databaseKey });
  await store.authorizationKeys.rotate(24 * 3600 * 1000, 'at the start');
  const read = await store.authorizationKeys.read();
  store.close();
  return read.map(({ id }) => id);
}

test('creates new keys, keeps the old ones published for a day, and says so', async () => {
  const [first] = await keys();
  const { code, output } = await rotateKeys();
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('stays published for a day') });
  expect(await keys()).toEqual([expect.not.stringMatching(String(first)), first]);
});

test('forgets the old keys with --discard-old', async () => {
  const [first] = await keys();
  const { output } = await rotateKeys({}, '--discard-old');
  expect(output).toContain('Everything signed with the old ones has ended');
  expect(await keys()).toEqual([expect.not.stringMatching(String(first))]);
});

test('rotates the keys of an encrypted database, with its key only', async () => {
  const databaseKey = 'correct horse battery staple';
  const [first] = await keys(databaseKey);
  const without = await rotateKeys();
  expect(without).toEqual({ code: 2, output: expect.stringContaining('The database is encrypted. Set DATABASE_KEY') });
  const wrong = await rotateKeys({ DATABASE_KEY: 'another horse battery staple' });
  expect(wrong).toEqual({ code: 2, output: expect.stringContaining('DATABASE_KEY is not the key') });
  expect((await rotateKeys({ DATABASE_KEY: databaseKey })).code).toBe(0);
  expect(await keys(databaseKey)).toEqual([expect.any(String), first]);
});

test('encrypts no database, because a service without a key may be using it', async () => {
  const [first] = await keys();
  const { code, output } = await rotateKeys({ DATABASE_KEY: 'correct horse battery staple' });
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining('The database is not encrypted yet') });
  expect(await keys()).toEqual([first]);
});

test.each([
  ['no database', {}, 'there is no database at'],
  ['a database in memory', { DATABASE_URL: ':memory:' }, 'has no keys to rotate'],
  ['a file that is no database', { DATABASE_URL: 'file:x.db' }, 'names a file that is no database'],
  ['a short key', { DATABASE_KEY: 'short' }, 'DATABASE_KEY is invalid (not shown'],
])('ends with one line about %s', async (_what, env, said) => {
  writeFileSync(cli.file('x.db'), 'no database'.repeat(100));
  const { code, output } = await rotateKeys(env);
  expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(said) });
  expect(output.trim().split('\n')).toHaveLength(2);
  expect(output).not.toContain('short\n');
});
