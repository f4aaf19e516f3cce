import type { Exchange } from '../record/exchange.ts';
import { transportReason } from '../record/observation.ts';

/** So many requests must have been lost before a share of them means something. */
const FEWEST_LOST = 5;
/**
 * A case is sent at least seven times before its transport outcome is judged. If one request in five is lost by chance, a case
 * loses all seven once in 78,000 times. Above that share, a run with some hundred cases would blame chance.
 */
const MOST_LOST = 1 / 5;

/**
 * Whether requests are lost by chance so often that a transport outcome of a case says nothing about the target. A request
 * was lost by chance if the same case got an answer at another time.
 */
export function losesByChance(cases: Iterable<readonly Exchange[]>): boolean {
  let [lost, answered] = [0, 0];
  for (const exchanges of cases) {
    const answers = exchanges.filter(({ observation }) => transportReason(observation) === undefined).length;
    answered += answers;
    if (answers > 0) lost += exchanges.length - answers;
  }
  return lost >= FEWEST_LOST && lost > MOST_LOST * (lost + answered);
}
