import { describe, expect, test } from 'vitest';
import { gather, judgeCases } from '../judge/judge-cases.ts';
import { casesAt } from '../testing/contract.ts';
import { contract, planWith, rightAnswer, sendAll, settingsWith } from '../testing/small-world.ts';
import { type ReportedSight, sightInWords, sightOf, unseenInWords } from './sight.ts';

/** What a run at depth core sees of a conforming target with these variables. */
function sightWith(changes: Readonly<Record<string, string | undefined>>) {
  const settings = settingsWith(changes);
  const plan = planWith(changes, 'core', casesAt);
  const exchanges = sendAll(plan, ({ values }) => rightAnswer(values), 1);
  const verdicts = judgeCases({ contract, plan, trusted: true }, plan.cases.values(), gather(exchanges));
  return sightOf({ contract, settings }, { plan, verdicts });
}

const shareOf = (percent: number) => ({ combinations: 100, seen: percent, percent });
const sight: readonly ReportedSight[] = [
  { values: 0, ofTokens: shareOf(100), ofClaims: shareOf(80) },
  { values: 1, ofTokens: shareOf(64), ofClaims: shareOf(57) },
];

describe('what a run sees', () => {
  test('is the same of its tokens and of its claims if every token is set', () => {
    for (const { ofTokens, ofClaims } of sightWith({ CONFORMANCE_CLAIMS: 'user oauth' }))
      expect(ofTokens).toEqual(ofClaims);
  });

  test('is less of its claims than of its tokens if a token is not set', () => {
    const [one] = sightWith({ CONFORMANCE_CLAIMS: 'user oauth', OAUTH_TOKEN_FOREIGN: undefined });
    expect(one?.ofClaims.percent).toBeLessThan(one?.ofTokens.percent ?? 0);
    expect(one?.ofClaims.combinations).toBeGreaterThan(one?.ofTokens.combinations ?? 0);
  });

  test('does not depend on tokens of kinds that are not claimed', () => {
    const few = { CONFORMANCE_CLAIMS: 'user', GLOBAL_TOKEN: undefined, GLOBAL_TOKEN_SEARCH: undefined };
    expect(sightWith(few)).toEqual(sightWith({ CONFORMANCE_CLAIMS: 'user' }));
  });

  test('is one sentence if both are the same, and else two that say of what', () => {
    expect(sightInWords(sight.map((one) => ({ ...one, ofClaims: one.ofTokens })))).toEqual([
      '100 % of faults of one documented row, 64 % of those triggered by one more value',
    ]);
    expect(sightInWords(sight)).toEqual([
      '100 % of faults of one documented row, 64 % of those triggered by one more value (of what the tokens that are set can show)',
      '80 % of faults of one documented row, 57 % of those triggered by one more value (of everything claimed)',
    ]);
    expect(unseenInWords(sight)).toBe('0 % of faults of one documented row, 36 % of those triggered by one more value');
  });
});
