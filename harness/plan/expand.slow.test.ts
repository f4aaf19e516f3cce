import { describe, expect, test } from 'vitest';
import { DEPTHS } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { contract } from '../testing/contract.ts';
import { expand } from './expand.ts';
import { faultsOf } from './expectation.ts';
import { pairsOf } from './pairwise.ts';

const [core, pairwise, full] = DEPTHS.map((depth) => expand(contract, depth));

describe('the matrix', () => {
  test.each(DEPTHS)('lists every case of %s once, with an id that a glob can match', (depth) => {
    const ids = expand(contract, depth).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[A-Za-z0-9:/_-]+$/.test(id))).toEqual([]);
  });

  test('gives cases the documented ids', () => {
    const ids = new Set(full?.map(({ id }) => id));
    expect(ids).toContain('search/GLOBAL/expired/all/act-as:absent/auth-type:absent');
    expect(ids).toContain('chat/USER/valid/only:CHAT/act-as:absent/auth-type:absent/header-case:lower');
    expect(ids).toContain('search/none/act-as:absent/auth-type:absent');
  });

  test('is the same every time', async () => {
    expect(expand(await loadContract(), 'full')).toEqual(full);
  });

  test('of core is part of full', () => {
    const ids = new Set(full?.map(({ id }) => id));
    expect(core?.filter(({ id }) => !ids.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('of pairwise covers every pair of values that occurs in full', () => {
    const pairsByKind = (cases: typeof core) =>
      cases?.flatMap(({ values }) => pairsOf(values).map((pair) => `${values.operation} ${values.kind} ${pair}`));
    const covered = new Set(pairsByKind(pairwise));
    const missing = new Set(pairsByKind(full)?.filter((pair) => !covered.has(pair)));
    expect([...missing]).toEqual([]);
  });

  test('of core breaks every pair of its faults that full breaks', () => {
    const pairsOfRules = (cases: typeof core) =>
      new Set(
        cases?.flatMap(({ values }) => {
          const { faults } = contract.matrix.depths.core;
          const broken = [
            ...new Set(
              faultsOf(contract, values).flatMap(({ id, requirement }) => (faults.includes(id) ? [requirement] : [])),
            ),
          ];
          return broken.length === 2 ? [`${values.operation} ${values.kind} ${broken.join(' + ')}`] : [];
        }),
      );
    expect([...pairsOfRules(core)].sort()).toEqual([...pairsOfRules(full)].sort());
  });
});
