import { expect, test } from 'vitest';
import type { WireRequest } from '../plan/request.ts';
import { imaginedTarget } from '../preview/imagined-target.ts';
import { rehearsalClock } from '../preview/rehearsal-clock.ts';
import { noJournal } from '../record/journal.ts';
import type { Failure } from '../record/observation.ts';
import type { Transport, TransportInput } from '../send/transport.ts';
import { casesAt } from '../testing/contract.ts';
import { settingsWith } from '../testing/small-world.ts';
import { maskedIn } from './ask-masked.ts';
import { startSession } from './start-session.ts';

type Instead = (request: WireRequest) => Failure | undefined;

/** The matrix of a target that answers some requests otherwise: what stays masked, and the cases beyond the depth. */
async function runWith(instead: Instead) {
  const transport = (input: TransportInput): Transport => {
    const target = imaginedTarget(input);
    const { probe } = target;
    return {
      ...target,
      probe: { ...probe, send: async (request, ...more) => instead(request) ?? probe.send(request, ...more) },
    };
  };
  const settings = settingsWith({});
  const session = startSession(settings, { casesAt, clock: rehearsalClock(), transport, journal: noJournal });
  for (const group of session.plan.groups) await session.runGroup(group);
  const before = session.judge();
  await session.askFurther();
  const judged = session.judge();
  await session.close();
  const maskedOf = (run: typeof judged) =>
    maskedIn(session.contract, run)
      .map(({ requirement, unit }) => `${requirement} ${unit}`)
      .filter((masked) => !masked.endsWith('/unknown'));
  return {
    before: maskedOf(before),
    after: maskedOf(judged),
    judged,
    further: judged.plan.cases.size - before.plan.cases.size,
  };
}

const reset: Failure = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };

test('what silent rules cover is asked again, a case for each requirement and unit', async () => {
  const { before, after, further } = await runWith(() => undefined);
  expect(before).toContain('search.request search/USER');
  expect(after).toEqual([]);
  expect(further).toBe(before.length);
});

test.each<[string, Instead]>([
  [
    'lower-case names get no answer',
    ({ headers }) => (headers.some(([name]) => name === 'authorization') ? reset : undefined),
  ],
  [
    'two lines of a header get no answer',
    ({ headers }) => (new Set(headers.map(([name]) => name)).size < headers.length ? reset : undefined),
  ],
])('what is covered because %s is asked again in a case that isolates it', async (_what, instead) => {
  const { before, after, judged } = await runWith(instead);
  expect(before.length).toBeGreaterThan(0);
  expect(after).toEqual([]);
  expect(judged.ending).not.toBe('inconclusive');
});
