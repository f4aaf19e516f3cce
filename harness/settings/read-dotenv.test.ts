import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/refusal.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readDotenvFile } from './read-dotenv.ts';

const folder = temporaryFolder(afterAll);

function read(text: string | Buffer) {
  const file = join(folder, '.env');
  writeFileSync(file, text);
  return readDotenvFile(file);
}

describe('a .env file', () => {
  test('that does not exist sets nothing', () => {
    expect(readDotenvFile(join(folder, 'absent')).dotenv).toEqual({});
  });

  test('that is a link to nothing is refused, because the embedded service would be tested instead', () => {
    symlinkSync('nowhere', join(folder, 'linked'));
    expect(() => readDotenvFile(join(folder, 'linked'))).toThrow(
      /linked: cannot be read \(a link to a file that does not/,
    );
  });

  test('knows the line of each name, also after a comment and a value over several lines', () => {
    expect(read('# tokens\n\nUSER_TOKEN="a\nb"\nGLOBAL_TOKEN=c\n').lines).toEqual(
      new Map(Object.entries({ USER_TOKEN: 3, GLOBAL_TOKEN: 5 })),
    );
  });

  test.each<[string, Buffer]>([
    ['UTF-16', Buffer.from('\uFEFFUSER_TOKEN=abc\r\n', 'utf16le')],
    ['Latin-1', Buffer.from('USER_PRIVATE_QUERY=caf\xe9\r\n', 'latin1')],
  ])('in %s is refused as such, and not line by line', (_charset, bytes) => {
    expect(() => read(bytes)).toThrow(
      /^\S+\.env is not text in UTF-8, but perhaps in UTF-16 or Latin-1; save it again/,
    );
  });

  test.each([
    ['a plain value', 'USER_TOKEN=abc', 'abc'],
    ['blanks around the equals sign', 'USER_TOKEN = abc', 'abc'],
    ['an exported variable', 'export USER_TOKEN=abc', 'abc'],
    ['an equals sign in the value', 'USER_TOKEN=abc==', 'abc=='],
    ['double quotes', 'USER_TOKEN="a b#c"', 'a b#c'],
    ['single quotes', "USER_TOKEN='a b'", 'a b'],
    ['a value over several lines', 'USER_TOKEN="a\nb"\n', 'a\nb'],
    ['comments and blank lines', '# tokens\n\n  # more\nUSER_TOKEN=abc # mine\n', 'abc'],
    ['lines that end in CRLF', '# tokens\r\nUSER_TOKEN=abc\r\n', 'abc'],
    ['a byte order mark', '\uFEFFUSER_TOKEN=abc', 'abc'],
    ['an empty value', 'USER_TOKEN=', ''],
    ['a comment after quotes', 'USER_TOKEN="a#b" # mine', 'a#b'],
    ['a comment instead of a value', 'USER_TOKEN= # mine', ''],
  ])('may contain %s', (_what, text, value) => {
    expect(read(text).dotenv).toEqual({ USER_TOKEN: value });
  });

  test.each([
    ['a line without an equals sign', 'USER_TOKEN s3cret', /line 1 is not NAME=value/],
    ['a line with a colon', 'A=1\nUSER_TOKEN: s3cret', /line 2 is not NAME=value/],
    ['an invalid name', '1TOKEN=s3cret', /line 1 is not NAME=value/],
    [
      'a name that occurs twice',
      'USER_TOKEN=s3cret\n\nUSER_TOKEN=s3cret2',
      /line 3 sets USER_TOKEN again \(first on line 1\)/,
    ],
    [
      'a # directly after text',
      'A_B=1\nUSER_TOKEN=abc#s3cret',
      /line 2 has a # in the value of USER_TOKEN, which would start a comment/,
    ],
    [
      'text after a closing quote',
      'USER_TOKEN="abc" s3cret',
      /line 1 has text after the closing " of the value of USER_TOKEN/,
    ],
    ['text after a quoted value over several lines', "USER_TOKEN='a\nb' s3cret", /line 1 has text after the closing '/],
    [
      'the second line of a wrapped value',
      'USER_TOKEN=abc\ns3cret==',
      /line 2 is not NAME=value with a name in upper case/,
    ],
    ['the same second line twice', 'QQ=\nQQ==', /line 2 sets a name again/],
    ['a missing closing quote', 'A=1\nUSER_TOKEN="s3cret\nB=2', /line 2 has no closing " for the value of USER_TOKEN/],
  ])('is refused for %s, without showing a value', (_what, text, message) => {
    const refused = refusalOf(() => read(text));
    expect(refused).toMatch(message);
    expect(refused).toContain(join(folder, '.env'));
    expect(refused).not.toContain('s3cret');
  });

  test('that is a folder is refused', () => {
    expect(() => readDotenvFile(folder)).toThrow(/cannot be read \(it is a folder, EISDIR\)/);
  });

  test('is refused with every problem at once', () => {
    expect(refusalOf(() => read('one\nA=1\ntwo\nA=2')).split('\n')).toHaveLength(3);
  });
});
