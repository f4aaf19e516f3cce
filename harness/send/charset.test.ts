import { describe, expect, test } from 'vitest';
import { textOf } from './charset.ts';

const MESSAGE = 'Zugriff verweigert: schön wär’s';

describe('a body', () => {
  test('without a charset is read as UTF-8, without its byte order mark', () => {
    expect(textOf(Buffer.from(MESSAGE))).toBe(MESSAGE);
    expect(textOf(Buffer.from(`\ufeff${MESSAGE}`))).toBe(MESSAGE);
  });

  test.each([
    ['text/plain; charset=utf-16le', Buffer.from(MESSAGE, 'utf16le')],
    ['text/plain; charset=UTF-16', Buffer.from(MESSAGE, 'utf16le')],
    ['text/plain', Buffer.from(`\ufeff${MESSAGE}`, 'utf16le')],
    ['text/plain', Buffer.from(`\ufeff${MESSAGE}`, 'utf16le').swap16()],
    ['text/plain; charset=utf-8', Buffer.from(`\ufeff${MESSAGE}`, 'utf16le')],
  ])('declared as %s is read by its byte order mark first, then by its charset', (contentType, bytes) => {
    expect(textOf(bytes, contentType)).toBe(MESSAGE);
  });

  test('in a single-byte charset is read by the name of the charset, quoted or not', () => {
    const latin = Buffer.from('schön', 'latin1');
    expect(textOf(latin, 'text/html;charset="ISO-8859-1"')).toBe('schön');
    expect(textOf(latin, 'text/html; charset=windows-1252')).toBe('schön');
  });

  test('in an unknown charset is read as UTF-8', () => {
    expect(textOf(Buffer.from(MESSAGE), 'text/plain; charset=klingon')).toBe(MESSAGE);
  });
});
