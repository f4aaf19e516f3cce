import type { Check } from '../checks/check.ts';
import type { Contract, Requirement } from '../contract/contract.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Settings } from '../settings/settings.ts';

/** A part of an explanation: rows of a name and what is said of it. */
export interface Section {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}
/** Everything that can be explained, as if every variable were set. */
export interface World {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly plan: Plan;
  /** Ids of the cases of depth core. */
  readonly core: ReadonlySet<string>;
  readonly parts: RequestParts;
  readonly settings: Settings;
}

/** What the specification says, and where. */
export function wordsOf(requirement: Requirement | undefined): string {
  return requirement ? `${requirement.text ?? ''} (${requirement.source}, ${requirement.level})` : '';
}
