import type { Check } from '../checks/check.ts';
import { createCheckApi } from '../checks/check-api.ts';
import { runCheck } from '../checks/run-check.ts';
import type { Baseline } from '../judge/baseline.ts';
import { judgeRun } from '../judge/judge-run.ts';
import { isNarrowed } from '../plan/narrowing.ts';
import { acceptancesIn } from '../plan/plan.ts';
import type { Decision } from '../record/exchange.ts';
import type { Settings } from '../settings/settings.ts';
import { askFurther } from './ask-further.ts';
import { endIfDead } from './end-if-dead.ts';
import { judgeOnce } from './judge-once.ts';
import { type PlannedRun, type PlanOptions, planRun } from './plan-run.ts';
import { preflight } from './preflight.ts';
import { seedOf } from './run-id.ts';
import { runRecord } from './run-record.ts';
import { runGroup, sendGroup, sendLostAgain } from './send-group.ts';
import type { Session } from './session.ts';
import { settleChance } from './settle-chance.ts';
import { tryTokens } from './try-tokens.ts';
import { type Wiring, type WiringOptions, wireSending } from './wire-sending.ts';

export interface SessionOptions extends PlanOptions, WiringOptions {
  readonly baseline?: Baseline;
}

/**
 * Starts a session: makes the plan, the gate and the journal. Sends nothing yet.
 * @throws a configuration error for a narrowing that matches nothing. The journal of an earlier run is then untouched.
 */
export function startSession(settings: Settings, options: SessionOptions): Session {
  // A budget buys more of the most telling ways than of all ways.
  const planned = planRun(settings, { ...options, ...(options.budget !== undefined && { breadth: 'telling' }) });
  const wiring = wireSending(planned, options);
  wiring.journal.append(runRecord(planned));
  if (options.earlier) wiring.journal.append(options.earlier);
  return sessionOf(planned, wiring, options.baseline);
}

function sessionOf(planned: PlannedRun, wiring: Wiring, baseline: Baseline | undefined): Session {
  const { contract, settings, plan, whole, narrowing, redactor, run } = planned;
  const { gate, journal, sender, sending, world, left } = wiring;
  const seed = seedOf(run);
  const decisions: Decision[] = [];
  const isOver = () => gate.closed !== undefined;
  const settle = () => settleChance({ sender, judge: session.judge, isOver });
  const session: Session = {
    ...planned,
    left,
    gate,
    sender,
    async preflight() {
      const problem = await preflight(whole, sender, settings);
      // The tokens of a trusted target were made for this run, so a refusal is judged (outcomes 2).
      if (problem || settings.trusted) return problem;
      const acceptances = planned.checks.length > 0 ? whole.acceptances : acceptancesIn(plan.cases);
      const line = await tryTokens({ contract, acceptances, sender });
      return line === undefined ? undefined : { exitCode: 3, line };
    },
    runGroup: (group) => runGroup(sending, group),
    async sendMatrix(step) {
      for (const group of plan.groups) {
        if (gate.closed !== undefined) return;
        await sendGroup(sending, group);
        step?.(group);
      }
      await sendLostAgain(sending);
      await settle();
      await session.askFurther();
      await settle();
    },
    async askFurther() {
      const { shard: _shard, ...asked } = narrowing;
      // A run that was asked for certain cases sends only these.
      if (isNarrowed(asked)) return;
      await askFurther({ sending, judge: session.judge, isOver });
    },
    async sendAll(step) {
      const run = async (check: Check) => {
        step?.({ kind: 'check begins', check });
        await session.runCheck(check);
        step?.({ kind: 'check done', check });
      };
      const { budget = Number.POSITIVE_INFINITY } = wiring;
      const first = new Set<Check>();
      for (const check of planned.checks) {
        // Half of a budget is for the matrix.
        if (!check.goesFirst || sender.exchanges.length >= budget / 2) continue;
        first.add(check);
        await run(check);
      }
      await session.sendMatrix((group) => step?.({ kind: 'group done', group }));
      for (const check of planned.checks.filter((check) => !first.has(check))) await run(check);
      await endIfDead({ plan: whole, sender, gate });
    },
    async runCheck(check) {
      const connect = () => createCheckApi(world, `check:${check.id}`, seed);
      const found = await runCheck({ gate, redactor, connect, lockout: world.lockout }, check);
      for (const decision of found) journal.append(decision);
      decisions.push(...found);
      return found;
    },
    judge: judgeOnce(
      () => ({ exchanges: sender.exchanges, unsent: sender.unsent, decisions, stopped: gate.closed }),
      (found) =>
        judgeRun({ contract, plan, narrowed: isNarrowed(narrowing), baseline, trusted: settings.trusted, ...found }),
    ),
    async close(interrupted = false, decided = true) {
      journal.append({ type: 'end', interrupted, ...(gate.closed !== undefined && { stopped: gate.closed }) });
      if (decided) journal.close();
      else journal.withdraw();
      await world.transport.probe.close();
    },
  };
  return session;
}
