import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { dummyHash, hashPassword, passwordCost, passwordMatches } from './password-hash.ts';

const cheap = { ln: 4, r: 8, p: 1 };

test('a password hash contains its cost, and the default is the recommended one', async () => {
  const hash = await hashPassword('correct horse', passwordCost);
  expect(hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w-]{22}\$[\w-]{43}$/);
  expect(passwordCost).toEqual({ ln: 14, r: 8, p: 5 });
  expect(await passwordMatches('correct horse', hash)).toBe(true);
  expect(await passwordMatches('Correct horse', hash)).toBe(false);
});

test('a password hash is derived with the cost that it contains', async () => {
  const [, , , salt = '', key] = (await hashPassword('correct horse', cheap)).split('$');
  const derived = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, { N: 16, r: 8, p: 1 });
  expect(derived.toString('base64url')).toBe(key);
});

test('a password hash of another cost can be checked', async () => {
  for (const cost of [cheap, { ln: 5, r: 4, p: 3 }]) {
    const hash = await hashPassword('correct horse', cost);
    expect(await passwordMatches('correct horse', hash)).toBe(true);
    expect(await passwordMatches('battery staple', hash)).toBe(false);
  }
});

test('a password hash of an older release can be checked', async () => {
  const salt = Buffer.from('sixteen bytes of');
  const old = `${salt.toString('base64url')}.${scryptSync('correct horse', salt, 32).toString('base64url')}`;
  expect(await passwordMatches('correct horse', old)).toBe(true);
  expect(await passwordMatches('battery staple', old)).toBe(false);
});

test('the same password has a different hash each time', async () => {
  expect(await hashPassword('x', cheap)).not.toBe(await hashPassword('x', cheap));
});

test('the dummy hash has the same cost and matches no password', async () => {
  const cost = (hash: string) => hash.split('$')[2];
  expect(cost(dummyHash(cheap))).toBe(cost(await hashPassword('x', cheap)));
  expect(await passwordMatches('', dummyHash(cheap))).toBe(false);
});

test('a hash of an unknown format is an error that does not contain it', async () => {
  await expect(passwordMatches('x', 'swordfish')).rejects.toThrow(
    /^A stored password hash has an unknown format\. Set the password again\.$/,
  );
});
