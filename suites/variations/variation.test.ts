import { expect, test } from 'vitest';
import { bundlesOf, variationsOf } from './variation.ts';

const ROW = { kind: 'header', about: 'a test', source: 'rfc-9110', telling: 0, values: ['1'] } as const;
const all = [
  { ...ROW, name: 'X-A' },
  { ...ROW, name: 'x-a', values: ['2'] },
  { ...ROW, name: 'X-B', with: { 'User-Agent': 'one' } },
  { ...ROW, name: 'User-Agent', values: ['another'] },
].flatMap((row) => variationsOf(row, {}));

test('a bundle has each header once, also one that belongs to another', () => {
  const names = bundlesOf(all).map((bundle) => bundle.map(({ name, value }) => `${name}: ${value}`));
  expect(names).toEqual([
    ['X-A: 1', 'X-B: 1'],
    ['x-a: 2', 'User-Agent: another'],
  ]);
});
