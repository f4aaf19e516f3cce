import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../harness/contract/load-contract.ts';
import { worldOf } from './fault.ts';
import { tryFault, tryFaultless } from './population.ts';

// `npm run strength` tries 2,000 faults. This test tries some of them.
const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);
const world = worldOf(await loadContract());

describe('a fault that is drawn from the model', () => {
  test('is caught, blamed on its rule and located exactly, if the plan says that core sees it', async () => {
    const outcomes = [];
    for (const seed of SEEDS) outcomes.push(await tryFault(world, 'core', seed));
    expect(outcomes.flatMap(({ seed, problems }) => problems.map((problem) => `seed ${seed}: ${problem}`))).toEqual([]);
    expect(outcomes.filter(({ extent, isSeen }) => (extent === 'row' || extent === 1) && !isSeen)).toEqual([]);
    expect(outcomes.filter(({ isSeen }) => isSeen).length).toBeGreaterThan(30);
  });

  test('is located exactly if its condition has a value that only one operation accepts', async () => {
    const fault = { rule: 'accepted', effect: 404, condition: { holding: 'only:SEARCH' } } as const;
    const { isSeen, problems } = await tryFault(world, 'core', 1, fault);
    expect([isSeen, problems]).toEqual([true, []]);
  });
});

test.each([1, 2, 3])('a target without a fault is blamed for nothing (order of checks by seed %i)', async (seed) => {
  expect(await tryFaultless(world, 'core', seed)).toEqual([]);
});
