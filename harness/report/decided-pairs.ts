import { listedBy } from '../contract/collections.ts';
import { ANYWHERE, readGroup, unitOf } from '../plan/case.ts';
import { type Breadth, decisionId } from '../record/exchange.ts';
import type { ReportedCase, ReportedCheck } from './cases.ts';
import type { ReportedFinding } from './findings.ts';

export interface ComparedReport {
  /** The version and the contract that judged the run. */
  readonly suite?: string;
  readonly contract?: string;
  readonly run: string;
  readonly startedAt: string;
  readonly target: string;
  readonly embedded: boolean;
  /** Null or absent if it is unknown. */
  readonly breadth?: Breadth | null;
  readonly requirements: readonly {
    readonly id: string;
    readonly undecided: readonly { readonly unit: string }[];
  }[];
  readonly findings: readonly Pick<ReportedFinding, 'verdict' | 'requirements' | 'cases'>[];
  readonly expectations: readonly { readonly requirements: readonly string[] }[];
  readonly cases: readonly Pick<ReportedCase, 'id' | 'group' | 'verdict' | 'expectation'>[];
  readonly checks: readonly Pick<ReportedCheck, 'check' | 'requirement' | 'operation' | 'kind' | 'verdict'>[];
}

/** What a report says of pairs of a requirement and a unit, such as `token.expired search/USER`. */
interface DecidedPairs {
  /** With the ids of what failed: cases, and what checks decided. */
  readonly failing: ReadonlyMap<string, readonly string[]>;
  readonly decided: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
  readonly decidedCases: ReadonlySet<string>;
  /** What checks decided, and no answer of theirs was missing: the id and the requirement. */
  readonly decidedChecks: ReadonlySet<string>;
}

const DECIDED: readonly string[] = ['pass', 'fail', 'warn', 'observed'];

export function pairOf(requirement: string, unit: string): string {
  return `${requirement} ${unit}`;
}

/** The units of each requirement, both in order. */
export function unitsByRequirement(pairs: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const split = [...pairs].sort().map((pair) => pair.split(' '));
  return listedBy(split.map(([requirement = '', unit = '']) => [requirement, unit]));
}

export function decidedPairs({ requirements, findings, expectations, cases, checks }: ComparedReport): DecidedPairs {
  const undecided = new Set(
    requirements.flatMap(({ id, undecided: units }) => units.map(({ unit }) => pairOf(id, unit))),
  );
  const about = new Map(
    cases.map(({ id, group, verdict, expectation }) => [
      id,
      { unit: unitOf(readGroup(group)), verdict, requirements: expectations[expectation]?.requirements ?? [] },
    ]),
  );
  const ofCases = [...about.values()].flatMap(({ unit, verdict, requirements: ids }) =>
    DECIDED.includes(verdict) ? ids.map((id) => pairOf(id, unit)) : [],
  );
  const ofChecks = checks.map((check) => ({
    id: decisionId(check),
    requirement: check.requirement,
    pair: pairOf(check.requirement, unitOf(check)),
    verdict: check.verdict,
  }));
  const failingCases = findings.flatMap(({ verdict, requirements: blamed, cases: ids }) => {
    if (verdict !== 'fail') return [];
    return ids.flatMap((id) => {
      const found = about.get(id);
      if (found?.verdict !== 'fail') return [];
      // A finding may blame one requirement for each operation. A case is about those that its expectation names.
      const own = blamed.filter((requirement) => found.requirements.includes(requirement));
      return (own.length > 0 ? own : blamed).map((requirement) => [pairOf(requirement, found.unit), id] as const);
    });
  });
  const decidedChecks = ofChecks.filter(({ verdict }) => DECIDED.includes(verdict));
  const failingChecks = ofChecks.flatMap(({ id, pair, verdict }) => (verdict === 'fail' ? [[pair, id] as const] : []));
  const decided = [...ofCases, ...decidedChecks.map(({ pair }) => pair)].filter((pair) => !undecided.has(pair));
  // A check may decide one requirement of a unit several times, in several ways.
  const doubtful = new Set(ofChecks.filter(({ verdict }) => verdict === 'inconclusive').map(decidedId));
  const decidedCases = cases.filter(({ verdict }) => DECIDED.includes(verdict));
  return {
    failing: listedBy([...failingCases, ...failingChecks]),
    decided: new Set(decided),
    undecided,
    decidedCases: new Set(decidedCases.map(({ id }) => id)),
    decidedChecks: new Set(decidedChecks.map(decidedId).filter((id) => !doubtful.has(id))),
  };
}

/** Whether a run decided nothing: its target was down, or another program answered. It says nothing about the target. */
export function decidesNothing(report: ComparedReport): boolean {
  const { failing, decided } = decidedPairs(report);
  return failing.size + decided.size === 0;
}

/** What a check decided of a requirement: `isolation/search/USER user.isolation`. */
export function decidedId({ id, requirement }: { readonly id: string; readonly requirement: string }): string {
  return `${id} ${requirement}`;
}

/** Whether a report leaves a pair undecided, by itself or because a check did not run. */
export function isUndecided(
  { decided, undecided }: Pick<DecidedPairs, 'decided' | 'undecided'>,
  pair: string,
): boolean {
  const [requirement = ''] = pair.split(' ');
  return !decided.has(pair) && (undecided.has(pair) || undecided.has(pairOf(requirement, ANYWHERE)));
}
