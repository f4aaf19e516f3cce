import type { Verdict } from '../judge/judge-cases.ts';

/** Verdicts, what a reader must see first before what may wait; what was decided before what was only observed. */
export const GRAVITY: readonly Verdict[] = [
  'fail',
  'inconclusive',
  'not-testable',
  'warn',
  'pass',
  'observed',
  'not-applicable',
];

/** Stands beside the colour everywhere, so that nothing is said by colour alone. */
export const SYMBOLS: Readonly<Record<Verdict, string>> = {
  fail: '✕',
  inconclusive: '?',
  'not-testable': '–',
  warn: '!',
  observed: '○',
  pass: '✓',
  'not-applicable': '·',
};
export const MEANINGS: Readonly<Record<Verdict, string>> = {
  fail: 'a must of the specification is broken',
  inconclusive: 'nothing can be said: a network failure, a refusal that came and went, a token accepted nowhere',
  'not-testable': 'claimed, but something is missing to test it',
  warn: 'a should, or the advice of an RFC, is missed',
  observed: 'the specification leaves it open; what came is recorded',
  pass: 'the answer is one that the specification admits',
  'not-applicable': 'not claimed, or left out by what narrowed the run',
};

/** The gravest of some verdicts; undefined of none. */
export function worstOf(verdicts: Iterable<Verdict>): Verdict | undefined {
  const present = new Set(verdicts);
  return GRAVITY.find((verdict) => present.has(verdict));
}

/** Text as a verdict, for what a report holds as text. */
export function asVerdict(text: string): Verdict {
  return GRAVITY.find((verdict) => verdict === text) ?? 'inconclusive';
}
