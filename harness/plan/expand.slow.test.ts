import { describe, expect, test } from 'vitest';
import { DEPTHS } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { contract } from '../testing/contract.ts';
import type { Case } from './case.ts';
import { expand } from './expand.ts';
import { faultsOf } from './expectation.ts';
import { casesOfTokens } from './product.ts';

const [core, full] = (['core', 'full'] as const).map((depth) => expand(contract, depth));

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

  test('has a well-made request for each of its tokens, from which explanations are made', () => {
    const tokensOf = (cases: readonly Case[]) =>
      new Set(cases.map(({ values: { kind, validity, holding } }) => `${kind} ${validity} ${holding}`));
    expect(tokensOf(casesOfTokens(contract))).toEqual(tokensOf(full ?? []));
  });

  test('of core is part of full', () => {
    const ids = new Set(full?.map(({ id }) => id));
    expect(core?.filter(({ id }) => !ids.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('of core breaks every pair of documented faults that full breaks', () => {
    const pairsOfRules = (cases: typeof core) =>
      new Set(
        cases?.flatMap(({ values }) => {
          const { faults } = contract.matrix.depths.core;
          const broken = [
            ...new Set(
              faultsOf(contract, values).flatMap(({ id, requirement }) => (faults.includes(id) ? [requirement] : [])),
            ),
          ];
          return broken.length === 2 ? [broken.sort().join(' + ')] : [];
        }),
      );
    expect([...pairsOfRules(core)].sort()).toEqual([...pairsOfRules(full)].sort());
  });
});
