import { describe, expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, casesAt, contract, plannedCase, planWith, reset, sendAll } from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, type Sent, several } from '../testing/verdicts.ts';
import { gather, judgeCases } from './judge-cases.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const future = plannedCase(plan, 'search', 'USER', { validity: 'future-expiry' });
const refused = answer(401);
const forbidden = answer(403);

const neverAccepted = (recipe = '') => `no request with ${recipe} was accepted; check this token first`;

describe('a credential that is never accepted', () => {
  test.each<[string, PlannedCase, Observation]>([
    ['refused with 401', full, refused],
    ['with a full token refused with 403', full, forbidden],
    ['with a future expiry refused with 401', future, refused],
  ])('decides nothing about a case that must be accepted, %s', (_what, planned, seen) => {
    expect(decide(several(planned, seen, seen))).toMatchObject({
      verdict: 'inconclusive',
      reason: neverAccepted(planned.credential?.recipe),
    });
  });

  test('decides nothing about a refusal if the control uses it', () => {
    expect(
      decide([
        [expired, refused],
        [full, refused, 'control'],
      ]),
    ).toMatchObject({
      verdict: 'inconclusive',
      reason: neverAccepted('$USER_TOKEN'),
    });
  });

  test('decides nothing about a wrong refusal if the control uses it', () => {
    expect(decide([...several(expired, forbidden, forbidden), [full, refused, 'control']])).toMatchObject({
      verdict: 'inconclusive',
      reason: neverAccepted('$USER_TOKEN'),
      miss: { got: '403' },
    });
  });

  test('decides nothing about its own refusal if another request with it must be accepted', () => {
    const denied = plannedCase(plan, 'chat', 'USER', { holding: 'only:SEARCH' });
    const chat: Sent = [plannedCase(plan, 'chat', 'USER'), accepted, 'control'];
    const reason = neverAccepted('$USER_TOKEN_SEARCH');
    for (const seen of [refused, forbidden])
      expect(decide([...several(denied, seen, seen), chat])).toMatchObject({ verdict: 'inconclusive', reason });
    const search: Sent = [plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' }), accepted];
    expect(decide([[denied, forbidden], chat, search]).verdict).toBe('pass');
    expect(decide([...several(denied, refused, refused), chat, search]).verdict).toBe('fail');
    expect(decide([...several(denied, refused, refused), chat], true).verdict).toBe('fail');
  });

  test('decides nothing about its own refusal if a request was sent as its proof, which the plan has not', () => {
    const one = planWith({}, 'core', () => casesAt('core').filter(({ values }) => values.operation === 'chat'));
    const denied = plannedCase(one, 'chat', 'USER', { holding: 'only:SEARCH' });
    const proof = one.proofOf(denied);
    if (!proof) throw new Error('no proof');
    expect(proof.id).toBe(plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' }).id);
    expect(one.cases.has(proof.id)).toBe(false);
    const chat: Sent = [plannedCase(one, 'chat', 'USER'), accepted, 'control'];
    const sent = [...several(denied, refused, refused), chat];
    expect(decide(sent, false, one).verdict).toBe('fail');
    expect(decide([...sent, [proof, refused, 'control']], false, one)).toMatchObject({
      verdict: 'inconclusive',
      reason: neverAccepted('$USER_TOKEN_SEARCH'),
      tokenRefused: true,
    });
    expect(decide([...sent, [proof, accepted, 'control']], false, one).verdict).toBe('fail');
    const lost = decide([...sent, [proof, reset, 'control']], false, one);
    expect([lost.verdict, lost.tokenRefused]).toEqual(['inconclusive', undefined]);
  });

  test.each([302, 404, 422, 500])('does not excuse status %d, which is not a refusal of a token', (status) => {
    expect(decide(several(full, answer(status), answer(status))).verdict).toBe('fail');
  });

  test('decides if it was made for this run', () => {
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

  test('does not excuse a wrong acceptance', () => {
    expect(
      decide([
        [expired, accepted],
        [full, refused, 'control'],
      ]).verdict,
    ).toBe('fail');
  });

  test('decides as soon as another case with it is accepted, although the control is refused', () => {
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

  test('decides with 403 for a partial token, while the full token of its kind works', () => {
    const single = plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' });
    expect(decide([...several(single, forbidden, forbidden), acceptedControl]).verdict).toBe('fail');
    expect(decide([...several(single, refused, refused), acceptedControl]).verdict).toBe('inconclusive');
    expect(decide(several(single, forbidden, forbidden)).verdict).toBe('inconclusive');
    expect(decide([...several(future, forbidden, forbidden), acceptedControl]).verdict).toBe('inconclusive');
  });

  test('does not decide with 403 because a token of another kind or another partial token works', () => {
    const single = plannedCase(plan, 'search', 'USER', { holding: 'only:SEARCH' });
    const others: PlannedCase[] = [
      plannedCase(plan, 'search', 'GLOBAL'),
      plannedCase(plan, 'chat', 'USER', { holding: 'only:CHAT' }),
    ];
    for (const other of others)
      expect(decide([...several(single, forbidden, forbidden), [other, accepted]]).verdict).toBe('inconclusive');
  });
});

test('every case is inconclusive if the target refuses every token of the operator', () => {
  const exchanges = sendAll(plan, () => refused);
  const verdicts = judgeCases({ contract, plan, trusted: false }, plan.cases.values(), gather(exchanges));
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
});

const own = several(expired, forbidden, refused, refused, forbidden);

test('a wrong answer that comes and goes may be chance, and more sends would tell', () => {
  expect(decide([...own, acceptedControl])).toMatchObject({
    verdict: 'inconclusive',
    intermittent: true,
    unclear: true,
  });
});

test('a wrong answer that comes as seldom as elsewhere is likely chance, and more sends would tell nothing', () => {
  const elsewhere = Array.from({ length: 20 }, (_, at): Sent => [full, at % 2 === 0 ? forbidden : accepted]);
  const verdict = decide([...own, ...elsewhere]);
  expect(verdict).toMatchObject({ verdict: 'inconclusive', intermittent: true });
  expect(verdict).not.toHaveProperty('unclear');
});
