import type { ChatBudget } from './chat-budget.ts';
import type { Check } from './check.ts';
import type { Clock } from './clock.ts';
import type { Conclusion } from './conclude.ts';
import type { Contract } from './contract.ts';
import type { Gate } from './gate.ts';
import type { Decision } from './journal.ts';
import type { Narrowing } from './narrowing.ts';
import type { Observer } from './observation.ts';
import type { Group, Plan } from './plan.ts';
import type { PreflightProblem } from './preflight.ts';
import type { Redactor } from './redact.ts';
import type { RequestParts } from './request.ts';
import type { Sender } from './sender.ts';
import type { Settings } from './settings.ts';
import type { Transport } from './transport.ts';
import type { CaseVerdict } from './verdicts.ts';

/** A run under way against one target. Both front ends, the command line and vitest, work with it. */
export interface Session {
  readonly contract: Contract;
  readonly settings: Settings;
  /** What this run decides; the whole plan unless it is narrowed. */
  readonly plan: Plan;
  readonly groups: readonly Group[];
  /** The hand-written checks that it takes. */
  readonly checks: readonly Check[];
  readonly narrowing: Narrowing;
  readonly gate: Gate;
  readonly chats: ChatBudget;
  readonly sender: Sender;
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  readonly observer: Observer;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly run: string;
  /** When it began, ISO 8601. */
  readonly startedAt: string;
  preflight(): Promise<PreflightProblem | undefined>;
  decide(group: Group): Promise<readonly CaseVerdict[]>;
  /** Decides every group in turn, and once more what got no answer, until the gate is closed. */
  decideMatrix(step?: (group: Group) => void): Promise<void>;
  /** Runs a hand-written check and records what it found. */
  check(check: Check): Promise<readonly Decision[]>;
  /** Judges on everything sent until now. */
  conclude(): Conclusion;
  /** Whether the report folder is still this run's, and no other run began to write there. */
  ownsReportFolder(): boolean;
  close(interrupted?: boolean): Promise<void>;
}
