import type { Depth } from '../contract/contract.ts';
import { type Case, differing } from './case.ts';
import type { Credential, UsedCredential } from './credentials.ts';
import type { Expectation } from './expectation.ts';
import type { NotPlanned } from './not-planned.ts';

/** A case that can be sent, with its credential, its control and its expectation. */
export interface PlannedCase extends Case {
  readonly group: string;
  readonly expectation: Expectation;
  readonly credential: Credential | undefined;
  /** The same request without its faults; undefined for a case that must be accepted (outcomes 2). */
  readonly control: string | undefined;
  /** The number of dimensions in which it differs from the well-made request of its kind. */
  readonly deviations: number;
}
/** The cases of one operation, kind and rule. */
export interface Group {
  readonly id: string;
  readonly cases: readonly PlannedCase[];
}
/** A case that cannot be sent, and why. */
export interface Undecidable extends NotPlanned {
  readonly case: Case;
  readonly expectation: Expectation;
}
/** The data of a plan. */
interface Planned {
  readonly depth: Depth;
  readonly groups: readonly Group[];
  readonly undecidable: readonly Undecidable[];
  /** Every planned case by id, including controls that are in no group. */
  readonly cases: ReadonlyMap<string, PlannedCase>;
  /** The cases of the whole run that must be accepted, also if this plan is narrowed. */
  readonly acceptances: readonly PlannedCase[];
  /** Every token at hand, and what it is used for. */
  readonly credentials: readonly UsedCredential[];
  /** The case with this id, also one that the depth leaves out. Undefined if it is no case, or cannot be sent. */
  readonly find: (id: string) => PlannedCase | undefined;
  /** A well-made request with the token of a case, which must be accepted, also one that the depth leaves out. */
  readonly proofOf: (planned: PlannedCase) => PlannedCase | undefined;
  /** Whether the tokens at hand are enough to send a case and its control, also one that the depth leaves out. */
  readonly canSend: (testCase: Case) => boolean;
}
/** A plan, with what follows from its data. */
export interface Plan extends Planned {
  /** Recipes of the credentials with which some planned case must be accepted, so the run can show that they work. */
  readonly provable: ReadonlySet<string>;
  /** The last group that needs a control, by the id of the control. */
  readonly lastGroups: ReadonlyMap<string, Group>;
}

export function planOf(planned: Planned): Plan {
  const lastGroups = new Map<string, Group>();
  for (const group of planned.groups)
    for (const { control } of group.cases) if (control !== undefined) lastGroups.set(control, group);
  const credentials = acceptancesIn(planned.cases).flatMap(({ credential }) => credential ?? []);
  return { ...planned, lastGroups, provable: new Set(credentials.map(({ recipe }) => recipe)) };
}

export function acceptancesIn(cases: Planned['cases']): readonly PlannedCase[] {
  return [...cases.values()].filter(({ expectation }) => expectation.kind === 'accept');
}

/**
 * The nearest acceptance: another case that must be accepted, the one most like this case. Its acceptance shows that
 * the target answers while this case gets no answer (outcomes 3).
 */
export function nearestAcceptance(plan: Plan, planned: PlannedCase): PlannedCase | undefined {
  const control = planned.control === undefined ? undefined : plan.find(planned.control);
  if (control) return control;
  let nearest: PlannedCase | undefined;
  for (const other of plan.acceptances) {
    if (other.id === planned.id) continue;
    const distance = differing(other.values, planned.values).length;
    if (!nearest || distance < differing(nearest.values, planned.values).length) nearest = other;
  }
  return nearest;
}
