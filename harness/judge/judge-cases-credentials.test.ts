import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, contract, plannedCase, sendAll } from '../testing/small-world.ts';
import { alive, decide, full, plan, type Sent, several } from '../testing/verdicts.ts';
import { gather, judgeCases } from './judge-cases.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const future = plannedCase(plan, 'search', 'USER', { validity: 'future-expiry' });
const refused = answer(401);
const forbidden = answer(403);

describe('a credential that is accepted nowhere', () => {
  test.each<[string, PlannedCase, Observation]>([
    ['that must be accepted', full, refused],
    ['that must be accepted, refused with 403 as a full token is', full, forbidden],
    ['of an expiry ahead', future, refused],
  ])('decides nothing of a case %s', (_what, planned, seen) => {
    const found = decide(several(planned, seen, seen));
    expect(found.verdict).toBe('inconclusive');
    expect(found.reason).toContain(`${planned.credential?.recipe} is accepted nowhere`);
  });

  test('decides nothing of a denial that it is the control of', () => {
    expect(
      decide([
        [expired, refused],
        [full, refused, 'control'],
      ]),
    ).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('its control with $USER_TOKEN was accepted nowhere'),
    });
  });

  test('decides nothing of a wrong refusal that it is the control of', () => {
    expect(decide([...several(expired, forbidden, forbidden), [full, refused, 'control']])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('its control with $USER_TOKEN was accepted nowhere'),
      miss: { got: '403' },
    });
  });

  test('decides nothing of a denial of itself where it should be accepted elsewhere', () => {
    const denied = plannedCase(plan, 'chat', 'USER', { holding: 'only:SEARCH' });
    const chat: Sent = [plannedCase(plan, 'chat', 'USER'), accepted, 'control'];
    const reason = expect.stringContaining('$USER_TOKEN_SEARCH was accepted nowhere, not even where it must be');
    for (const seen of [refused, forbidden])
      expect(decide([...several(denied, seen, seen), chat])).toMatchObject({ verdict: 'inconclusive', reason });
    const search: Sent = [plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' }), accepted];
    expect(decide([[denied, forbidden], chat, search]).verdict).toBe('pass');
    expect(decide([...several(denied, refused, refused), chat, search]).verdict).toBe('fail');
    expect(decide([...several(denied, refused, refused), chat], true).verdict).toBe('fail');
  });

  test.each([404, 422, 500])('is no excuse for status %d, which no dead token gets', (status) => {
    expect(decide(several(full, answer(status), answer(status))).verdict).toBe('fail');
  });

  test('decides all the same where the credentials were minted for this run', () => {
    expect(decide(several(full, refused, refused), true).verdict).toBe('fail');
    expect(
      decide(
        [
          [expired, refused],
          [full, refused, 'control'],
        ],
        true,
      ).verdict,
    ).toBe('pass');
  });

  test('decides nothing against a wrong acceptance', () => {
    expect(
      decide([
        [expired, accepted],
        [full, refused, 'control'],
      ]).verdict,
    ).toBe('fail');
  });

  test('lives where it is accepted in any other case', () => {
    const lower = plannedCase(plan, 'search', 'USER', { 'header-case': 'lower' });
    expect(decide([...several(full, refused, refused), [lower, accepted]]).verdict).toBe('fail');
    expect(
      decide([
        [expired, refused],
        [full, refused, 'control'],
        [lower, accepted],
      ]).verdict,
    ).toBe('pass');
  });

  test('is known to the target that answers 403 to it, while the full token of its kind works', () => {
    const single = plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' });
    expect(decide([...several(single, forbidden, forbidden), alive]).verdict).toBe('fail');
    expect(decide([...several(single, refused, refused), alive]).verdict).toBe('inconclusive');
    expect(decide(several(single, forbidden, forbidden)).verdict).toBe('inconclusive');
    expect(decide([...several(future, forbidden, forbidden), alive]).verdict).toBe('inconclusive');
  });

  test('is no excuse for a redirect', () => {
    expect(decide(several(full, answer(302), answer(302))).verdict).toBe('fail');
  });
});

test('a target that refuses every token of an operator decides nothing against itself', () => {
  const exchanges = sendAll(plan, () => refused);
  const verdicts = judgeCases({ contract, plan, trusted: false }, plan.cases.values(), gather(exchanges));
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
});
