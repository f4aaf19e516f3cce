import { describe, expect, test } from 'vitest';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import {
  accepted,
  answer,
  contract,
  exchangeOf,
  plannedCase,
  reset,
  rightAnswer,
  SEARCH_BODY,
  sendAll,
} from '../testing/small-world.ts';
import { alive, decide, full, plan, type Sent, several } from '../testing/verdicts.ts';
import { type CaseVerdict, gather, judgeCases } from './judge-cases.ts';

const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });
const unscoped = plannedCase(plan, 'search', 'USER', { holding: 'none' });
const badBody = plannedCase(plan, 'search', 'USER', { body: 'missing-field' });
const open = plannedCase(plan, 'search', 'USER', { 'act-as': 'existing' });
const refused = answer(401);
const forbidden = answer(403);
const badGateway = answer(502);

describe('a case', () => {
  test('that is answered rightly passes', () => {
    expect(decide([[expired, refused], alive])).toMatchObject({
      verdict: 'pass',
      satisfied: expect.arrayContaining(['token.expired']),
      observation: refused,
      sent: 1,
    });
  });

  test('that the specification leaves open is observed, accepted or refused', () => {
    expect(decide([[open, accepted]]).verdict).toBe('observed');
    expect(decide([[open, answer(400)], alive]).verdict).toBe('observed');
  });

  test('that was not sent is inconclusive', () => {
    const [verdict] = judgeCases({ contract, plan, trusted: false }, [expired], gather([]));
    expect(verdict).toMatchObject({ verdict: 'inconclusive', reason: 'not sent', sent: 0 });
  });

  test('that is wrongly accepted once fails, however rare', () => {
    const sent = several(expired, refused, refused, answer(200, SEARCH_BODY), refused);
    expect(decide([...sent, alive])).toMatchObject({ verdict: 'fail', miss: { wronglyAccepted: true } });
  });

  test.each<[string, readonly Observation[], CaseVerdict['verdict'], RegExp | undefined]>([
    ['and again', [forbidden, forbidden, forbidden, forbidden], 'fail', undefined],
    ['and once more among right ones', [forbidden, refused, refused, forbidden], 'fail', undefined],
    ['and never again', [forbidden, refused, refused, refused], 'inconclusive', /intermittent/],
    ['and could not be asked again', [forbidden], 'inconclusive', /could not be confirmed/],
    ['and then the network was lost', [forbidden, reset, reset, reset], 'inconclusive', /could not be confirmed/],
  ])('that is wrongly refused once %s', (_what, answers, verdict, reason) => {
    const found = decide([...several(expired, ...answers), alive]);
    expect(found).toMatchObject({ verdict, miss: { got: '403' } });
    if (reason) expect(found.reason).toMatch(reason);
  });

  test('that misses what is only recommended warns', () => {
    expect(decide([...several(badBody, answer(500), answer(500)), alive]).verdict).toBe('warn');
    expect(decide([[badBody, accepted], alive]).verdict).toBe('warn');
  });

  test('is judged on its answers alone where some sends got none', () => {
    expect(decide([...several(expired, reset, badGateway, refused), alive])).toMatchObject({
      verdict: 'pass',
      sent: 3,
    });
  });
});

describe('alike misses that were confirmed speak for one that was not', () => {
  const kinds = ['only:PINS', 'only:MCP', 'only:TOOLS', 'only:PEOPLE'];
  const cases = kinds.map((holding) => plannedCase(plan, 'search', 'USER', { holding }));
  const sendEach = (sentWrong: number) => {
    const sent: Exchange[] = [exchangeOf(full, accepted, 1)];
    for (const [index, planned] of cases.entries())
      for (let time = 0; time < (index < sentWrong ? 2 : 1); time += 1)
        sent.push(exchangeOf(planned, refused, sent.length + 1));
    return judgeCases({ contract, plan, trusted: false }, cases, gather(sent)).map(({ verdict }) => verdict);
  };

  test('when they are three', () => {
    expect(sendEach(3)).toEqual(['fail', 'fail', 'fail', 'fail']);
  });

  test('not when they are two', () => {
    expect(sendEach(2)).toEqual(['fail', 'fail', 'inconclusive', 'inconclusive']);
  });
});

describe('a transport outcome', () => {
  /** Three sends of a case that end alike, its nearest acceptance sent around each of them. */
  const around = (seen: Observation, planned = expired, nearest: readonly Observation[] = Array(4).fill(accepted)) =>
    [0, 1, 2, 3].flatMap((index): Sent[] => [
      [full, nearest[index] ?? accepted, 'recurrence'],
      ...(index < 3 ? [[planned, seen, 'recurrence'] as const] : []),
    ]);
  const decideRecurring = (sent: readonly Sent[], planned = expired) => decide([[planned, badGateway], ...sent]);

  test.each([502, 503, 504, 520, 425])('of status %d that recurs between acceptances is judged', (status) => {
    expect(decideRecurring(around(answer(status)))).toMatchObject({ verdict: 'fail', miss: { got: String(status) } });
  });

  test('of a reset that recurs between acceptances is judged', () => {
    expect(decideRecurring(around(reset))).toMatchObject({
      verdict: 'fail',
      miss: { wanted: 'an answer', got: reset.detail },
    });
  });

  test.each([408, 429])('of status %d is never judged', (status) => {
    expect(decideRecurring(around(answer(status)))).toMatchObject({
      verdict: 'inconclusive',
      reason: `status ${status}`,
    });
  });

  test.each([0, 1, 2, 3])('is not judged where the nearest acceptance was lost too (around send %d)', (index) => {
    const nearest = Array.from({ length: 4 }, (_, at) => (at === index ? badGateway : accepted));
    expect(decideRecurring(around(badGateway, expired, nearest)).verdict).toBe('inconclusive');
  });

  test('is not judged where it was not the same each time', () => {
    const sent = around(badGateway).map(([planned, seen, role], index): Sent => {
      const other = index === 3 ? reset : answer(504);
      return [planned, planned === expired && index > 1 ? other : seen, role ?? 'recurrence'];
    });
    expect(decideRecurring(sent).verdict).toBe('inconclusive');
  });

  test('is not judged beside acceptances of another case than the nearest', () => {
    const other = plannedCase(plan, 'chat', 'OKTA');
    const sent = around(badGateway, expired, Array(4).fill(badGateway)).flatMap((step): Sent[] => [
      step,
      [other, accepted, 'recurrence'],
    ]);
    expect(decideRecurring(sent).verdict).toBe('inconclusive');
  });

  test('that recurs where only a recommendation is at stake warns', () => {
    expect(decideRecurring(around(reset, badBody), badBody).verdict).toBe('warn');
    expect(decideRecurring(around(badGateway, badBody), badBody).verdict).toBe('warn');
  });

  test('that recurs beside a fault may be what the specification leaves open there', () => {
    const both = plannedCase(plan, 'search', 'USER', { validity: 'expired', 'act-as': 'existing' });
    for (const seen of [badGateway, reset])
      expect(decideRecurring(around(seen, both), both).miss?.suspects.map(({ requirement }) => requirement)).toEqual([
        'token.expired',
        'act-as.not-needed',
      ]);
  });

  test('is not judged when it came twice only', () => {
    expect(decideRecurring(around(badGateway).slice(0, 5)).verdict).toBe('inconclusive');
  });

  test('is not judged when it came on ordinary sends only', () => {
    const sent = around(badGateway).map(([planned, seen]): Sent => [planned, seen, 'cell']);
    expect(decideRecurring(sent)).toMatchObject({ verdict: 'inconclusive', reason: 'status 502' });
  });

  test('that recurs where the specification is silent fails: it is never a server error, nor no answer', () => {
    for (const seen of [badGateway, reset])
      expect(decideRecurring(around(seen, open), open)).toMatchObject({
        verdict: 'fail',
        miss: { suspects: [{ requirement: 'act-as.not-needed' }] },
      });
  });
});

test('an answer whose body was not read as far as its message decides nothing', () => {
  const missing = plannedCase(plan, 'search', 'GLOBAL', { 'act-as': 'absent' });
  const cut = { ...answer(400, 'a long story'), truncated: true as const };
  expect(decide(several(missing, cut, cut), true)).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/longer.*than what is read/),
  });
});

test('a target that answers everything rightly fails nothing and loses nothing', () => {
  const verdicts = judgeCases(
    { contract, plan, trusted: false },
    plan.cases.values(),
    gather(sendAll(plan, ({ values }) => rightAnswer(values), 1)),
  );
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['pass', 'observed']));
  expect(verdicts.find((verdict) => verdict.case === unscoped)).toMatchObject({
    verdict: 'pass',
    observation: { status: 403 },
  });
});
