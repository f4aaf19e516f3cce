import { describe, expect, test } from 'vitest';
import { type Contract, DEPTHS, type Prepared } from '../../contract/contract.ts';
import { tableOf } from '../../contract/table.ts';
import { contract } from '../../testing/contract.ts';
import { expand } from '../expand.ts';
import { isolatedCases } from './isolation.ts';
import { prepare } from './prepare.ts';

const { prepared: _kept, ...fresh } = contract;
const prepared = prepare(fresh);
const holding = (changed: Partial<Prepared>): Contract => ({ ...fresh, prepared: { ...prepared, ...changed } });

describe('what the build works out', () => {
  test('is the same if it is worked out again from a contract that has it', () => {
    expect(prepare(holding({ isolated: tableOf([]) }))).toEqual(prepared);
  });

  test.each(DEPTHS)('has the cases of %s', (depth) => {
    expect(expand(holding({}), depth)).toEqual(expand(fresh, depth));
  });

  test('has the cases that show one rule, also of some kinds', () => {
    expect(isolatedCases(holding({}))).toEqual(isolatedCases(fresh));
    const kinds = ['GLOBAL', 'USER'];
    expect(isolatedCases(holding({}), kinds)).toEqual(isolatedCases(fresh, kinds));
  });

  test('is not worked out again by a command', () => {
    const none = tableOf([]);
    const empty = holding({ depths: { core: none, pairwise: none, triples: none }, isolated: none });
    expect([expand(empty, 'core'), isolatedCases(empty)]).toEqual([[], []]);
  });
});
