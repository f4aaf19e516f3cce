import type { Check } from '../checks/check.ts';
import type { CaseVerdict } from '../judge/judge-cases.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { Group } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Gate } from '../send/gate.ts';
import type { Sender } from '../send/sender.ts';
import type { PlannedRun } from './plan-run.ts';
import type { PreflightProblem } from './preflight.ts';

/** A run under way against one target. Both front ends, the command line and vitest, work with it. */
export interface Session extends PlannedRun {
  readonly gate: Gate;
  readonly sender: Sender;
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
