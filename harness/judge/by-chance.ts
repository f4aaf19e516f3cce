import { tallied } from '../contract/collections.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { type Observation, transportReason } from '../record/observation.ts';
import { answerKey } from './judge-answer.ts';

/** How often an answer came among some sends. */
export interface Share {
  readonly times: number;
  readonly sends: number;
}

/**
 * The chance that so many of the sends of a case, or more, get an answer that comes to any send alike: of all that got it,
 * the part that falls to this case (the tail of the hypergeometric distribution, which is the binomial one where both shares
 * are known exactly).
 */
export function chanceOf(own: Share, elsewhere: Share): number {
  const sends = own.sends + elsewhere.sends;
  const times = own.times + elsewhere.times;
  let chance = 0;
  for (let here = own.times; here <= Math.min(own.sends, times); here += 1)
    chance += Math.exp(
      logChoices(own.sends, here) + logChoices(elsewhere.sends, times - here) - logChoices(sends, times),
    );
  return Math.min(1, chance);
}

/** The logarithm of the number of ways to choose `some` of `all`. */
function logChoices(all: number, some: number): number {
  let log = 0;
  for (let one = 1; one <= some; one += 1) log += Math.log((all - some + one) / one);
  return log;
}

/** What comes to a run by chance this rarely is not put down to chance. A run with many cases has as many chances. */
const RARE = 1 / 10_000;
/** What comes by chance this often needs no more sends. */
const COMMON = 1 / 100;
/** A run of few cases knows as little of a gateway as one of so many sends. */
const FEWEST_SENDS = 100;

/**
 * Whether an answer may have come by chance: `no`, if it came far more often here than to unrelated cases, or every time
 * here and never there; `likely`, if it came as seldom as there; `unclear`, if more sends would tell (outcomes 3).
 */
export function mayBeChance(own: Share, elsewhere: Share, cases: number): 'no' | 'unclear' | 'likely' {
  if (own.times === own.sends && elsewhere.times === 0) return 'no';
  const chance = chanceOf(own, { ...elsewhere, sends: Math.max(FEWEST_SENDS, elsewhere.sends) });
  if (chance * cases < RARE) return 'no';
  return chance > COMMON ? 'likely' : 'unclear';
}

/**
 * How often an answer, by status and look, came and went in the cases that have nothing to do with a case. Those that get it
 * on every send do not get it by chance.
 */
export type Elsewhere = (planned: PlannedCase, answer: Observation) => Share;

/** Reads all exchanges once. */
export function elsewhereIn(
  { cases }: Pick<Plan, 'cases'>,
  byCase: ReadonlyMap<string, readonly Exchange[]>,
): Elsewhere {
  const counts = new Map<PlannedCase, { readonly sends: number; readonly times: ReadonlyMap<string, number> }>();
  for (const [id, exchanges] of byCase) {
    const planned = cases.get(id);
    const answers = exchanges.filter(({ observation }) => transportReason(observation) === undefined);
    if (!planned) continue;
    counts.set(planned, { sends: answers.length, times: tallied(answers.map((one) => lookOf(one.observation))) });
  }
  return (planned, answer) => {
    const look = lookOf(answer);
    let [times, sends] = [0, 0];
    for (const [other, found] of counts) {
      const came = found.times.get(look) ?? 0;
      if (came === found.sends || !isUnrelated(planned, other)) continue;
      times += came;
      sends += found.sends;
    }
    return { times, sends };
  };
}

/**
 * Cases are related if a wrong answer to both may be one fault. All requests that have no fault are: what refuses one of them
 * may refuse any.
 */
function isUnrelated({ expectation: one }: PlannedCase, { expectation: other }: PlannedCase): boolean {
  const shown = new Set(one.suspects.map(({ template }) => template));
  return other.suspects.every(({ template }) => !shown.has(template));
}

/** Equal for answers of the same status and look. */
function lookOf(observation: Observation): string {
  const { contentType = '', form = '' } = observation.kind === 'answer' ? observation : {};
  return `${answerKey(observation)} ${contentType} ${form}`;
}
