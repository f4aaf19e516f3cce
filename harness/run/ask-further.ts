import { askMasked } from './ask-masked.ts';
import { findConditions } from './find-conditions.ts';
import { type Asking, probeOf } from './probe-cases.ts';

/** The most cases that a run sends beyond its depth, and the most of them for what is masked. */
const MOST_IN_A_RUN = 240;
const MOST_FOR_MASKED = 120;

/** Asks what stayed undecided because something else covers it, and then more where something is wrong (outcomes 3). */
export async function askFurther(options: Pick<Asking, 'sending' | 'judge' | 'isOver'>): Promise<void> {
  const asking = { ...options, sent: { count: 0 }, most: MOST_IN_A_RUN };
  await askMasked(asking, probeOf(asking, MOST_FOR_MASKED));
  await findConditions(asking);
}
