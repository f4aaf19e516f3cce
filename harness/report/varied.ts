import { LAWS, type Law, VARIATION_KINDS, type VariationKind } from '../contract/variations.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { describeNarrowing } from '../plan/narrowing.ts';
import type { Decision } from '../record/exchange.ts';

/** What must hold, and how many of the known variations of a kind a run tried it with. */
export interface ReportedVaried {
  readonly law: Law;
  readonly variation: VariationKind;
  readonly known: number;
  /** With one operation and kind of token at least. */
  readonly tried: number;
  /** Why not with all of them. Null if it was tried with all. */
  readonly why: string | null;
}

type Facts = Pick<RunFacts, 'contract' | 'leftOut' | 'narrowing' | 'breadth'>;

/** The table of what a run varied: each law with each kind of variation. Pure. */
export function variedIn(facts: Facts, decisions: readonly Decision[]): readonly ReportedVaried[] {
  const { triers, rows } = facts.contract.variations;
  return VARIATION_KINDS.flatMap((variation) => {
    const own = rows.filter(({ kind }) => kind === variation);
    // A row without a value is one variation.
    const known = own.reduce((sum, { values }) => sum + Math.max(1, values.length), 0);
    return LAWS.map((law): ReportedVaried => {
      const trier = triers[variation][law];
      if ('why' in trier) return { law, variation, known, tried: 0, why: trier.why };
      const counts = trier.checks.map((id) => {
        const own = decisions.filter(({ check, varied }) => check === id && varied?.law === law);
        return Math.max(0, ...own.map(({ varied }) => varied?.counts[variation] ?? 0));
      });
      // The cookies that a target sets are tried too, and are no row.
      const tried = Math.min(
        known,
        counts.reduce((sum, count) => sum + count, 0),
      );
      const [check = ''] = trier.checks.filter((_check, at) => counts[at] === 0);
      return { law, variation, known, tried, why: tried < known ? whyNotAll(facts, check, tried) : null };
    });
  });
}

function whyNotAll({ leftOut, narrowing, breadth }: Facts, check: string, tried: number): string {
  const isIn = (heads: Facts['leftOut']['narrowed']) => heads.some(({ id }) => id === check);
  if (isIn(leftOut.intrusive)) return 'needs --intrusive';
  if (isIn(leftOut.narrowed)) return `left out by ${describeNarrowing(narrowing)}`;
  if (tried === 0) return `the check ${check} had nothing to try it with`;
  return breadth === 'telling'
    ? 'the others need --intrusive'
    : 'the others name what is not set, or are no variation of this request';
}
