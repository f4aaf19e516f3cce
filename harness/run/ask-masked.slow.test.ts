import { expect, test } from 'vitest';
import type { PlannedCase } from '../plan/plan.ts';
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
/** Which cases of the depth are sent at first: a depth that covers something. */
type Covers = (planned: PlannedCase) => boolean;

/** The matrix of a target that answers some requests otherwise: what stays masked, and the cases beyond the depth. */
async function runWith(instead: Instead, covers: Covers) {
  const transport = (input: TransportInput): Transport => {
    const target = imaginedTarget(input);
    const { probe } = target;
    return {
      ...target,
      probe: { ...probe, send: async (request, ...more) => instead(request) ?? probe.send(request, ...more) },
    };
  };
  const settings = settingsWith({ CONFORMANCE_DEPTH: 'pairwise' });
  const session = startSession(settings, { casesAt, clock: rehearsalClock(), transport, journal: noJournal });
  const isSent = (planned: PlannedCase) => planned.expectation.kind === 'accept' || covers(planned);
  for (const group of session.plan.groups) await session.runGroup({ ...group, cases: group.cases.filter(isSent) });
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
    further: judged.plan.cases.size - before.plan.cases.size,
  };
}

const reset: Failure = { kind: 'failure', failure: 'reset', detail: 'reset (ECONNRESET)' };

test('what silent rules cover is asked again, a case for each requirement and unit', async () => {
  const { before, after, further } = await runWith(
    () => undefined,
    ({ expectation }) => expectation.silent.length > 0,
  );
  expect(before).toContain('search.request search/USER');
  expect(after).toEqual([]);
  expect(further).toBeGreaterThan(0);
  expect(further).toBeLessThanOrEqual(before.length);
});

test.each<[string, Instead, Covers]>([
  [
    'lower-case names get no answer',
    ({ headers }) => (headers.some(([name]) => name === 'authorization') ? reset : undefined),
    ({ values }) => values['header-case'] === 'lower',
  ],
  [
    'two lines of a header get no answer',
    ({ headers }) => (new Set(headers.map(([name]) => name)).size < headers.length ? reset : undefined),
    ({ values }) => [values['act-as'], values['auth-type']].includes('doubled'),
  ],
])('what is covered because %s is asked again in a case that isolates it', async (_what, instead, covers) => {
  const { before, after } = await runWith(instead, covers);
  expect(before.length).toBeGreaterThan(0);
  expect(after).toEqual([]);
});
