import { describe, expect, test } from 'vitest';
import { contract, planWith } from '../testing/small-world.ts';
import { narrow } from './narrow.ts';
import { type Narrowing, WHOLE } from './narrowing.ts';
import { readShard } from './shard.ts';

const plan = planWith({ USER_TOKEN_EXPIRED: undefined });
const checks = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, requirements: [] }));
const share = (index: number, of: number, more: Partial<Narrowing> = {}) =>
  narrow(contract, plan, checks, { ...WHOLE, ...more, shard: { index, of } });
const shares = (of: number) => Array.from({ length: of }, (_, index) => share(index + 1, of));

describe('shards of a run', () => {
  test.each([1, 2, 4, 7])('partition it when there are %d', (of) => {
    const parts = shares(of);
    const groups = parts.flatMap((part) => part.plan.groups.map(({ id }) => id));
    const untestable = parts.flatMap((part) => part.plan.undecidable.map((found) => found.case.id));
    expect(groups.sort()).toEqual(plan.groups.map(({ id }) => id).sort());
    expect(untestable.sort()).toEqual(plan.undecidable.map((found) => found.case.id).sort());
    expect(parts.flatMap((part) => part.checks.map(({ id }) => id)).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('leave a group of which nothing can be sent to the first', () => {
    const lacking = planWith({ CONFORMANCE_CLAIMS: 'user', USER_TOKEN: undefined });
    const of = (index: number) => narrow(contract, lacking, [], { ...WHOLE, shard: { index, of: 2 } }).plan.undecidable;
    expect(of(1).length + of(2).length).toBe(lacking.undecidable.length);
    expect(of(1).some(({ case: { values } }) => values.kind === 'GLOBAL')).toBe(true);
  });

  test('keep groups whole and in the order of the run', () => {
    const position = new Map(plan.groups.map((group, index) => [group, index]));
    for (const part of shares(3)) {
      const positions = part.plan.groups.map((group) => position.get(group) ?? -1);
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      expect(positions).not.toContain(-1);
    }
  });

  test('keep the controls that their cases need', () => {
    for (const part of shares(5))
      for (const { control } of part.plan.cases.values())
        if (control !== undefined) expect(part.plan.cases.has(control)).toBe(true);
  });

  test('are of about the same size', () => {
    const sizes = shares(4).map((part) => part.plan.groups.reduce((sum, { cases }) => sum + cases.length, 0));
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(plan.cases.size / 4);
  });

  test('divide what other flags leave', () => {
    const only = { only: ['search/**'] };
    const ids = [1, 2].flatMap((index) => share(index, 2, only).plan.groups.map(({ id }) => id));
    expect(ids.sort()).toEqual(
      plan.groups
        .map(({ id }) => id)
        .filter((id) => id.startsWith('search/'))
        .sort(),
    );
  });

  test.each(['0/4', '5/4', '1', 'a/b', '1/0', '-1/4', '1/4/2', ''])('are not %j', (text) => {
    expect(() => readShard(text)).toThrow(/wanted i\/n with i from 1 to n/);
  });

  test('are read as they are written', () => {
    expect(readShard('2/4')).toEqual({ index: 2, of: 4 });
  });
});
