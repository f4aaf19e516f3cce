import type { Contract } from '../contract/contract.ts';
import type { Narrowing } from '../plan/narrowing.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Redactor } from '../record/redact.ts';
import type { Settings } from '../settings/settings.ts';

/** What a report says of a run beside its verdicts. A session has it, and so has a run that was read from its journal. */
export interface RunFacts {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly narrowing: Narrowing;
  readonly run: string;
  /** When the run began, ISO 8601. */
  readonly startedAt: string;
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  readonly settings: Pick<
    Settings,
    'catalogue' | 'baseUrl' | 'trusted' | 'depth' | 'claims' | 'variables' | 'extraHeaders'
  >;
}
