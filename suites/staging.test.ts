import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { imaginedTarget } from '../harness/preview/imagined-target.ts';
import { rehearsalClock } from '../harness/preview/rehearsal-clock.ts';
import type { JournalEntry } from '../harness/record/exchange.ts';
import { openJournal, readJournal } from '../harness/record/journal.ts';
import type { Failure, RawAnswer } from '../harness/record/observation.ts';
import { troubleOf } from '../harness/report/trouble.ts';
import { replay } from '../harness/run/replay.ts';
import { startSession } from '../harness/run/start-session.ts';
import type { Clock } from '../harness/send/clock.ts';
import type { Transport, TransportInput } from '../harness/send/transport.ts';
import { catalogue, settingsWith } from '../harness/testing/small-world.ts';
import { checks } from './checks/index.ts';

type Answer = RawAnswer | Failure;
/** What stands between a request and the target that would answer it rightly. */
type Trouble = (answer: () => RawAnswer, clock: Clock) => Answer | Promise<Answer>;

const MARKERS = {
  USER_PRIVATE_QUERY: 'what only uma may see',
  USER_PRIVATE_MARKER: 'umbrella-17',
  ACT_AS_PRIVATE_QUERY: 'what only ada may see',
  ACT_AS_PRIVATE_MARKER: 'anchor-23',
};

/** A whole polite run against staging in some trouble, on simulated time. */
async function runAgainst(trouble: Trouble) {
  const clock = rehearsalClock();
  const sentAt: number[] = [];
  const refusedAt: number[] = [];
  const transport = (input: TransportInput): Transport => {
    const target = imaginedTarget(input);
    const through = async (send: () => Promise<Answer>): Promise<Answer> => {
      sentAt.push(clock.now());
      const right = (await send()) as RawAnswer;
      const got = await trouble(() => right, clock);
      if ('status' in got && [401, 403].includes(got.status)) refusedAt.push(clock.now());
      return got;
    };
    return {
      ...target,
      probe: { ...target.probe, send: (...request) => through(() => target.probe.send(...request)) },
      connect() {
        const connection = target.connect();
        return { ...connection, exchange: (...request) => through(() => connection.exchange(...request)) };
      },
    };
  };
  const entries: JournalEntry[] = [];
  const journal = {
    append: (entry: JournalEntry) => entries.push(entry),
    isInPlace: () => true,
    close: () => undefined,
  };
  const settings = settingsWith({ ...MARKERS, CONFORMANCE_CLAIMS: 'user global' });
  const session = startSession(settings, { checks, intrusive: false, clock, transport, journal });
  const problem = await session.preflight();
  await session.sendMatrix();
  for (const check of session.checks) await session.runCheck(check);
  const judged = session.judge();
  await session.close();
  const verdicts = new Map(judged.verdicts.map(({ case: { id }, verdict }) => [id, verdict]));
  return { judged, verdicts, sentAt, refusedAt, problem, minutes: clock.now() / 60_000, entries };
}

const answerOf = (status: number, headers: RawAnswer['headers'] = {}): RawAnswer => ({
  status,
  headers,
  text: '',
  truncated: false,
});
const calm = await runAgainst(async (answer, clock) => {
  await clock.sleep(50);
  return answer();
});

/** How many moments lie within a span that begins with one of them, at most. */
function mostWithin(ms: number, moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + ms).length));
}

describe('a calm staging', () => {
  test('has no trouble', () => {
    expect(troubleOf(calm.judged.exchanges)).toEqual([]);
  });

  test('conforms, and gets ten requests a second and no more', () => {
    expect(calm.judged.ending).toBe('conforms');
    expect(mostWithin(1000, calm.sentAt)).toBeLessThanOrEqual(11);
    expect(mostWithin(60_000, calm.sentAt)).toBeLessThanOrEqual(630);
  });

  test('gets them within a twentieth of that rate wherever nothing holds the run back', () => {
    const gaps = calm.sentAt.slice(1).map((at, index) => at - (calm.sentAt[index] ?? 0));
    const steady = gaps.filter((ms) => ms >= 95 && ms <= 105);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(95);
    // The others wait for the budget of denials.
    expect(steady.length).toBeGreaterThan(gaps.length * 0.9);
  });

  test('refuses no more tokens in a minute than are under way beside the budget', () => {
    expect(mostWithin(60_000, calm.refusedAt)).toBeLessThanOrEqual(60 + 4);
  });
});

/** Allows so many requests in a window, and answers the others with 429. */
function limiter(most: number, windowMs: number, retryAfter: string | undefined): Trouble {
  let recent: number[] = [];
  return (answer, clock) => {
    recent = recent.filter((at) => at > clock.now() - windowMs);
    if (recent.length >= most) return answerOf(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    recent.push(clock.now());
    return answer();
  };
}

/** After so many refusals in a minute everything is refused for some minutes. */
function lockingAfter(denials: number, minutes: number, how: number): Trouble {
  let recent: number[] = [];
  let until = Number.NEGATIVE_INFINITY;
  return (answer, clock) => {
    const now = clock.now();
    if (now < until) return answerOf(how);
    const given = answer();
    if (given.status !== 401 && given.status !== 403) return given;
    recent = [...recent.filter((at) => at > now - 60_000), now];
    if (recent.length > denials) {
      until = now + minutes * 60_000;
      recent = [];
    }
    return given;
  };
}

/** Something else for every so many requests. */
function everyNth(nth: number, instead: (time: number) => Answer): Trouble {
  let count = 0;
  return (answer) => {
    count += 1;
    return count % nth === 0 ? instead(count / nth) : answer();
  };
}

function restart(from: number, minutes: number): Trouble {
  let count = 0;
  let began: number | undefined;
  return (answer, clock) => {
    count += 1;
    if (count < from) return answer();
    began ??= clock.now();
    const isDown = clock.now() - began < minutes * 60_000;
    return isDown ? { kind: 'failure', failure: 'refused', detail: 'refused (ECONNREFUSED)' } : answer();
  };
}

const reset: Failure = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };

describe('staging in trouble gets the verdicts of a calm one:', () => {
  test.each<[string, Trouble, RegExp?]>([
    [
      'a storm of 429 with Retry-After',
      limiter(20, 10_000, '5'),
      /\d+ answers asked to slow down \(429\), for up to 5 s/,
    ],
    ['a storm of 429 without', limiter(20, 10_000, undefined)],
    [
      'a lockout with 401 after 20 denials',
      lockingAfter(20, 2, 401),
      /\d+ refusals came while the target refused everything/,
    ],
    ['a lockout with 403 after 20 denials', lockingAfter(20, 5, 403)],
    ['a lockout with 423 after 20 denials', lockingAfter(20, 1, 423)],
    ['a reset now and then', everyNth(7, () => reset), /\d+ requests got no answer of the target \(reset/],
    ['gateway errors now and then', everyNth(5, (time) => answerOf(502 + (time % 3)))],
    [
      'slow answers',
      async (answer, clock) => {
        await clock.sleep(4000);
        return answer();
      },
    ],
    ['a restart of some seconds in the middle', restart(120, 0.1)],
    ['a restart of nearly half a minute', restart(60, 0.4)],
  ])('%s', async (_what, trouble, said = /^/) => {
    const { judged, verdicts, problem, entries } = await runAgainst(trouble);
    expect(problem).toBeUndefined();
    expect(judged.stopped).toBeUndefined();
    const other = [...calm.verdicts].filter(([id, verdict]) => verdicts.get(id) !== verdict);
    expect(other.map(([id, verdict]) => `${id}: ${verdict}, now ${verdicts.get(id)}`)).toEqual([]);
    expect(judged.findings).toEqual([]);
    expect(judged.ending).toBe('conforms');
    expect(troubleOf(judged.exchanges).join('\n')).toMatch(said);
    expect(judgedAgain(entries)).toEqual(judged.exchanges);
  });
});

/** What a journal of these entries holds when it is read back. */
function judgedAgain(entries: readonly JournalEntry[]) {
  const folder = mkdtempSync(join(tmpdir(), 'staging-'));
  const journal = openJournal(folder);
  for (const entry of entries) journal.append(entry);
  journal.append({ type: 'end', interrupted: false });
  journal.close();
  const { judged } = replay(catalogue, readJournal(join(folder, 'journal.ndjson')));
  rmSync(folder, { recursive: true });
  expect(judged.ending).toBe('conforms');
  return judged.exchanges;
}

describe('staging that does not come back leaves the run inconclusive, and blames nobody:', () => {
  test.each<[string, Trouble, RegExp]>([
    ['a lockout without end', lockingAfter(20, 10_000, 401), /refuses everything since/],
    ['a restart without end', restart(120, 10_000), /no answer to \d+ requests in a row/],
  ])('%s', async (_what, trouble, reason) => {
    const { judged } = await runAgainst(trouble);
    expect(judged.ending).toBe('inconclusive');
    expect(judged.stopped).toMatch(reason);
    expect(judged.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
});

test('staging that leaves one condition without an answer, case after case, is blamed for that and not taken for gone', async () => {
  const { judged } = await runAgainst(async (answer, clock) => {
    const given = answer();
    if (given.status !== 401) return given;
    await clock.sleep(10_000);
    return { kind: 'failure', failure: 'timeout', detail: 'no headers within 10000 ms' };
  });
  expect(judged.stopped).toBeUndefined();
  const failing = judged.findings.filter(({ verdict }) => verdict === 'fail');
  expect(failing.flatMap(({ requirements }) => requirements)).toContain('token.expired');
});
