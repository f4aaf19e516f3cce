import { setsOf } from '../contract/collections.ts';
import type { Contract, Requirement } from '../contract/contract.ts';
import { type Lack, lackInWords } from '../plan/case.ts';
import type { Decision } from '../record/exchange.ts';
import { blamedIn } from './causes-of-checks.ts';
import type { Verdict } from './judge-cases.ts';
import { type JudgedCases, type Tally, tallyUp } from './tallies.ts';

/** A unit, `operation/kind`, for which nothing decided a requirement. */
export interface Undecided {
  readonly unit: string;
  /** The variable to set, or what went wrong. */
  readonly lack: Lack;
  readonly status: 'not-testable' | 'inconclusive';
  /** The baseline lists it as a gap. */
  readonly accepted: boolean;
}
export interface RequirementVerdict {
  readonly requirement: Requirement;
  readonly verdict: Verdict;
  readonly undecided: readonly Undecided[];
  readonly decidedCases: number;
  /** Every unit in which the run could have decided it, and whether something did. */
  readonly units: ReadonlyMap<string, boolean>;
}

/** A requirement does not pass because all its cases failed for another reason (outcomes 3). */
const MASKED = lackInWords('every case that could decide it fails because of another requirement');

/** Gives the verdict on each requirement, in the order of the ledger. Pure. */
export function judgeRequirements(judged: JudgedCases): RequirementVerdict[] {
  // It would be in no verdict, and a run that failed would conform.
  const [stray] = strayDecisions(judged.contract, judged.decisions);
  if (stray) throw new Error(`the check ${stray.check} decides ${stray.requirement}, which the ledger does not have`);
  const tallies = tallyUp(judged);
  // What a check finds is a finding too.
  const blames = setsOf(judged.findings.flatMap(blamedIn).map(({ requirement, verdict }) => [requirement, verdict]));
  return judged.contract.requirements
    .filter(({ excluded }) => excluded === undefined)
    .map((requirement) => {
      const units = tallies.get(requirement.id) ?? new Map<string, Tally>();
      return judgeRequirement(requirement, units, blames.get(requirement.id), judged.stopped !== undefined);
    });
}

/** The decisions on what the ledger does not have, or leaves out. */
export function strayDecisions({ requirements }: Contract, decisions: readonly Decision[]): readonly Decision[] {
  const known = new Set(requirements.flatMap(({ id, excluded }) => (excluded === undefined ? [id] : [])));
  return decisions.filter(({ requirement }) => !known.has(requirement));
}

function judgeRequirement(
  requirement: Requirement,
  units: ReadonlyMap<string, Tally>,
  blames: ReadonlySet<string> | undefined,
  stopped: boolean,
): RequirementVerdict {
  // A whole run leaves out what its cases show only beside another fault, if their answers are about that fault. A run
  // that stopped leaves it out too, so that both count the same requirements. It never conforms anyway.
  const undecided = [...units].flatMap(([unit, { lost, lostBeside, ...tally }]) =>
    undecidedIn(unit, { ...tally, lost: stopped ? lost : new Set([...lost, ...lostBeside]) }),
  );
  const all = [...units.values()];
  const decidedCases = all.reduce((sum, { decided }) => sum + decided, 0);
  const verdict = (): Verdict => {
    if (blames?.has('fail')) return 'fail';
    if (undecided.some(({ status }) => status === 'inconclusive')) return 'inconclusive';
    if (undecided.length > 0) return 'not-testable';
    if (blames?.has('warn')) return 'warn';
    if (decidedCases > 0) return 'pass';
    return all.some(({ observed }) => observed > 0) ? 'observed' : 'not-applicable';
  };
  const decidedUnits = new Map([...units].map(([unit, { decided, observed }]) => [unit, decided + observed > 0]));
  return { requirement, verdict: verdict(), undecided, decidedCases, units: decidedUnits };
}

/**
 * Why a unit is undecided: every missing variable, and the first reason why nothing can be said. Empty if it is decided,
 * the target refuses no token of it that it must accept, and its people find what is theirs.
 */
function undecidedIn(unit: string, tally: Omit<Tally, 'lostBeside'>): readonly Undecided[] {
  const { decided, observed, missing, lost, refused, unseen, masked } = tally;
  const isDecided = decided + observed > 0;
  const open = [...refused, ...unseen];
  if (isDecided && open.length === 0) return [];
  const isMasked = masked && missing.size === 0;
  const [lack = isMasked ? MASKED : undefined] = [...open, ...lost].map(lackInWords);
  return [
    ...(isDecided ? [] : [...missing])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, needed]) => ({ unit, lack: needed, status: 'not-testable', accepted: false }) as const),
    ...(lack ? [{ unit, lack, status: 'inconclusive', accepted: false } as const] : []),
  ];
}
