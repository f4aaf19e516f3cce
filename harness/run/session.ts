import type { Check } from '../checks/check.ts';
import type { Contract } from '../contract/contract.ts';
import type { CaseVerdict } from '../judge/judge-cases.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { Group, Plan } from '../plan/make-plan.ts';
import type { Narrowing } from '../plan/narrowing.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Decision } from '../record/exchange.ts';
import type { Observer } from '../record/observation.ts';
import type { Redactor } from '../record/redact.ts';
import type { ChatBudget } from '../send/chat-budget.ts';
import type { Clock } from '../send/clock.ts';
import type { Gate } from '../send/gate.ts';
import type { Sender } from '../send/sender.ts';
import type { Transport } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import type { PreflightProblem } from './preflight.ts';

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
  /** Sends a group and judges it on what was sent for it. */
  runGroup(group: Group): Promise<readonly CaseVerdict[]>;
  /** Sends every group in turn, and once more what got no answer, until the gate is closed. */
  sendMatrix(step?: (group: Group) => void): Promise<void>;
  /** Runs a hand-written check and records what it found. */
  runCheck(check: Check): Promise<readonly Decision[]>;
  /** Judges on everything sent until now. */
  judge(): JudgedRun;
  /** Whether the report folder is still this run's, and no other run began to write there. */
  ownsReportFolder(): boolean;
  close(interrupted?: boolean): Promise<void>;
}
