import type { Contract } from '../contract/contract.ts';
import type { CheckHead, Narrowing } from '../plan/narrowing.ts';
import type { Plan } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Breadth, EarlierRun, LeftRecord } from '../record/exchange.ts';
import type { Redactor } from '../record/redact.ts';
import type { LatencyLimit } from '../settings/latency-limits.ts';
import type { Settings } from '../settings/settings.ts';

/** What a report needs besides the verdicts. A session provides it, and so does a journal that is judged again. */
export interface RunFacts {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly narrowing: Narrowing;
  /** The checks of this run. */
  readonly checks: readonly CheckHead[];
  /** The checks that it leaves out, because they need --intrusive or because something narrowed the run. */
  readonly leftOut: Readonly<Record<'intrusive' | 'narrowed', readonly CheckHead[]>>;
  /** How much the checks try. Undefined if an older version recorded the journal. */
  readonly breadth?: Breadth | undefined;
  /** The limits of --max-latency. Undefined without one. */
  readonly maxLatency?: readonly LatencyLimit[] | undefined;
  readonly run: string;
  /** When the run started, ISO 8601. */
  readonly startedAt: string;
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  /** The earlier run to compare with. */
  readonly earlier?: EarlierRun;
  /** What checks created on the target and removed again. */
  readonly left?: readonly LeftRecord[];
  readonly settings: Pick<
    Settings,
    'catalogue' | 'baseUrl' | 'trusted' | 'depth' | 'claims' | 'variables' | 'extraHeaders' | 'minted'
  >;
}
