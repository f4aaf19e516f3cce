import { describe, expect, test } from 'vitest';
import { textOf } from './charset.ts';

const MESSAGE = 'Zugriff verweigert: schön wär’s';

describe('a body', () => {
  test('without a charset is UTF-8, and its byte order mark is no part of the text', () => {
    expect(textOf(Buffer.from(MESSAGE))).toBe(MESSAGE);
    expect(textOf(Buffer.from(`\ufeff${MESSAGE}`))).toBe(MESSAGE);
  });

  test.each([
    ['text/plain; charset=utf-16le', Buffer.from(MESSAGE, 'utf16le')],
    ['text/plain; charset=UTF-16', Buffer.from(MESSAGE, 'utf16le')],
    ['text/plain', Buffer.from(`\ufeff${MESSAGE}`, 'utf16le')],
    ['text/plain', Buffer.from(`\ufeff${MESSAGE}`, 'utf16le').swap16()],
    ['text/plain; charset=utf-8', Buffer.from(`\ufeff${MESSAGE}`, 'utf16le')],
  ])('declared as %s is read as what it is', (contentType, bytes) => {
    expect(textOf(bytes, contentType)).toBe(MESSAGE);
  });

  test('in a charset of one byte a character is read by its name, quoted or not', () => {
    const latin = Buffer.from('schön', 'latin1');
    expect(textOf(latin, 'text/html;charset="ISO-8859-1"')).toBe('schön');
    expect(textOf(latin, 'text/html; charset=windows-1252')).toBe('schön');
  });

  test('in a charset that nobody knows is read as UTF-8', () => {
    expect(textOf(Buffer.from(MESSAGE), 'text/plain; charset=klingon')).toBe(MESSAGE);
  });
});
