import { expect, test } from 'vitest';
import { send } from '../../fixtures/plain/answers.ts';
import { startPlainTarget } from '../../fixtures/plain/target.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { readSettings } from '../../harness/settings/read-settings.ts';
import { casesAt, catalogue } from '../../harness/testing/contract.ts';
import { tokens } from '../testing/one-check.ts';
import { checks } from './index.ts';

const PAGE = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><h1>Sign in</h1>' };

/** Numbers from 0 to 1 that look random, by a linear congruence. */
function drawing(seed: number): () => number {
  let state = 1_000_003 * seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

test.each([
  [0.01, 1],
  [0.05, 2],
  [0.3, 3],
  [0.3, 4],
])(
  'no check blames a target whose gateway answers with its sign-in page, at the rate %d (seed %d)',
  async (rate, seed) => {
    const random = drawing(seed);
    const target = await startPlainTarget({
      tokens,
      send: (reply, response) => send(random() < rate ? PAGE : reply, response),
    });
    const settings = readSettings(catalogue, { environment: target.env, dotenv: {} });
    const session = startSession(settings, { casesAt, checks, journal: noJournal, run: 'abcd1234' });
    // The matrix shows what the acceptances of the target look like.
    await session.sendMatrix();
    const decisions = [];
    for (const check of session.checks) decisions.push(...(await session.runCheck(check)));
    await session.close();
    await target.close();
    expect(decisions.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  },
);
