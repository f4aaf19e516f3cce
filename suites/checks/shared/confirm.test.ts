import { describe, expect, test } from 'vitest';
import { acceptance, engine } from '../../testing/engine.ts';
import {
  type Assessment,
  type Confirmation,
  confirm,
  controlOf,
  LONG_PAUSES_MS,
  PATIENCE_MS,
  PAUSES_MS,
} from './confirm.ts';

describe('the confirmation of an answer', () => {
  test.for<
    readonly [came: readonly Assessment[], kind: Confirmation<Assessment>['kind'], times: number, sentence: string]
  >([
    [['right'], 'right', 1, 'a right answer counts at once'],
    [['lost'], 'lost', 1, 'a missing answer is not asked for again'],
    [['wrong at once'], 'wrong', 1, 'a wrong acceptance counts at once'],
    [['wrong', 'wrong', 'wrong', 'wrong'], 'wrong', 4, 'a wrong refusal counts when it comes every time'],
    [['wrong', 'wrong', 'wrong', 'right'], 'fleeting', 4, 'a wrong refusal does not count when it comes most times'],
    [
      ['unlike', 'unlike', 'unlike', 'unlike', 'unlike', 'unlike', 'unlike', 'unlike'],
      'wrong',
      8,
      'a page counts when it comes eight times',
    ],
    [['unlike', 'wrong'], 'fleeting', 2, 'a page does not count when a refusal follows'],
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

test('the pauses are together as long as the patience for an answer, and the long ones ten seconds', () => {
  const sum = (pauses: readonly number[]) => pauses.reduce((all, one) => all + one, 0);
  expect([sum(PAUSES_MS), sum(LONG_PAUSES_MS)]).toEqual([PATIENCE_MS, 10_000]);
});

describe('the control of requests without a token', () => {
  test('is the first kind whose documented request is accepted', async () => {
    const { api, aims } = engine((request) => (request.includes('full-GLOBAL') ? 'accepts' : 'refuses'));
    expect(await controlOf(api, 'search')).toEqual(acceptance(2));
    expect(aims).toEqual([
      'either: the documented request with the USER token is accepted',
      'either: the documented request with the GLOBAL token is accepted',
    ]);
    expect(await controlOf(api, 'search', ['USER'])).toBeUndefined();
  });

  test('is of a kind that the plan has', async () => {
    const { api, sent } = engine(() => 'accepts', { planned: () => undefined });
    expect(await controlOf(api, 'search')).toBeUndefined();
    expect(sent).toEqual([]);
  });
});
