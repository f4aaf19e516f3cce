import type { Check } from '../checks/check.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { CasesAt } from '../plan/expand.ts';
import type { Narrowing } from '../plan/narrowing.ts';
import { noJournal } from '../record/journal.ts';
import { isSuccess } from '../record/observation.ts';
import type { Session } from '../run/session.ts';
import { startSession } from '../run/start-session.ts';
import type { TransportInput } from '../send/transport.ts';
import type { Settings } from '../settings/settings.ts';
import { imaginedTarget } from './imagined-target.ts';
import { rehearsalClock } from './rehearsal-clock.ts';

/** What a run would be, found by running it against a target that is nowhere. */
export interface Rehearsal {
  readonly session: Session;
  readonly judged: JudgedRun;
  /** What the matrix sends, and what the hand-written checks do. */
  readonly matrix: Traffic;
  readonly checks: Traffic;
  /** Milliseconds at the rate of the settings, pauses for denials included; 0 where there is no rate. */
  readonly lastsMs: number;
}
export interface Traffic {
  readonly requests: number;
  /** Answered with a refusal, on purpose. */
  readonly denied: number;
  /** Accepted by an operation that thinks before it answers. */
  readonly chats: number;
}
export interface RehearsalOptions {
  readonly checks: readonly Check[];
  readonly intrusive: boolean;
  readonly narrowing?: Narrowing;
  /** The cases of each depth, where they were expanded before. */
  readonly casesAt?: CasesAt;
}

/** Runs the whole session, gate and judgement included, on a clock of its own. Nothing is sent and nothing is written. */
export async function rehearse(settings: Settings, options: RehearsalOptions): Promise<Rehearsal> {
  const clock = rehearsalClock();
  const matrix = { requests: 0, denied: 0, chats: 0 };
  const checks = { ...matrix };
  let counted = matrix;
  const transport = (input: TransportInput) =>
    imaginedTarget(input, (operation, status) => {
      counted.requests += 1;
      if (status >= 400) counted.denied += 1;
      if (isSuccess(status) && operation?.isSlow) counted.chats += 1;
    });
  const session = startSession(settings, { ...options, clock, journal: noJournal, transport });
  await session.preflight();
  await session.sendMatrix();
  counted = checks;
  for (const check of session.checks) await session.runCheck(check);
  const judged = session.judge();
  await session.close();
  return { session, judged, matrix, checks, lastsMs: clock.now() };
}
