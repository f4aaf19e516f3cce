import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { imaginedTarget } from '../harness/preview/imagined-target.ts';
import { rehearsalClock } from '../harness/preview/rehearsal-clock.ts';
import type { JournalEntry } from '../harness/record/exchange.ts';
import { noJournal, openJournal, readJournal } from '../harness/record/journal.ts';
import type { RawAnswer } from '../harness/record/observation.ts';
import { troubleOf } from '../harness/report/refused-tokens.ts';
import { judgeAgain } from '../harness/run/judge-again.ts';
import { startSession } from '../harness/run/start-session.ts';
import type { Transport, TransportInput } from '../harness/send/transport.ts';
import { casesAt } from '../harness/testing/contract.ts';
import { catalogue, settingsWith } from '../harness/testing/small-world.ts';
import { checks } from './testing/checks.ts';
import { MARKERS, simulate } from './testing/simulated-run.ts';
import {
  type Answer,
  answerOf,
  byChance,
  droppingAfter,
  everyNth,
  limiter,
  limitingRefusals,
  lockingAfter,
  reset,
  restart,
  type Trouble,
} from './testing/trouble.ts';

/** A whole rate-limited run against a target with this trouble, on simulated time. */
async function runAgainst(trouble: Trouble) {
  const clock = rehearsalClock();
  const sentAt: number[] = [];
  const refusedAt: number[] = [];
  const transport = (input: TransportInput): Transport => {
    const target = imaginedTarget(input);
    const withTrouble = async (send: () => Promise<Answer>): Promise<Answer> => {
      sentAt.push(clock.now());
      const right = (await send()) as RawAnswer;
      const answer = await trouble(() => right, clock);
      if ('status' in answer && [401, 403].includes(answer.status)) refusedAt.push(clock.now());
      return answer;
    };
    return {
      ...target,
      probe: { ...target.probe, send: (...request) => withTrouble(() => target.probe.send(...request)) },
      connect() {
        const connection = target.connect();
        return { ...connection, send: (...request) => withTrouble(() => connection.send(...request)) };
      },
    };
  };
  const entries: JournalEntry[] = [];
  const journal = { ...noJournal, append: (entry: JournalEntry) => entries.push(entry) };
  const settings = settingsWith({ ...MARKERS, CONFORMANCE_CLAIMS: 'user global' });
  const session = startSession(settings, { checks, casesAt, intrusive: false, clock, transport, journal });
  const problem = await session.preflight();
  await session.sendMatrix();
  for (const check of session.checks) await session.runCheck(check);
  const judged = session.judge();
  await session.close();
  const verdicts = new Map(judged.verdicts.map(({ case: { id }, verdict }) => [id, verdict]));
  return { judged, verdicts, sentAt, refusedAt, problem, minutes: clock.now() / 60_000, entries };
}

const calm = await runAgainst(async (answer, clock) => {
  await clock.sleep(50);
  return answer();
});

/** The largest number of times within any period of this length. */
function mostWithin(ms: number, times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length));
}

describe('a target without trouble', () => {
  test('has no trouble in its report', () => {
    expect(troubleOf(calm.judged.exchanges)).toEqual([]);
  });

  test('conforms, and gets at most ten requests a second', () => {
    expect(calm.judged.ending).toBe('conforms');
    expect(mostWithin(1000, calm.sentAt)).toBeLessThanOrEqual(11);
    expect(mostWithin(60_000, calm.sentAt)).toBeLessThanOrEqual(630);
  });

  test('gets nine out of ten requests 95 to 105 ms after the one before', () => {
    const gaps = calm.sentAt.slice(1).map((at, index) => at - (calm.sentAt[index] ?? 0));
    const steady = gaps.filter((ms) => ms >= 95 && ms <= 105);
    // Two people search side by side, four requests at a time. The requests before and after these wait longer.
    const together = gaps.filter((ms) => ms < 95);
    expect(new Set(together)).toEqual(new Set([0]));
    expect(together).toHaveLength(4 * 3);
    // The others wait because of the limit of refused tokens a minute.
    expect(steady.length).toBeGreaterThan(gaps.length * 0.9);
  });

  test('refuses at most 60 tokens in the first minute, 120 in the second and 240 later, and those in flight', () => {
    const [from = 0] = calm.refusedAt;
    const refusedBy = (minute: number) => calm.refusedAt.filter((at) => at < from + minute * 60_000).length;
    expect(refusedBy(1)).toBeLessThanOrEqual(60 + 4);
    expect(refusedBy(2)).toBeLessThanOrEqual(60 + 120 + 8);
    expect(mostWithin(60_000, calm.refusedAt)).toBeLessThanOrEqual(240 + 4);
    // A run with two kinds of token takes no longer, although it is held to the pace.
    expect(calm.minutes).toBeLessThanOrEqual(2.6);
  });
});

describe('a target gets the same verdicts as one without trouble despite', () => {
  test.each<[string, Trouble, RegExp?]>([
    [
      'a storm of 429 with Retry-After',
      limiter(20, 10_000, '5'),
      /the target asked to slow down \d+ times \(429, Retry-After up to 5 s\)/,
    ],
    ['a storm of 429 without Retry-After', limiter(20, 10_000, undefined)],
    ['429 to more than 60 refusals a minute', limitingRefusals(60), /the target asked to slow down/],
    [
      'a lockout with 401 after 20 refusals',
      lockingAfter(20, 2, 401),
      /the target locked the run out; refusals from that time \(\d+\) do not count/,
    ],
    ['a lockout with 403 after 20 refusals', lockingAfter(20, 5, 403)],
    ['a lockout with 423 after 20 refusals', lockingAfter(20, 1, 423)],
    ...[3, 5, 7, 8].map((nth): [string, Trouble, RegExp] => [
      `a reset of one request in ${nth}`,
      everyNth(nth, () => reset),
      /\d+ requests got no answer from the application \(reset/,
    ]),
    ['occasional gateway errors', everyNth(5, (time) => answerOf(502 + (time % 3)))],
    [
      'slow answers',
      async (answer, clock) => {
        await clock.sleep(4000);
        return answer();
      },
    ],
    ['a restart of 6 seconds', restart(120, 0.1)],
    ['a restart of 24 seconds', restart(60, 0.4)],
  ])('%s', async (_what, trouble, reported = /^/) => {
    const { judged, verdicts, problem, entries } = await runAgainst(trouble);
    expect(problem).toBeUndefined();
    expect(judged.stopped).toBeUndefined();
    const different = [...calm.verdicts].filter(([id, verdict]) => verdicts.get(id) !== verdict);
    expect(different.map(([id, verdict]) => `${id}: ${verdict}, now ${verdicts.get(id)}`)).toEqual([]);
    expect(judged.findings).toEqual([]);
    expect(judged.ending).toBe('conforms');
    expect(troubleOf(judged.exchanges).join('\n')).toMatch(reported);
    expect(replayed(entries)).toEqual(judged.exchanges);
  });
});

/** The exchanges after these entries were written to a journal and judged again from it. */
function replayed(entries: readonly JournalEntry[]) {
  const folder = mkdtempSync(join(tmpdir(), 'staging-'));
  const journal = openJournal(folder);
  for (const entry of entries) journal.append(entry);
  journal.append({ type: 'end', interrupted: false });
  journal.close();
  const { judged } = judgeAgain(catalogue, readJournal(join(folder, 'journal.ndjson')), { casesAt });
  rmSync(folder, { recursive: true });
  expect(judged.ending).toBe('conforms');
  return judged.exchanges;
}

describe('the run is inconclusive, and the target is not blamed, after', () => {
  test.each<[string, Trouble, RegExp]>([
    ['a lockout that does not end', lockingAfter(20, 10_000, 401), /still refuses what it accepted before/],
    [
      'a guard that drops every connection for ten minutes after 100 refusals',
      droppingAfter(100, 10),
      /no answer to \d+ requests .* before, \d+ tokens were refused, .* set CONFORMANCE_REFUSED_PER_MINUTE=\d+/,
    ],
    ['a restart that does not end', restart(120, 10_000), /no answer to \d+ requests in a row/],
  ])('%s', async (_what, trouble, reason) => {
    const { judged } = await runAgainst(trouble);
    expect(judged.ending).toBe('inconclusive');
    expect(judged.stopped).toMatch(reason);
    expect(judged.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
});

describe('a network that resets', () => {
  test.each<[string, Trouble]>([
    ['every second request', everyNth(2, () => reset)],
    ...[1, 2, 3].flatMap((seed): [string, Trouble][] => [
      [`half of the requests by chance (seed ${seed})`, byChance(1 / 2, seed)],
      [`a third of the requests by chance (seed ${seed})`, byChance(1 / 3, seed)],
    ]),
  ])('%s gets no target blamed', async (_what, trouble) => {
    const { judged } = await runAgainst(trouble);
    expect(judged.findings.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
  });
});

test('a target that never answers in one condition is blamed for that, and the run goes on', async () => {
  const { judged } = await runAgainst(async (answer, clock) => {
    const right = answer();
    if (right.status !== 401) return right;
    await clock.sleep(10_000);
    return { kind: 'failure', failure: 'timeout', detail: 'no headers within 10000 ms' };
  });
  expect(judged.stopped).toBeUndefined();
  const failing = judged.findings.filter(({ verdict }) => verdict === 'fail');
  expect(failing.flatMap(({ requirements }) => requirements)).toContain('token.expired');
});

test.each<[string, RegExp]>([
  ['chats with X-Service-ActAs', /^\/[^ ]*chat .*ActAs/i],
  ['searches with X-Service-ActAs', /^\/[^ ]*search .*ActAs/i],
  ['any chat', /^\/[^ ]*chat /],
])('a run ends within an hour if nothing answers %s', async (_what, pattern) => {
  const { minutes, judged } = await simulate(
    async (right, clock, request, ms) => {
      if (!request || !pattern.test(`${request.path} ${request.headers}`)) return right();
      await clock.sleep(ms);
      return { kind: 'failure', failure: 'timeout', detail: 'timeout' };
    },
    { checks },
  );
  expect(minutes).toBeLessThan(60);
  expect(judged.stopped).toBeUndefined();
  expect(judged.ending).not.toBe('conforms');
});
