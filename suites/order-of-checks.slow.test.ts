import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlainTarget, startPlainTarget } from '../fixtures/plain/target.ts';
import type { Check } from '../harness/checks/check.ts';
import { WHOLE } from '../harness/plan/narrowing.ts';
import { noJournal } from '../harness/record/journal.ts';
import { startSession } from '../harness/run/start-session.ts';
import { catalogueOf } from '../harness/settings/catalogue.ts';
import { embeddedSettings } from '../harness/settings/read-settings.ts';
import { casesAt, contract } from '../harness/testing/contract.ts';
import { checks } from './testing/checks.ts';
import { tokens } from './testing/one-check.ts';

/** Runs checks that take so many milliseconds. Returns the order of their decisions, and which ran beside others. */
async function runAll(delays: Readonly<Record<string, number>>, loopback: boolean) {
  const running = new Set<string>();
  const beside = new Set<string>();
  const checks = Object.entries(delays).map(
    ([id, ms]): Check => ({
      ...{ id, title: id, requirements: ['search.success'], intrusive: false },
      ...(id === 'quiet' && { needsQuiet: true as const }),
      async run() {
        running.add(id);
        if (running.size > 1) for (const one of running) beside.add(one);
        await setTimeout(ms);
        running.delete(id);
        return [
          {
            requirement: 'search.success',
            operation: 'search',
            kind: 'USER',
            steps: [],
            verdict: 'inconclusive',
            detail: id,
          },
        ];
      },
    }),
  );
  const target = await startPlainTarget({ tokens });
  const settings = embeddedSettings(catalogueOf(contract), target.env, { flags: { CONFORMANCE_DEPTH: 'core' } });
  const narrowing = { ...WHOLE, only: ['slow', 'fast', 'quiet'] };
  const session = startSession({ ...settings, loopback }, { checks, casesAt, narrowing, journal: noJournal });
  try {
    await session.sendAll();
    return { order: session.judge().decisions.map(({ detail }) => detail), beside: [...beside].sort() };
  } finally {
    await session.close();
    await target.close();
  }
}

const DELAYS = { slow: 200, quiet: 1, fast: 1 };

test('checks on this machine run side by side, except for one that needs quiet, and decide in their order', async () => {
  expect(await runAll(DELAYS, true)).toEqual({ order: ['slow', 'fast', 'quiet'], beside: ['fast', 'slow'] });
});

test('checks elsewhere run one after the other', async () => {
  expect(await runAll(DELAYS, false)).toEqual({ order: ['slow', 'fast', 'quiet'], beside: [] });
});

let target: PlainTarget;
beforeAll(async () => {
  target = await startPlainTarget({ tokens });
});
afterAll(() => target.close());

/** What a run with this budget decides of the gravest requirements, and how many cases of the matrix it sends. */
async function runWith(budget: number, claims: string) {
  const env = { ...target.env, CONFORMANCE_CLAIMS: claims };
  const flags = { CONFORMANCE_DEPTH: 'core' };
  const settings = embeddedSettings(catalogueOf(contract), env, { flags });
  const session = startSession(settings, { checks, casesAt, budget, journal: noJournal });
  try {
    await session.preflight();
    await session.sendAll();
    const { requirements } = session.judge();
    const grave = requirements.filter(({ requirement }) => requirement.grave && requirement.level === 'must');
    return {
      undecided: grave
        .flatMap(({ undecided }) => undecided.map(({ unit }) => unit))
        .filter((unit) => unit !== 'any/any'),
      decided: grave.every(({ decidedCases }) => decidedCases > 0),
      cases: session.sender.exchanges.filter(({ role }) => role === 'cell').length,
    };
  } finally {
    await session.close();
  }
}

test.each(['user global', 'user global oauth google azure okta onelogin'])(
  'a budget of 200 requests decides first who sees whose documents, for the claims %s',
  async (claims) => {
    const { undecided, decided, cases } = await runWith(200, claims);
    expect({ undecided, decided }).toEqual({ undecided: [], decided: true });
    expect(cases).toBeGreaterThan(0);
  },
);
