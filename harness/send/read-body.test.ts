import { PassThrough } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode, readBounded } from './read-body.ts';

const KB = 1024;
const bounds = { mostBytes: 64 * KB, mostMs: 1000 };

describe('a body is read', () => {
  test('to its end', async () => {
    const stream = new PassThrough();
    stream.write('one ');
    stream.end('two');
    const { bytes, end } = await readBounded(stream, bounds);
    expect([bytes.toString(), end]).toEqual(['one two', 'whole']);
  });

  test('to exactly its bound, and is whole where it ends there', async () => {
    const stream = new PassThrough();
    stream.end('x'.repeat(10));
    expect((await readBounded(stream, { ...bounds, mostBytes: 10 })).end).toBe('whole');
  });

  test('to its bound and no further, and the rest is let go', async () => {
    const stream = new PassThrough();
    stream.end('x'.repeat(100));
    const { bytes, end } = await readBounded(stream, { ...bounds, mostBytes: 30 });
    expect([bytes.length, end, stream.destroyed]).toEqual([30, 'long', true]);
  });

  test('for so long and no longer, and what came is kept', async () => {
    const stream = new PassThrough();
    stream.write('one');
    const { bytes, end } = await readBounded(stream, { ...bounds, mostMs: 20 });
    expect([bytes.toString(), end, stream.destroyed]).toEqual(['one', 'late', true]);
  });

  test('until it breaks, and what came is kept', async () => {
    const stream = new PassThrough();
    stream.write('one');
    setTimeout(() => stream.destroy(new Error('reset')), 10);
    const { bytes, end } = await readBounded(stream, bounds);
    expect([bytes.toString(), end]).toEqual(['one', { error: new Error('reset') }]);
  });
});

describe('a body is unpacked', () => {
  const text = '{"a":"ä"}';
  test.each([
    ['gzip', gzipSync(text)],
    [' GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ])('from %s', async (encoding, bytes) => {
    expect(await decode({ bytes, end: 'whole' }, { encoding }, bounds)).toEqual({ text, cut: false });
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('from %s that was cut as far as it goes', async (encoding, pack) => {
    // Random enough not to be packed to nothing.
    const long = Array.from({ length: 9000 }, (_, index) => ((index * 7919) % 10_007).toString(36)).join('\n');
    const bytes = pack(long);
    const got = await decode({ bytes: bytes.subarray(0, bytes.length / 2), end: 'long' }, { encoding }, bounds);
    expect(got.cut).toBe(true);
    expect(got.text.length).toBeGreaterThan(1000);
    expect(long.startsWith(got.text)).toBe(true);
  });

  test('to its bound where it unpacks to very much', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * KB * KB));
    const { text: unpacked, cut } = await decode({ bytes: bomb, end: 'whole' }, { encoding: 'gzip' }, bounds);
    expect([unpacked.length, cut]).toEqual([bounds.mostBytes, true]);
  });

  test('to nothing where it is not packed as it says: no client could read it', async () => {
    expect(await decode({ bytes: Buffer.from('plain'), end: 'whole' }, { encoding: 'gzip' }, bounds)).toEqual({
      text: '',
      cut: false,
    });
  });

  test('to nothing, undecided, from an encoding that we do not know', async () => {
    expect(await decode({ bytes: Buffer.from('(zstd)'), end: 'whole' }, { encoding: 'zstd' }, bounds)).toEqual({
      text: '',
      cut: true,
    });
    expect(await decode({ bytes: Buffer.alloc(0), end: 'whole' }, { encoding: 'zstd' }, bounds)).toEqual({
      text: '',
      cut: false,
    });
  });
});
