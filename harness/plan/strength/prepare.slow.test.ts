import { describe, expect, test } from 'vitest';
import type { Contract } from '../../contract/contract.ts';
import { tableOf } from '../../contract/table.ts';
import { contract } from '../../testing/contract.ts';
import { expand } from '../expand.ts';
import { casesAtFull } from '../requirements-about.ts';
import { isolatedCases } from './isolation.ts';
import { prepare } from './prepare.ts';

const none = tableOf([]);
const nothing = { depths: { core: none, pairwise: none, triples: none }, isolated: none, atFull: {} };
const { prepared: _kept, ...fresh } = contract;

describe('what the build works out', () => {
  // To work it out takes two seconds. What a contract has from an earlier build does not count.
  const prepared: Contract = { ...fresh, prepared: prepare({ ...fresh, prepared: nothing }) };

  test('has the cases of core, and more cases for each depth after it', () => {
    expect(expand(prepared, 'core')).toEqual(expand(fresh, 'core'));
    const [core = 0, pairwise = 0, triples = 0] = (['core', 'pairwise', 'triples'] as const).map(
      (depth) => expand(prepared, depth).length,
    );
    expect(core).toBeLessThan(pairwise);
    expect(pairwise).toBeLessThan(triples);
  });

  test('has the cases that show one rule, also those of some kinds', () => {
    const kinds = ['GLOBAL', 'USER'];
    expect(isolatedCases(prepared)).toEqual(isolatedCases(fresh));
    expect(isolatedCases(prepared, kinds)).toEqual(isolatedCases(fresh, kinds));
  });

  test('counts the cases of depth full that can decide a requirement', () => {
    const counts = casesAtFull(prepared);
    expect(counts).toEqual(casesAtFull(fresh));
    const about = (id: string) => (counts[id] ?? 0) / expand(fresh, 'full').length;
    expect([about('token.expired'), about('unknown')]).toEqual([expect.closeTo(0.33, 1), 0]);
  });

  test('is not worked out again by a command', () => {
    const empty = { ...fresh, prepared: nothing };
    expect([expand(empty, 'core'), isolatedCases(empty), casesAtFull(empty)]).toEqual([[], [], {}]);
  });
});
