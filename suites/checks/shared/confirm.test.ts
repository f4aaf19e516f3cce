import { describe, expect, test } from 'vitest';
import { type Assessment, type Confirmation, confirm } from './confirm.ts';

describe('the confirmation of an answer', () => {
  test.for<
    readonly [came: readonly Assessment[], kind: Confirmation<Assessment>['kind'], times: number, sentence: string]
  >([
    [['right'], 'right', 1, 'a right answer counts at once'],
    [['lost'], 'lost', 1, 'a missing answer is not asked for again'],
    [['wrong at once'], 'wrong', 1, 'a wrong acceptance counts at once'],
    [['wrong', 'wrong', 'wrong', 'wrong'], 'wrong', 4, 'a wrong refusal counts when it comes every time'],
    [['wrong', 'wrong', 'wrong', 'right'], 'fleeting', 4, 'a wrong refusal does not count when it comes most times'],
    [['wrong', 'wrong at once'], 'wrong', 2, 'a wrong refusal counts when a wrong acceptance follows'],
    [['wrong', 'right'], 'fleeting', 2, 'a wrong refusal does not count when a right answer follows'],
    [['wrong', 'lost'], 'fleeting', 2, 'a wrong refusal does not count when no further answer comes'],
  ])('%s: %s', async ([came, kind, times]) => {
    let asked = 0;
    const ask = async () => came[asked++] ?? 'right';
    expect((await confirm(ask, (assessment) => assessment)).kind).toBe(kind);
    expect(asked).toBe(times);
  });
});
