import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

const TOP = ['cli', 'fixtures', 'harness', 'service', 'suites'] as const;
/** Tables of data: their length says nothing about a room. */
const TABLES: readonly string[] = ['fixtures/deviants', 'fixtures/variants'];
const isTest = (path: string) => /\.test\.ts$/.test(path);

const files = TOP.flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((path) => `${top}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|js|css)$/.test(path) && !path.includes('/node_modules/') && !path.includes('/dist/')),
).map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }));
const sources = files.filter(({ path }) => !isTest(path));

describe('the house', () => {
  test('has no folder of more than 25 source files', () => {
    const rooms = new Map<string, number>();
    for (const { path } of sources) rooms.set(posix.dirname(path), (rooms.get(posix.dirname(path)) ?? 0) + 1);
    const crowded = [...rooms].filter(([room, count]) => count > 25 && !TABLES.includes(room));
    expect(rooms.size).toBeGreaterThan(20);
    expect(crowded).toEqual([]);
  });

  test('has no file of more than 250 lines', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter(({ lines }) => lines > 250)).toEqual([]);
  });

  test('has files of fewer than 90 lines by the median', () => {
    const lengths = sources.map(({ lines }) => lines).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(90);
  });
});
