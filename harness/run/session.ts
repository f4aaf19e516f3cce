import type { Check } from '../checks/check.ts';
import type { CaseVerdict } from '../judge/judge-cases.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { Group } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Gate } from '../send/gate.ts';
import type { Sender } from '../send/sender.ts';
import type { PlannedRun } from './plan-run.ts';
import type { PreflightProblem } from './preflight.ts';

/** A step of a run. A check has as many as two: it begins, and it is done. */
export type Progressed =
  | { readonly kind: 'group done'; readonly group: Group }
  | { readonly kind: 'check begins' | 'check done'; readonly check: Check };

/** A run in progress. The command line and vitest both use it. */
export interface Session extends PlannedRun {
  readonly gate: Gate;
  readonly sender: Sender;
  preflight(): Promise<PreflightProblem | undefined>;
  runGroup(group: Group): Promise<readonly CaseVerdict[]>;
  /**
   * Sends all groups in order, then again the cases without an answer, and then what finds the conditions of misses.
   * Stops when the gate is closed.
   */
  sendMatrix(step?: (group: Group) => void): Promise<void>;
  /** Sends more cases: around each miss, to find the smallest condition of its cause, and for what other faults cover. */
  askFurther(): Promise<void>;
  /**
   * Sends everything: first the checks of the gravest requirements, then the matrix, then the other checks. With a budget
   * of requests, the matrix comes first.
   * @param step is called before each check and after each check and group.
   */
  sendAll(step?: (done: Progressed) => void): Promise<void>;
  runCheck(check: Check): Promise<readonly Decision[]>;
  /** Judges everything that was sent until now. */
  judge(): JudgedRun;
  /** @param decided false if the run decided nothing. The report folder then keeps the journal of the earlier run. */
  close(interrupted?: boolean, decided?: boolean): Promise<void>;
}
