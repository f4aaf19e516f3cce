import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { closestName, didYouMean, errorCause } from './configuration-error.ts';
import { readRegularFile } from './read-file.ts';

const folder = temporaryFolder(afterAll);

function causeOf(file: string): string {
  try {
    return readRegularFile(file).toString();
  } catch (error) {
    return errorCause(error);
  }
}

test('a file and a link to one are read', () => {
  writeFileSync(join(folder, 'file'), 'text');
  symlinkSync(join(folder, 'file'), join(folder, 'link'));
  expect([causeOf(join(folder, 'file')), causeOf(join(folder, 'link'))]).toEqual(['text', 'text']);
});

test('an endless device, a folder and a file without end are not read', () => {
  symlinkSync('/dev/zero', join(folder, 'endless'));
  writeFileSync(join(folder, 'long'), '');
  truncateSync(join(folder, 'long'), 2 ** 33);
  expect(['endless', 'long', '.', 'nowhere'].map((name) => causeOf(join(folder, name)))).toEqual([
    'not a regular file',
    'longer than 268435456 bytes',
    'it is a folder, EISDIR',
    'no such file or folder, ENOENT',
  ]);
});

const known = ['USER_TOKEN', 'USER_TOKEN_SEARCH', 'TARGET_BASE_URL', 'OAUTH_TOKEN'];

test.each([
  ['USER_TOKN', 'USER_TOKEN'],
  ['USER_TOKN_SEARCH', 'USER_TOKEN_SEARCH'],
  ['user_token', 'USER_TOKEN'],
  ['TOKEN_SEARCH_USER', 'USER_TOKEN_SEARCH'],
  ['TARGET_URL', undefined],
  ['TARGET_BASEURL', 'TARGET_BASE_URL'],
  ['PATH', undefined],
  ['X', undefined],
])('the name closest to %s is %s', (name, closest) => {
  expect(closestName(name, known)).toBe(closest);
});

test('no name is close if no name is known', () => {
  expect(closestName('USER_TOKEN', [])).toBeUndefined();
});

test('an error message asks only about a name that is close', () => {
  expect(didYouMean('USER_TOKN', known)).toBe('; did you mean USER_TOKEN?');
  expect(didYouMean('HOME', known)).toBe('');
});
