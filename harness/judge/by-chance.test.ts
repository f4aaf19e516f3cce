import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, plannedCase, planWith, reset } from '../testing/small-world.ts';
import { chanceOf, elsewhereIn, mayBeChance } from './by-chance.ts';

describe('the chance of an answer', () => {
  test('is that of all its places', () => {
    // Two answers among four sends: one in six that both fall to the first two.
    expect(chanceOf({ times: 2, sends: 2 }, { times: 0, sends: 2 })).toBeCloseTo(1 / 6, 12);
    // One of the two sends, or both.
    expect(chanceOf({ times: 1, sends: 2 }, { times: 1, sends: 2 })).toBeCloseTo(5 / 6, 12);
    expect(chanceOf({ times: 0, sends: 4 }, { times: 3, sends: 90 })).toBeCloseTo(1, 9);
  });

  test('is the binomial one where much is known', () => {
    const binomial = 6 * 0.02 ** 2 * 0.98 ** 2 + 4 * 0.02 ** 3 * 0.98 + 0.02 ** 4;
    expect(chanceOf({ times: 2, sends: 4 }, { times: 20_000, sends: 1_000_000 })).toBeCloseTo(binomial, 5);
  });
});

describe('a wrong answer', () => {
  const share = (times: number, sends: number) => ({ times, sends });
  const gateway = { times: 8, sends: 400 };
  const never = { times: 0, sends: 400 };
  test.each<[sentence: string, own: typeof gateway, elsewhere: typeof gateway, chance: string]>([
    ['that comes every time, and never elsewhere, is no chance', share(2, 2), never, 'no'],
    [
      'that comes every time, and never elsewhere, is no chance in a short run either',
      share(4, 4),
      { times: 0, sends: 3 },
      'no',
    ],
    ['that comes every second time, and never elsewhere, is no chance', share(5, 10), never, 'no'],
    [
      'that comes every second time, and never elsewhere, is no chance in a short run either',
      share(7, 14),
      { times: 0, sends: 3 },
      'no',
    ],
    ['that comes twice of four times, and never elsewhere, needs more sends', share(2, 4), never, 'unclear'],
    ['that comes twice of two times, and now and then elsewhere, needs more sends', share(2, 2), gateway, 'unclear'],
    ['that comes every time, and now and then elsewhere, is no chance', share(8, 8), gateway, 'no'],
    ['that comes every second time, and now and then elsewhere, is no chance', share(8, 16), gateway, 'no'],
    ['that comes as seldom as elsewhere is likely chance', share(2, 16), gateway, 'likely'],
  ])('%s', (_sentence, own, elsewhere, chance) => {
    expect(mayBeChance(own, elsewhere, 200)).toBe(chance);
  });

  test('needs to be rarer the more cases there are', () => {
    const own = { times: 4, sends: 4 };
    expect(mayBeChance(own, gateway, 10)).toBe('no');
    expect(mayBeChance(own, gateway, 10_000)).toBe('unclear');
  });
});

describe('how often an answer came elsewhere', () => {
  const plan = planWith();
  const accept = plannedCase(plan, 'search', 'USER', {});
  const acceptToo = plannedCase(plan, 'search', 'GLOBAL', {});
  const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
  const expiredToo = plannedCase(plan, 'search', 'GLOBAL', { validity: 'expired' });
  const unscoped = plannedCase(plan, 'search', 'USER', { holding: 'none' });
  const expiredAndUnscoped = plannedCase(plan, 'search', 'USER', { validity: 'expired', holding: 'none' });
  const open = plannedCase(plan, 'search', 'USER', { 'act-as': 'existing' });
  const found = (...sent: readonly (readonly [PlannedCase, readonly Observation[]])[]) =>
    elsewhereIn(
      plan,
      new Map(
        sent.map(([{ id }, seen]) => [
          id,
          seen.map((observation) => ({ case: id, observation }) as unknown as Exchange),
        ]),
      ),
    );

  test('counts the other cases in which it came and went', () => {
    const elsewhere = found(
      [expired, [answer(302), answer(302), answer(401)]],
      [accept, [accepted, answer(302), accepted]],
      [unscoped, [answer(403)]],
    );
    expect(elsewhere(expired, answer(302))).toEqual({ times: 1, sends: 4 });
  });

  test('leaves out cases that show the same, that get it every time, or that got no answer', () => {
    const elsewhere = found(
      [expired, [answer(302)]],
      [expiredToo, [answer(302), answer(401)]],
      [expiredAndUnscoped, [answer(302), answer(401)]],
      [unscoped, [answer(302), answer(302)]],
      [accept, [reset, reset]],
    );
    expect(elsewhere(expired, answer(302))).toEqual({ times: 0, sends: 0 });
  });

  test('compares an acceptance with refusals, because what refuses it may refuse every request without a fault', () => {
    const elsewhere = found(
      [accept, [answer(403), accepted]],
      [acceptToo, [answer(403), accepted]],
      [open, [answer(403), accepted]],
      [expired, [answer(401)]],
    );
    expect(elsewhere(accept, answer(403))).toEqual({ times: 0, sends: 1 });
  });

  test('knows answers by status and look', () => {
    const page: Observation = { ...answer(302), kind: 'answer', contentType: 'text/html' } as Observation;
    const elsewhere = found([accept, [page, accepted]], [expired, [answer(302), answer(401)]]);
    expect(elsewhere(expired, answer(302))).toEqual({ times: 0, sends: 2 });
  });
});
