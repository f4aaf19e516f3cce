import { describe, expect, test } from 'vitest';
import { LAWS, VARIATION_KINDS } from '../contract/variations.ts';
import { WHOLE } from '../plan/narrowing.ts';
import type { Decision } from '../record/exchange.ts';
import { contract } from '../testing/contract.ts';
import { variedIn } from './not-tried.ts';

const facts = {
  contract,
  leftOut: { intrusive: [], narrowed: [] },
  narrowing: { only: [] },
  breadth: 'whole',
} as never;
const head = { id: 'influences', requirements: [] };
const decision = (counts: object): Decision => ({
  ...{ type: 'decision', check: 'influences', requirement: 'token.expired', operation: 'search', kind: 'USER' },
  ...{ verdict: 'pass', detail: '', steps: [], varied: { law: 'refusal', counts } },
});
const { varied: _varied, ...undecided } = decision({});
const lost: Decision = { ...undecided, verdict: 'inconclusive' };
const cookies = (given: object, decisions: readonly Decision[] = []) =>
  variedIn({ ...(facts as object), ...given } as never, decisions).find(
    ({ law, variation }) => law === 'refusal' && variation === 'cookie',
  );

describe('what was varied', () => {
  test('says with how many of the known variations a law was tried', () => {
    const known = cookies({})?.known ?? 0;
    expect(cookies({}, [decision({ cookie: 3 })])).toMatchObject({ tried: 3, why: expect.stringMatching(/not set/) });
    expect(cookies({}, [decision({ cookie: known })])).toMatchObject({ tried: known, why: null });
    // A cookie that the target sets is no row.
    expect(cookies({}, [decision({ cookie: known + 1 })])).toMatchObject({ tried: known });
  });

  test.each([
    ['the run is telling', { breadth: 'telling' }, [decision({ cookie: 3 })], 'the others need --intrusive'],
    ['the check needs --intrusive', { leftOut: { intrusive: [head], narrowed: [] } }, [], 'needs --intrusive'],
    [
      'the run is narrowed',
      { leftOut: { intrusive: [], narrowed: [head] }, narrowing: { ...WHOLE, only: ['isolation'] } },
      [],
      'left out by --only isolation',
    ],
    ['no answer came', {}, [lost], 'the check influences is undecided'],
    ['nothing came of it', {}, [], 'the check influences had nothing to try it with'],
  ])('says why not all were tried if %s', (_what, given, decisions, why) => {
    expect(cookies(given, decisions)?.why).toBe(why);
  });

  test('has a row for each law and kind, and a reason where no check tries it', () => {
    const all = variedIn(facts, []);
    expect(all).toHaveLength(LAWS.length * VARIATION_KINDS.length);
    expect(all.filter(({ why }) => why === null)).toEqual([]);
  });
});
