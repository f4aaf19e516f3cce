import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const TOP = ['cli', 'fixtures', 'harness', 'service', 'suites'] as const;

const files = TOP.flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .map((path) => `${top}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|js|css)$/.test(path) && !path.includes('/node_modules/') && !path.includes('/dist/')),
).map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }));

describe('the house', () => {
  test('has no file of more than 250 lines', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter(({ lines }) => lines > 250)).toEqual([]);
  });
});
