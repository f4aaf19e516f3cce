import { afterAll, describe, expect, test } from 'vitest';
import { judgeRun } from '../judge/judge-run.ts';
import type { Decision, Exchange } from '../record/exchange.ts';
import { noJournal } from '../record/journal.ts';
import type { MarkerPlace } from '../record/marker-places.ts';
import type { Observation } from '../record/observation.ts';
import { startSession } from '../run/start-session.ts';
import { decision, expiredUser, reportOf } from '../testing/report.ts';
import {
  accepted,
  answer,
  casesAt,
  contract,
  exchangeOf,
  plannedCase,
  reset,
  rightAnswer,
  sendAll,
  settingsWith,
} from '../testing/small-world.ts';
import { createStepLog } from './steps.ts';

const facts = startSession(settingsWith(), { journal: noJournal, casesAt });
const { plan } = facts;
afterAll(() => facts.close());

/** The steps for a case, of a run in which it gets this answer every time, and others the right one. */
function stepsOfCase(id: string, wrong: Observation) {
  const exchanges = sendAll(plan, (planned) => (planned.id === id ? wrong : rightAnswer(planned.values)));
  const { verdicts } = judgeRun({ contract, plan, exchanges, decisions: [], trusted: true, narrowed: false });
  const verdict = verdicts.find(({ case: found }) => found.id === id);
  return verdict ? createStepLog(facts, exchanges).ofCase(verdict) : [];
}

describe('the steps of a failing case', () => {
  const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });

  test('are the control that was accepted before it, the case, and its confirmation', () => {
    const steps = stepsOfCase(expired.id, accepted);
    expect(steps.map(({ shows, wanted, failed }) => ({ shows, wanted, failed }))).toEqual([
      { shows: `the control ${expired.control} is accepted`, wanted: '200', failed: false },
      {
        shows: expired.id,
        wanted: expect.stringMatching(/^401; or 4xx \(with a warning\) with the message/),
        failed: true,
      },
      {
        shows: 'the same request again',
        wanted: expect.stringMatching(/^401; or 4xx \(with a warning\) with the message/),
        failed: true,
      },
    ]);
    expect(steps[0]?.curl).toContain('Bearer $USER_TOKEN"');
    expect(steps[1]?.curl).toContain('Bearer $USER_TOKEN_EXPIRED"');
    expect(steps.map(({ response }) => response)).toEqual(
      Array.from({ length: 3 }, () => ({
        kind: 'answer',
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        skeleton: '{ results: array(0), trackingToken: string(1), requestId: string(1) }',
      })),
    );
  });

  test('that must be accepted begin with its nearest acceptance, and show the refusal as it came', () => {
    const headers = { 'content-type': 'text/plain', 'www-authenticate': 'Bearer', server: 'gateway' };
    const [first, second] = stepsOfCase(plannedCase(plan, 'search', 'USER').id, answer(401, 'No.\nGo away.', headers));
    expect(first?.shows).toMatch(/^the nearest acceptance \S+ is accepted$/);
    expect(second?.response).toEqual({
      kind: 'answer',
      status: 401,
      headers: { 'Content-Type': 'text/plain', 'WWW-Authenticate': 'Bearer', Server: 'gateway' },
      excerpt: ['No.', 'Go away.'],
    });
  });

  test('say why no answer came', () => {
    expect(stepsOfCase(expired.id, reset)[1]?.response).toEqual({ kind: 'failure', detail: 'reset (ECONNRESET)' });
  });
});

describe('the steps of a failing check', () => {
  const places = [{ variable: 'ACT_AS_PRIVATE_MARKER', at: '/results/0/title' }];
  /** Twenty requests of a check: the first is accepted, the others are refused. */
  const exchanges = Array.from({ length: 20 }, (_, index): Exchange => {
    const observation = index === 0 ? accepted : answer(403, 'no');
    const step = { shows: `step ${index + 1}`, wanted: 'refused' } as const;
    return { ...exchangeOf(plannedCase(plan, 'search', 'USER'), observation, index + 1, 'check'), step, ms: index };
  });
  const failed = (more: Partial<Decision>): Decision => ({
    ...decision('fail'),
    steps: exchanges.map(({ seq }) => seq),
    commands: { 10: 'curl 10' },
    ...more,
  });
  const shown = (found: Decision, all = exchanges) => createStepLog(facts, all).ofDecision(found);

  test('are the acceptance before the step that failed, that step, and those around it', () => {
    const steps = shown(failed({ broke: 10, wanted: 'no marker of another' }));
    expect(steps.map(({ shows, failed: broke }) => `${shows}${broke ? ' failed' : ''}`)).toEqual([
      'step 1',
      'step 7',
      'step 8',
      'step 9',
      'step 10 failed',
      'step 11',
    ]);
    expect(steps[4]).toMatchObject({
      wanted: 'no marker of another',
      curl: 'curl 10',
      response: { status: 403, ms: 9 },
    });
    expect(steps[3]).toMatchObject({ wanted: 'refused' });
  });

  test('are the last ones if no answer of the target failed', () => {
    expect(shown(failed({})).map(({ shows }) => shows)).toEqual(['step 1', 'step 17', 'step 18', 'step 19', 'step 20']);
  });

  test('show where the answer has a private marker', () => {
    const leak = exchanges.map((exchange) =>
      exchange.seq === 2 ? { ...exchange, observation: { ...accepted, places } } : exchange,
    );
    expect(shown(failed({ broke: 2 }), leak)[1]?.response).toMatchObject({ places });
  });

  test('say what the answer must hide, and that it must show the own document', () => {
    const either = { shows: 'a search shows only what is its own', wanted: 'either', finds: 'USER' } as const;
    const wantedOf = (seen: readonly MarkerPlace[]) =>
      shown(
        failed({ broke: 2, wanted: either.shows }),
        exchanges.map((exchange) =>
          exchange.seq === 2 ? { ...exchange, step: either, observation: { ...accepted, places: seen } } : exchange,
        ),
      )[1]?.wanted;
    const own = { variable: 'USER_PRIVATE_MARKER', at: '/results/1/title' };
    expect(wantedOf([...places, own])).toBe('accepted or refused, and hides $ACT_AS_PRIVATE_MARKER');
    expect(wantedOf([])).toBe('accepted or refused, and shows $USER_PRIVATE_MARKER');
    expect(wantedOf([own])).toBe('either');
  });
});

test('a report has the steps of each finding, of one case of a group, and of each check that failed', async () => {
  const report = await reportOf({
    depth: 'pairwise',
    instead: (values) => (expiredUser(values) ? accepted : undefined),
    decisions: [decision('fail'), decision('pass')],
  });
  expect(
    report.findings.map(({ id, steps, sections }) => [id, steps.length, sections.map(({ source }) => source)]),
  ).toEqual([
    ['F1', 0, ['spec 5.2']],
    ['F2', 3, ['spec 3', 'spec 7']],
  ]);
  const failing = report.cases.filter(({ verdict }) => verdict === 'fail');
  const groups = new Set(failing.map(({ group }) => group));
  expect(failing.filter(({ steps }) => steps).length).toBe(groups.size);
  expect(failing.length).toBeGreaterThan(groups.size);
  expect(report.checks.map(({ steps }) => steps !== undefined)).toEqual([true, false]);
});
