import { expect, test } from 'vitest';
import type { CaseVerdict } from '../judge/judge-cases.ts';
import { plannedCase, planWith } from '../testing/small-world.ts';
import { settleChance } from './settle-chance.ts';

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
