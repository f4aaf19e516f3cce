import { DEPTHS } from '../contract/contract.ts';
import { type HistoryRun, pairsIn } from './history.ts';
import { changesBetween, rulesOf, type Since } from './since.ts';

/**
 * Compares two runs of a history. It does not know which cases failed, so what failed before is fixed only if the later run tried
 * as much: at that depth or a deeper one, in as many ways, and not in another part. Pure.
 */
export function sinceRun(before: HistoryRun, now: HistoryRun): Since {
  const { run, startedAt, target } = before;
  const depths: readonly string[] = DEPTHS;
  const rank = ({ depth }: HistoryRun) => depths.indexOf(depth);
  const triesAsMuch =
    rank(now) >= rank(before) &&
    (now.breadth === 'whole' || before.breadth !== 'whole') &&
    (now.narrowed === null || now.narrowed === before.narrowed);
  const rules = rulesOf(before);
  return changesBetween(
    {
      run,
      startedAt,
      target,
      ...(rules !== undefined && { rules }),
      failing: [...pairsIn(before.failing)],
      decided: [...pairsIn(before.decided)],
    },
    {
      rules: rulesOf(now),
      failing: pairsIn(now.failing),
      decided: pairsIn(now.decided),
      undecided: pairsIn(now.undecided),
      isTriedAgain: () => triesAsMuch,
    },
  );
}
