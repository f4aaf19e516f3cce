import type { Contract } from '../contract/contract.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { type Case, type Lack, lackInWords, textOfLack, variableLack } from '../plan/case.ts';
import { allSuspects, type Expectation } from '../plan/expectation.ts';
import { type CheckHead, describeNarrowing } from '../plan/narrowing.ts';
import type { Decision } from '../record/exchange.ts';
import { type ReportedLack, reportLack } from './limits.ts';

/**
 * What a run may leave out: whole checks, the rest of a check, all but its most telling ways, cases, and cases that no claim
 * needs.
 */
export const NOT_TRIED = ['checks', 'unfinished', 'ways', 'cases', 'optional'] as const;

/** Checks or cases that a run did not try, for one reason. */
export interface NotTried extends ReportedLack {
  readonly what: (typeof NOT_TRIED)[number];
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
  const alike = new Map<string, Row[]>();
  for (const row of [...checksNotRun(facts, run.decisions), ...casesNotSent(run)]) {
    const key = `${row.what} ${textOfLack(row.lack)}`;
    alike.set(key, [...(alike.get(key) ?? []), row]);
  }
  return [...alike.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const { what, lack } = first;
    const ids = [...new Set(rows.map(({ id }) => id))];
    const requirements = gravestFirst(facts.contract, new Set(rows.flatMap((row) => row.requirements)));
    return [{ what, ...reportLack(lack), count: ids.length, checks: isOfCases(what) ? [] : ids, requirements }];
  });
}

function isOfCases(what: NotTried['what']): boolean {
  return what === 'cases' || what === 'optional';
}

function checksNotRun({ leftOut, narrowing }: RunFacts, decisions: readonly Decision[]): readonly Row[] {
  const because = (words: string) => (head: CheckHead) =>
    ({ what: 'checks', lack: lackInWords(words), ...head }) as const;
  const concerns = ({ requirements }: CheckHead) => requirements.length > 0;
  const row = (what: Row['what'], lack: Lack, { check: id, requirement }: Decision): Row => ({
    what,
    lack,
    id,
    requirements: [requirement],
  });
  const tried = new Set(decisions.flatMap(({ check, verdict }) => (verdict === 'not-testable' ? [] : [check])));
  return [
    ...leftOut.intrusive.filter(concerns).map(because('they need --intrusive')),
    ...decisions.flatMap((one) => (one.inPart ? [row('ways', lackInWords('the others need --intrusive'), one)] : [])),
    ...decisions.flatMap((one) =>
      isUnfinished(one) ? [row('unfinished', lackInWords(withoutPrefix(one.detail)), one)] : [],
    ),
    ...decisions.flatMap((one) =>
      one.variable === undefined || tried.has(one.check) ? [] : [row('checks', variableLack(one.variable), one)],
    ),
    ...leftOut.narrowed.filter(concerns).map(because(`left out by ${describeNarrowing(narrowing)}`)),
  ];
}

/** What `notRun` (checks/run-check.ts) decides for a check that did not run to its end. */
function isUnfinished({ verdict, operation, kind, steps }: Decision): boolean {
  return verdict === 'inconclusive' && operation === 'any' && kind === 'any' && steps.length === 0;
}

function casesNotSent({ plan, verdicts }: Tried): readonly Row[] {
  const row = (what: Row['what'], lack: Lack, { id }: Case, expectation: Expectation): Row => ({
    what,
    lack,
    id,
    requirements: allSuspects(expectation).map(({ requirement }) => requirement),
  });
  return [
    ...verdicts.flatMap(({ case: planned, sent, reason }) =>
      sent === 0 && reason !== undefined
        ? [row('cases', lackInWords(withoutPrefix(reason)), planned, planned.expectation)]
        : [],
    ),
    ...plan.undecidable.flatMap(({ case: found, expectation, status, lack }) =>
      status === 'out-of-plan' ? [row('optional', lack, found, expectation)] : [],
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
