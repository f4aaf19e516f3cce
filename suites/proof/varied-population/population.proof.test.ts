import { describe, expect, test } from 'vitest';
import { influences, otherPaths, sideDoors } from '../../checks/influences.ts';
import { checkOf } from '../../testing/checks.ts';
import type { Fault } from './fault.ts';
import { triedBy, tryFaults } from './population.ts';

const BESIDE = [
  ...(['header', 'cookie', 'parameter', 'field', 'content-type', 'transport', 'auth-type', 'authorization'] as const),
];
const ELSEWHERE = ['method', 'path'] as const;
/** How many faults are drawn of what each check tries, and how many values it tries at least. */
const POPULATION = [
  { check: checkOf(influences), kinds: BESIDE, faults: 700, values: 2_400 },
  { check: checkOf(otherPaths), kinds: ELSEWHERE, faults: 200, values: 250 },
  { check: checkOf(sideDoors), kinds: ELSEWHERE, faults: 100, values: 250 },
];

describe.each(POPULATION)('a fault that $check.id meets', async ({ check, kinds, faults, values }) => {
  const tried = await triedBy({ check, kinds });
  const valuesOf = (some: readonly Fault[]) => new Set(some.map(({ operation, at }) => `${operation} ${at}`)).size;

  test('may be on almost every value of its rows, and a target without one is blamed for nothing', () => {
    expect(valuesOf(tried.faults)).toBeGreaterThan(values);
    expect(tried.blamed).toEqual([]);
  });

  test('is caught, blamed on its requirement alone, and named by its row', async () => {
    const [drawn, problems]: [Fault[], string[]] = [[], []];
    let seed = 0;
    while (drawn.length < faults) {
      seed += 1;
      const outcome = await tryFaults(tried, seed);
      drawn.push(...outcome.drawn);
      problems.push(...outcome.problems.map((problem) => `seed ${seed}: ${problem}`));
    }
    const found = `${drawn.length} faults on ${valuesOf(drawn)} of ${valuesOf(tried.faults)} values`;
    console.log(`${check.id}: seeds 1 to ${seed}, ${found}, ${problems.length} problems`);
    expect(problems).toEqual([]);
  });
});
