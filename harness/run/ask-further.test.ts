import { expect, test } from 'vitest';
import type { CaseVerdict } from '../judge/judge-cases.ts';
import type { Exchange } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { accepted, answer, exchangeOf, plannedCase, planWith, reset } from '../testing/small-world.ts';
import { endIfDead, settleChance } from './ask-further.ts';

const planned = plannedCase(planWith(), 'search', 'USER');

/** How often the case is sent while its verdict is unclear for so many judgements. */
async function sentWhile(unclearFor: number, isOver = () => false) {
  let judgements = 0;
  const sent: string[] = [];
  await settleChance({
    sender: {
      send: async ({ id }, role) => {
        sent.push(`${id} ${role}`);
        return undefined;
      },
    },
    judge: () => {
      judgements += 1;
      const verdict: CaseVerdict = { case: planned, verdict: 'inconclusive', satisfied: [], sent: 4 };
      return { verdicts: [judgements > unclearFor ? verdict : { ...verdict, unclear: true }] };
    },
    isOver,
  });
  return sent;
}

test('a case is sent again until it is clear whether its answer comes by chance', async () => {
  expect(await sentWhile(0)).toEqual([]);
  expect(await sentWhile(3)).toEqual(Array(3).fill(`${planned.id} confirmation`));
});

test('a case that stays unclear is sent twelve times more', async () => {
  expect(await sentWhile(100)).toHaveLength(12);
});

test('nothing is sent once the run is over', async () => {
  expect(await sentWhile(100, () => true)).toEqual([]);
});

const plan = planWith();
const full = plannedCase(plan, 'search', 'USER');
const expired = plannedCase(plan, 'search', 'USER', { validity: 'expired' });

/** Why a run ends whose last request got `last`, if the target then answers with `next`; and how often it is asked. */
async function reasonAfter(last: Observation, next: Observation) {
  const exchanges: Exchange[] = [exchangeOf(full, accepted, 1), exchangeOf(expired, last, 2)];
  let reason: string | undefined;
  let asked = 0;
  const sender: Parameters<typeof endIfDead>[0]['sender'] = {
    exchanges,
    unsent: new Map(),
    acceptedCredentials: new Set(),
    acceptedAt: () => undefined,
    seen: () => undefined,
    isAnswering: async () => false,
    record: () => expect.unreachable(),
    discardRefusals: () => expect.unreachable(),
    async send(planned, role) {
      asked += 1;
      return exchangeOf(planned, next, 3, role);
    },
  };
  await endIfDead({ plan, sender, gate: { closed: undefined, close: (why) => (reason = why) } });
  return { reason, asked };
}

test('a run is stopped if its last request ended the target', async () => {
  const { reason } = await reasonAfter(reset, reset);
  expect(reason).toBe('the target no longer answers what it accepted before (reset (ECONNRESET)): it may have ended');
});

test('a run is not stopped if the target still answers', async () => {
  expect(await reasonAfter(reset, accepted)).toEqual({ reason: undefined, asked: 1 });
  expect(await reasonAfter(reset, answer(503))).toEqual({ reason: undefined, asked: 1 });
});

test('a run is not stopped if its last acceptance is refused because its token has expired', async () => {
  const ended = { kind: 'failure', failure: 'ended', detail: '401 to $USER_TOKEN, which expired' } as const;
  expect(await reasonAfter(reset, ended)).toEqual({ reason: undefined, asked: 1 });
});

test('a run whose last request got an answer asks nothing', async () => {
  expect(await reasonAfter(answer(401), reset)).toEqual({ reason: undefined, asked: 0 });
});
