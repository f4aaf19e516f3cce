import { expect, test } from 'vitest';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { Exchange } from '../record/exchange.ts';
import { noJournal } from '../record/journal.ts';
import { makeReport } from '../report/report.ts';
import { idleCheck } from '../testing/report.ts';
import { casesAt, settingsWith } from '../testing/small-world.ts';
import { judgedOnce, startSession, type ToJudge } from './start-session.ts';

const exchange: Exchange = {
  type: 'exchange',
  seq: 1,
  case: 'search/USER',
  role: 'cell',
  credential: '$USER_TOKEN',
  observation: { kind: 'failure', failure: 'reset', detail: 'reset' },
};
const judged = {} as JudgedRun;

test.each<[what: string, change: (found: Grown) => void]>([
  ['one more exchange', ({ exchanges }) => exchanges.push({ ...exchange, seq: 2 })],
  ['a refusal that a lockout discarded', ({ exchanges }) => exchanges.splice(0, 1, { ...exchange })],
  [
    'a decision of a check',
    ({ decisions }) =>
      decisions.push({
        type: 'decision',
        check: 'protocol',
        requirement: 'a',
        operation: 'search',
        kind: 'USER',
        verdict: 'pass',
        detail: '',
        steps: [],
      }),
  ],
  ['one more case that was not sent', ({ unsent }) => unsent.set('chat/USER', 'not sent: the budget is spent')],
  ['another reason why a case was not sent', ({ unsent }) => unsent.set('chat/OKTA', 'not sent: the budget is spent')],
  ['the end of the run', (found) => Object.assign(found, { stopped: 'interrupted' })],
])('a run is judged again after %s, and once as long as nothing changes', (_what, change) => {
  const found = {
    exchanges: [exchange],
    decisions: [],
    unsent: new Map([['chat/OKTA', 'not sent: other chats show the same']]),
    stopped: undefined,
  } satisfies ToJudge;
  let times = 0;
  const judge = judgedOnce(
    () => found,
    () => {
      times += 1;
      return judged;
    },
  );
  judge();
  judge();
  expect(times).toBe(1);
  change(found);
  judge();
  judge();
  expect(times).toBe(2);
});

test('a report says what the journal says, whatever secret the target gave during the run', async () => {
  const settings = settingsWith();
  const session = startSession(settings, {
    journal: noJournal,
    casesAt,
    checks: [
      {
        ...idleCheck('every-time', ['token.expired']),
        run: async (api) => {
          api.given(`back=${settings.baseUrl}/rest/api/v1/search`, 'the cookies of the USER token');
          return [];
        },
      },
    ],
  });
  for (const check of session.checks) await session.runCheck(check);
  expect(session.checks).toHaveLength(1);
  expect(makeReport(session, session.judge(), null).target).toBe(settings.baseUrl);
  await session.close();
});

/** What a run has to judge, as the run itself changes it. */
interface Grown {
  readonly exchanges: Exchange[];
  readonly decisions: ToJudge['decisions'][number][];
  readonly unsent: Map<string, string>;
}
