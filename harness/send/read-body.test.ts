import { PassThrough } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode, readBounded, textOf } from './read-body.ts';

const KB = 1024;
const bounds = { maxBytes: 64 * KB, maxMs: 1000 };

describe('a body is read', () => {
  test('to its end', async () => {
    const stream = new PassThrough();
    stream.write('one ');
    stream.end('two');
    const { bytes, end } = await readBounded(stream, bounds);
    expect([bytes.toString(), end]).toEqual(['one two', 'complete']);
  });

  test('to its end if that is exactly at the bound', async () => {
    const stream = new PassThrough();
    stream.end('x'.repeat(10));
    expect((await readBounded(stream, { ...bounds, maxBytes: 10 })).end).toBe('complete');
  });

  test('to the bound of bytes, and the rest is discarded', async () => {
    const stream = new PassThrough();
    stream.end('x'.repeat(100));
    const { bytes, end } = await readBounded(stream, { ...bounds, maxBytes: 30 });
    expect([bytes.length, end, stream.destroyed]).toEqual([30, 'too-long', true]);
  });

  test('to the bound of time, and the beginning is kept', async () => {
    const stream = new PassThrough();
    stream.write('one');
    const { bytes, end } = await readBounded(stream, { ...bounds, maxMs: 20 });
    expect([bytes.toString(), end, stream.destroyed]).toEqual(['one', 'too-slow', true]);
  });

  test('until the connection breaks, and the beginning is kept', async () => {
    const stream = new PassThrough();
    stream.write('one');
    setTimeout(() => stream.destroy(new Error('reset')), 10);
    const { bytes, end } = await readBounded(stream, bounds);
    expect([bytes.toString(), end]).toEqual(['one', { error: new Error('reset') }]);
  });
});

describe('a body is decompressed', () => {
  const text = '{"a":"ä"}';
  test.each([
    ['gzip', gzipSync(text)],
    [' GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate, identity, GZip', gzipSync(deflateSync(text))],
    ['br', brotliCompressSync(text)],
    ['UTF-8', Buffer.from(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ])('from %s', async (encoding, bytes) => {
    expect(await decode({ bytes, end: 'complete' }, { encoding }, bounds)).toEqual({ text, truncated: false });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('from truncated %s as far as possible', async (encoding, compress) => {
    // Random enough to stay long when it is compressed.
    const long = Array.from({ length: 9000 }, (_, index) => ((index * 7919) % 10_007).toString(36)).join('\n');
    const bytes = compress(long);
    const got = await decode({ bytes: bytes.subarray(0, bytes.length / 2), end: 'too-long' }, { encoding }, bounds);
    expect(got.truncated).toBe(true);
    expect(got.text.length).toBeGreaterThan(1000);
    expect(long.startsWith(got.text)).toBe(true);
  });

  test('to the bound if it is a decompression bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * KB * KB));
    const { text: decompressed, truncated } = await decode(
      { bytes: bomb, end: 'complete' },
      { encoding: 'gzip' },
      bounds,
    );
    expect([decompressed.length, truncated]).toEqual([bounds.maxBytes, true]);
  });

  test('to an empty text if it does not match its encoding', async () => {
    expect(await decode({ bytes: Buffer.from('plain'), end: 'complete' }, { encoding: 'gzip' }, bounds)).toEqual({
      text: '',
      truncated: false,
    });
  });

  test('to an empty text that counts as truncated if its encoding is unknown', async () => {
    expect(await decode({ bytes: Buffer.from('(zstd)'), end: 'complete' }, { encoding: 'zstd' }, bounds)).toEqual({
      text: '',
      truncated: true,
    });
    expect(await decode({ bytes: Buffer.alloc(0), end: 'complete' }, { encoding: 'zstd' }, bounds)).toEqual({
      text: '',
      truncated: false,
    });
  });
});

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
