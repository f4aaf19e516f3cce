import type { Depth } from '../contract/contract.ts';
import { type Case, differing } from './case.ts';
import type { Credential } from './credentials.ts';
import type { Expectation } from './expectation.ts';
import type { NotPlanned } from './not-planned.ts';

/** A case that can be sent, with what it needs and what it must answer. */
export interface PlannedCase extends Case {
  readonly group: string;
  readonly expectation: Expectation;
  readonly credential: Credential | undefined;
  /** The case whose acceptance gives this one's refusal its meaning; undefined for a case that must succeed. */
  readonly control: string | undefined;
  /** In how many dimensions it differs from a well-made request of its kind. */
  readonly deviations: number;
}
/** Cases of one operation, kind and rule: what one test decides. */
export interface Group {
  readonly id: string;
  readonly cases: readonly PlannedCase[];
}
/** A case that cannot be decided, and why. */
export interface Undecidable extends NotPlanned {
  readonly case: Case;
  readonly expectation: Expectation;
}
/** What a plan consists of; what a run asks of it follows from that. */
interface Planned {
  readonly depth: Depth;
  readonly groups: readonly Group[];
  readonly undecidable: readonly Undecidable[];
  /** Every planned case by id, the controls that are in no group included. */
  readonly cases: ReadonlyMap<string, PlannedCase>;
  /** The cases of the whole run that must be accepted, whatever narrows this plan. */
  readonly acceptances: readonly PlannedCase[];
}
export interface Plan extends Planned {
  /** Recipes of the credentials that some planned case must accept, and that can so be shown to live. */
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

/** Another case that must be accepted, closest to this one: it shows that the target answers while this one fails. */
export function nearestAcceptance(plan: Plan, planned: PlannedCase): PlannedCase | undefined {
  const control = planned.control === undefined ? undefined : plan.cases.get(planned.control);
  if (control) return control;
  let nearest: PlannedCase | undefined;
  for (const other of plan.acceptances) {
    if (other.id === planned.id) continue;
    const distance = differing(other.values, planned.values).length;
    if (!nearest || distance < differing(nearest.values, planned.values).length) nearest = other;
  }
  return nearest;
}
