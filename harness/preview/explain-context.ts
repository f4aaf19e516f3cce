import type { Check } from '../checks/check.ts';
import type { Contract, Requirement } from '../contract/contract.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Settings } from '../settings/settings.ts';

/** A part of an explanation: a title, and rows of a name and its text. */
export interface Section {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}
/** What explanations are made from: the contract, the checks and all cases, planned as if every variable were set. */
export interface ExplainContext {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  /** To plan all cases takes half a second, so the first explanation that needs them does it. */
  readonly plan: () => Pick<Plan, 'cases' | 'groups'>;
  /** Plans one case. Undefined if there is none with this id. */
  readonly find: (id: string) => PlannedCase | undefined;
  /** The cases that can decide a requirement. */
  readonly casesAbout: (requirement: string) => readonly PlannedCase[];
  /** Ids of the cases of depth core. */
  readonly core: ReadonlySet<string>;
  readonly parts: RequestParts;
  readonly settings: Settings;
}

/** The text of a requirement, with its source and level. */
export function citedText(requirement: Requirement | undefined): string {
  return requirement ? `${requirement.text ?? ''} (${requirement.source}, ${requirement.level})` : '';
}
