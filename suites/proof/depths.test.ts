import { expect, test } from 'vitest';
import { DEPTHS } from '../../harness/contract/contract.ts';
import { loadContract } from '../../harness/contract/load-contract.ts';
import { expandOnce } from '../../harness/plan/expand.ts';
import { depthTable } from './depths.ts';
import type { Proof } from './prove.ts';

const deviant = (id: string, caughtBy: Proof['caughtBy'], depth: Proof['depth'] = 'core'): Proof => ({
  depth,
  id,
  what: 'breaks something',
  family: 'deviant',
  breaks: 'token.expired',
  blamed: [],
  causes: 1,
  cases: 440,
  caughtBy,
  checks: [],
  problems: [],
});

test('a row says how many deviants the depth catches, how many only by checks, and which it misses', () => {
  const proofs = [
    deviant('one', 'matrix'),
    deviant('two', 'checks'),
    deviant('three', 'matrix', 'triples'),
    deviant('four', undefined),
  ];
  const rows = depthTable(proofs).split('\n');
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ['depth', 'deviants', 'caught', 'by checks alone', 'not caught'],
    ['core', '4', '2', '1', 'three, four'],
    ['pairwise', '4', '2', '1', 'three, four'],
    ['triples', '4', '3', '1', 'four'],
    ['full', '4', '3', '1', 'four'],
  ]);
});

test('each depth sends the cases of the one before it', async () => {
  const casesAt = expandOnce(await loadContract());
  const ids = DEPTHS.map((depth) => new Set(casesAt(depth).map(({ id }) => id)));
  for (const [at, smaller] of ids.slice(0, -1).entries())
    expect([...smaller].filter((id) => !ids[at + 1]?.has(id))).toEqual([]);
});
