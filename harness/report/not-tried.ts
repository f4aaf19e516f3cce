import { inapplicable } from '../contract/check-row.ts';
import { groupedBy } from '../contract/collections.ts';
import type { Contract } from '../contract/contract.ts';
import { LAWS, type Law, VARIATION_KINDS, type VariationKind } from '../contract/variations.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { ANYWHERE, type Case, type Lack, lackInWords, textOfLack, unitOf, variableLack } from '../plan/case.ts';
import { allSuspects, type Expectation } from '../plan/expectation.ts';
import { type CheckHead, describeNarrowing } from '../plan/narrowing.ts';
import type { Decision } from '../record/exchange.ts';
import { type ReportedLack, reportLack } from './limits.ts';

/**
 * What a run may leave out: whole checks, the rest of a check because the run ended or because no answer had what it needs, all
 * but its most telling ways, cases, and cases that no claim needs.
 */
type What = 'checks' | 'unfinished' | 'untried' | 'ways' | 'cases' | 'optional';

/** Checks or cases that a run did not try, for one reason. */
export interface NotTried extends ReportedLack {
  readonly what: What;
  readonly count: number;
  /** The ids of the checks. Empty for cases. */
  readonly checks: readonly string[];
  /** The requirements that they bear on, the gravest first. Others may have decided them. */
  readonly requirements: readonly string[];
}

/** One check or case. */
interface Row extends Pick<NotTried, 'what' | 'requirements'> {
  readonly id: string;
  readonly lack: Lack;
}
type Tried = Pick<JudgedRun, 'plan' | 'verdicts' | 'decisions'>;

/** What a run did not try, and why (outcomes 3). `report`, `merge` and `verify` compute it again from the journal. Pure. */
export function notTried(facts: RunFacts, run: Tried): readonly NotTried[] {
  const all = [...checksNotRun(facts, run.decisions), ...casesNotSent(run)];
  const alike = groupedBy(all, ({ what, lack }) => `${what} ${textOfLack(lack)}`);
  return [...alike.values()].map((rows) => {
    const [{ what, lack }] = rows;
    const ids = [...new Set(rows.map(({ id }) => id))];
    const requirements = gravestFirst(facts.contract, new Set(rows.flatMap((row) => row.requirements)));
    const checks = what === 'cases' || what === 'optional' ? [] : ids;
    return { what, ...reportLack(lack), count: ids.length, checks, requirements };
  });
}

const row = (what: What, lack: Lack, head: CheckHead): Row => ({ what, lack, ...head });
const ofCase = ({ id }: Case, expectation: Expectation) => ({
  id,
  requirements: allSuspects(expectation).map(({ requirement }) => requirement),
});

function checksNotRun({ contract, leftOut, narrowing }: RunFacts, decisions: readonly Decision[]): readonly Row[] {
  const because = (words: string) => (head: CheckHead) => row('checks', lackInWords(words), head);
  const concerns = ({ requirements }: CheckHead) => requirements.length > 0;
  const tried = new Set(decisions.flatMap(({ check, verdict }) => (verdict === 'not-testable' ? [] : [check])));
  const decided = (what: What, lackOf: (decision: Decision) => Lack | false | undefined) =>
    decisions.flatMap((one) => {
      const lack = lackOf(one);
      return lack ? [row(what, lack, { id: one.check, requirements: [one.requirement] })] : [];
    });
  return [
    ...contract.checks.filter(concerns).flatMap((check) => {
      const why = inapplicable(contract, check);
      return why === undefined ? [] : [because(`not-applicable: ${why}`)(check)];
    }),
    ...leftOut.intrusive.filter(concerns).map(because('they need --intrusive')),
    ...decided('ways', ({ inPart }) => inPart && lackInWords('the others need --intrusive')),
    ...decided('unfinished', (one) => isUnfinished(one) && lackInWords(withoutPrefix(one.detail))),
    ...decided('untried', ({ untried, detail }) => untried && lackInWords(detail)),
    ...decided(
      'checks',
      ({ variable, check }) => variable !== undefined && !tried.has(check) && variableLack(variable),
    ),
    ...leftOut.narrowed.filter(concerns).map(because(`left out by ${describeNarrowing(narrowing)}`)),
  ];
}

/** What `notRun` (checks/run-check.ts) decides for a check that did not run to its end. */
function isUnfinished(decision: Decision): boolean {
  return decision.verdict === 'inconclusive' && unitOf(decision) === ANYWHERE && decision.steps.length === 0;
}

function casesNotSent({ plan, verdicts }: Tried): readonly Row[] {
  return [
    ...verdicts.flatMap(({ case: planned, sent, reason }) =>
      sent === 0 && reason !== undefined
        ? [row('cases', lackInWords(withoutPrefix(reason)), ofCase(planned, planned.expectation))]
        : [],
    ),
    ...plan.undecidable.flatMap(({ case: found, expectation, status, lack }) =>
      status === 'out-of-plan' ? [row('optional', lack, ofCase(found, expectation))] : [],
    ),
  ];
}

/** The reason alone: what it is about follows from the row. */
function withoutPrefix(reason: string): string {
  return reason.replace(/^(not run|not sent|stopped early): /, '');
}

/** The ids in the order of the ledger, after those that keep the data of one person from another. */
function gravestFirst({ requirements }: Contract, ids: ReadonlySet<string>): readonly string[] {
  const known = requirements.filter(({ id }) => ids.has(id));
  return [...known.filter(({ grave }) => grave), ...known.filter(({ grave }) => !grave)].map(({ id }) => id);
}

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
      return { law, variation, known, tried, why: tried < known ? whyNotAll(facts, decisions, check, tried) : null };
    });
  });
}

function whyNotAll(
  { leftOut, narrowing, breadth }: Facts,
  decisions: readonly Decision[],
  check: string,
  tried: number,
): string {
  const isIn = (heads: Facts['leftOut']['narrowed']) => heads.some(({ id }) => id === check);
  if (isIn(leftOut.intrusive)) return 'needs --intrusive';
  if (isIn(leftOut.narrowed)) return `left out by ${describeNarrowing(narrowing)}`;
  const isUndecided = decisions.some((one) => one.check === check && one.verdict === 'inconclusive');
  if (tried === 0) return `the check ${check} ${isUndecided ? 'is undecided' : 'had nothing to try it with'}`;
  return breadth === 'telling'
    ? 'the others need --intrusive'
    : 'the others are refused, find nothing, name what is not set, or do not fit the request';
}
