import { describe, expect, test } from 'vitest';
import type { Observation } from '../record/observation.ts';
import {
  accepted,
  answer,
  contract,
  plannedCase,
  reset,
  rightAnswer,
  SEARCH_BODY,
  sendAll,
} from '../testing/small-world.ts';
import { acceptedControl, decide, full, plan, type Sent, several } from '../testing/verdicts.ts';
import { type CaseVerdict, gather, judgeCases } from './judge-cases.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const unscoped = plannedCase(plan, 'search', 'USER', { holding: 'none' });
const badBody = plannedCase(plan, 'search', 'USER', { body: 'missing-field' });
const open = plannedCase(plan, 'search', 'USER', { 'act-as': 'existing' });
const refused = answer(401);
const forbidden = answer(403);
const badGateway = answer(502);

describe('a case', () => {
  test('with the right answer passes', () => {
    expect(decide([[expired, refused], acceptedControl])).toMatchObject({
      verdict: 'pass',
      satisfied: expect.arrayContaining(['token.expired']),
      observation: refused,
      sent: 1,
    });
  });

  test('that the specification leaves open is observed, whether accepted or refused', () => {
    expect(decide([[open, accepted]])).toMatchObject({ verdict: 'observed', satisfied: [] });
    expect(decide([[open, answer(400)], acceptedControl])).not.toHaveProperty('unread');
    expect(decide([[open, answer(400)], acceptedControl]).verdict).toBe('observed');
  });

  test('that was not sent is inconclusive', () => {
    expect(judgeCases({ contract, plan, trusted: false }, [expired], gather([]))[0]).toMatchObject({
      verdict: 'inconclusive',
      reason: 'not sent',
      sent: 0,
    });
  });

  test('that is wrongly accepted once fails, even if all other sends are refused', () => {
    const sent = several(expired, refused, refused, answer(200, SEARCH_BODY), refused);
    expect(decide([...sent, acceptedControl])).toMatchObject({ verdict: 'fail', miss: { wronglyAccepted: true } });
  });

  test.each<[string, CaseVerdict['verdict'], readonly Observation[], RegExp | undefined]>([
    ['on every send', 'fail', [forbidden, forbidden, forbidden, forbidden], undefined],
    ['on six of twelve sends', 'fail', [...Array(6).fill(forbidden), ...Array(6).fill(refused)], undefined],
    ['on two of four sends', 'inconclusive', [forbidden, refused, refused, forbidden], /may be chance/],
    ['once and not again', 'inconclusive', [forbidden, refused, refused, refused], /intermittent/],
    ['and not sent again', 'inconclusive', [forbidden], /could not be confirmed/],
    ['once and then gets no answer', 'inconclusive', [forbidden, reset, reset, reset], /could not be confirmed/],
  ])('that is wrongly refused %s gets the verdict %s', (_what, verdict, answers, reason) => {
    const found = decide([...several(expired, ...answers), acceptedControl]);
    expect(found).toMatchObject({ verdict, miss: { got: '403' }, satisfied: [], observation: forbidden });
    if (reason) expect(found.reason).toMatch(reason);
  });

  test('whose body was not read to its end passes, and says what that leaves unread', () => {
    const cut = { ...accepted, truncated: true as const };
    expect(decide([[full, cut]])).toMatchObject({ verdict: 'pass', unread: ['search.response'] });
    expect(decide([[full, accepted]])).not.toHaveProperty('unread');
  });

  test('that is wrong in several ways shows the first, unless a later one is a wrong acceptance', () => {
    const got = (...answers: readonly Observation[]) =>
      decide([...several(expired, ...answers), acceptedControl]).miss?.got;
    expect(got(forbidden, answer(404))).toBe('403');
    expect(got(accepted, forbidden)).toMatch(/^200/);
  });

  test('that is first wrongly refused and then accepted is wrongly accepted', () => {
    expect(decide([...several(expired, forbidden, accepted), acceptedControl])).toMatchObject({
      verdict: 'fail',
      satisfied: [],
      miss: { wronglyAccepted: true, got: expect.stringMatching(/^200/) },
      observation: accepted,
    });
  });

  test('that misses a recommendation warns', () => {
    expect(decide([...several(badBody, answer(500), answer(500)), acceptedControl]).verdict).toBe('warn');
    expect(decide([[badBody, accepted], acceptedControl]).verdict).toBe('warn');
  });

  test('is judged on the answers that came if other sends got none', () => {
    expect(decide([...several(expired, reset, badGateway, refused), acceptedControl])).toMatchObject({
      verdict: 'pass',
      sent: 3,
    });
  });
});

describe('a transport outcome', () => {
  /** Three sends of a case with the same outcome, and a send of its nearest acceptance before and after each. */
  const around = (seen: Observation, planned = expired, nearest: readonly Observation[] = Array(4).fill(accepted)) =>
    [0, 1, 2, 3].flatMap((index): Sent[] => [
      [full, nearest[index] ?? accepted, 'recurrence'],
      ...(index < 3 ? [[planned, seen, 'recurrence'] as const] : []),
    ]);
  const decideRecurring = (sent: readonly Sent[], planned = expired) => decide([[planned, badGateway], ...sent]);

  test.each([502, 503, 504, 520, 425])('of status %d that recurs between acceptances is judged', (status) => {
    expect(decideRecurring(around(answer(status)))).toMatchObject({ verdict: 'fail', miss: { got: String(status) } });
  });

  test('that is a reset and recurs between acceptances is judged', () => {
    expect(decideRecurring(around(reset))).toMatchObject({
      verdict: 'fail',
      miss: { wanted: 'an answer', got: reset.detail, wronglyAccepted: false },
    });
  });

  const ended = { kind: 'failure', failure: 'ended', detail: '401 to $USER_TOKEN, which expired' } as const;
  test.each([answer(408), answer(429), ended])('is never judged if it is %j', (seen) => {
    expect(decideRecurring(around(seen)).verdict).toBe('inconclusive');
  });

  test.each([0, 1, 2, 3])('is not judged if the nearest acceptance gets no answer either (its send %d)', (index) => {
    const nearest = Array.from({ length: 4 }, (_, at) => (at === index ? badGateway : accepted));
    expect(decideRecurring(around(badGateway, expired, nearest)).verdict).toBe('inconclusive');
  });

  test('is not judged if the nearest acceptance was accepted in between only in another role', () => {
    const sent = around(badGateway).map(
      ([planned, seen, role], index): Sent => [planned, seen, index === 2 ? 'control' : (role ?? 'recurrence')],
    );
    expect(decideRecurring(sent)).toMatchObject({ verdict: 'inconclusive', reason: 'status 502' });
  });

  test('is not judged if it was not the same each time', () => {
    const sent = around(badGateway).map(([planned, seen, role], index): Sent => {
      const other = index === 3 ? reset : answer(504);
      return [planned, planned === expired && index > 1 ? other : seen, role ?? 'recurrence'];
    });
    expect(decideRecurring(sent).verdict).toBe('inconclusive');
  });

  test('is not judged if another case than the nearest acceptance is accepted', () => {
    const other = plannedCase(plan, 'chat', 'OKTA');
    const sent = around(badGateway, expired, Array(4).fill(badGateway)).flatMap((step): Sent[] => [
      step,
      [other, accepted, 'recurrence'],
    ]);
    expect(decideRecurring(sent).verdict).toBe('inconclusive');
  });

  test('is not judged if no answer came in different ways', () => {
    const timeout = { kind: 'failure', failure: 'timeout', detail: 'timeout' } as const;
    const sent = around(reset).map(
      ([planned, seen, role], index): Sent => [planned, index === 3 ? timeout : seen, role ?? 'cell'],
    );
    expect(decideRecurring(sent).verdict).toBe('inconclusive');
  });

  test('is not judged if the case also got answers', () => {
    expect(decide([[expired, refused], ...around(badGateway)])).toMatchObject({
      verdict: 'pass',
      observation: refused,
    });
    expect(decide([[expired, forbidden], [expired, refused], ...around(badGateway)])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/intermittent/),
    });
  });

  describe('of a run that loses requests by chance', () => {
    const others = ['OKTA', 'AZURE', 'GOOGLE', 'ONELOGIN', 'OAUTH'].map((kind) => plannedCase(plan, 'chat', kind));
    /** Requests of other cases: so many got no answer once, and so many answers came in all. */
    const losing = (lost: number, answered: number): Sent[] => [
      ...Array.from({ length: lost }, (_, index): Sent => [others[index % 5] ?? full, badGateway]),
      ...Array.from({ length: answered }, (_, index): Sent => [others[index % 5] ?? full, accepted]),
    ];
    // The recurrences of the case itself bring four more answers.
    test.each([
      ['is not judged if more than one in five is lost', 6, 19, 'inconclusive'],
      ['is judged if one in five is lost', 6, 20, 'fail'],
      ['is not judged if five are lost', 5, 10, 'inconclusive'],
      ['is judged if only four are lost', 4, 5, 'fail'],
    ])('%s', (_what, lost, answered, verdict) => {
      expect(decideRecurring([...losing(lost, answered), ...around(reset)]).verdict).toBe(verdict);
    });

    test('is judged if the lost requests are those of cases that never get an answer', () => {
      const never = Array.from({ length: 20 }, (): Sent => [unscoped, badGateway]);
      expect(decideRecurring([...never, ...around(reset)]).verdict).toBe('fail');
    });
  });

  test('that the specification leaves open decides nothing', () => {
    expect(decideRecurring(around(answer(425), open), open).verdict).toBe('inconclusive');
  });

  test('that recurs warns if the requirement is only a recommendation', () => {
    expect(decideRecurring(around(reset, badBody), badBody).verdict).toBe('warn');
    expect(decideRecurring(around(badGateway, badBody), badBody).verdict).toBe('warn');
  });

  test('that recurs may be blamed on the fault or on the silent rule of the case', () => {
    const both = plannedCase(plan, 'search', 'USER', { holding: 'none', 'act-as': 'existing' });
    const { miss } = decideRecurring(around(badGateway, both), both);
    expect(miss?.suspects.map(({ requirement }) => requirement)).toEqual(['scope.search', 'act-as.not-needed']);
  });

  test('is not judged if it came only twice', () => {
    expect(decideRecurring(around(badGateway).slice(0, 5)).verdict).toBe('inconclusive');
  });

  test('is not judged if it came only on ordinary sends', () => {
    const sent = around(badGateway).map(([planned, seen]): Sent => [planned, seen, 'cell']);
    expect(decideRecurring(sent)).toMatchObject({ verdict: 'inconclusive', reason: 'status 502' });
  });

  test('that recurs is a warning if the specification leaves the case open, because an open case should be answered', () => {
    const miss = { suspects: [{ requirement: 'act-as.not-needed' }] };
    expect(decideRecurring(around(badGateway, open), open)).toMatchObject({ verdict: 'warn', miss });
  });

  test('that is no answer and recurs is a refusal where the specification leaves the case open', () => {
    const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', 'act-as': 'existing' });
    for (const planned of [open, both])
      expect(decideRecurring(around(reset, planned), planned)).toMatchObject({ verdict: 'observed', satisfied: [] });
  });
});

test('a case is inconclusive if the part of the body with the message was not read', () => {
  const missing = plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'absent' });
  const cut = { ...answer(400, 'a long story'), truncated: true as const };
  expect(decide(several(missing, cut, cut), true)).toMatchObject({
    verdict: 'inconclusive',
    reason: 'the body is too long or too slow to be read to its end',
  });
});

test('every case of a conforming target passes or is observed', () => {
  const all = gather(sendAll(plan, ({ values }) => rightAnswer(values), 1));
  const verdicts = judgeCases({ contract, plan, trusted: false }, plan.cases.values(), all);
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  const refused = verdicts.find((verdict) => verdict.case === unscoped);
  expect(refused).toMatchObject({ verdict: 'pass', observation: { status: 403 } });
});
