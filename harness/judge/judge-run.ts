import type { Contract } from '../contract/contract.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision, Exchange } from '../record/exchange.ts';
import type { Baseline } from './baseline.ts';
import { type RunVerdict, runVerdictOf } from './ending.ts';
import { type Finding, findingsOf, withWarnings } from './findings.ts';
import { type CaseVerdict, gather, judgeCases } from './judge-cases.ts';

/** What a journal says, judged: the input of every report. */
export interface JudgedRun extends RunVerdict {
  readonly verdicts: readonly CaseVerdict[];
  readonly findings: readonly Finding[];
  /** Why the run ended before its end. */
  readonly stopped: string | undefined;
  readonly decisions: readonly Decision[];
  readonly exchanges: readonly Exchange[];
}
export interface RunToJudge {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly exchanges: readonly Exchange[];
  /** Why a case was not sent, by its id. */
  readonly unsent?: ReadonlyMap<string, string>;
  readonly decisions: readonly Decision[];
  readonly trusted: boolean;
  readonly narrowed: boolean;
  readonly baseline?: Baseline | undefined;
  /** Why the run ended before its end. */
  readonly stopped?: string | undefined;
}

/** Exchanges and decisions -> verdicts -> causes -> how the run ends. Pure, online and offline. */
export function judgeRun(input: RunToJudge): JudgedRun {
  const { contract, plan, exchanges, unsent, decisions, trusted, narrowed, baseline, stopped } = input;
  const evidence = { ...gather(exchanges), ...(unsent && { unsent }) };
  const judged = judgeCases({ contract, plan, trusted }, plan.cases.values(), evidence);
  const findings = findingsOf(contract, judged, decisions, trusted);
  const verdicts = withWarnings(judged, findings);
  return {
    ...runVerdictOf({ contract, plan, verdicts, findings, decisions, narrowed, baseline, stopped }),
    verdicts,
    findings,
    stopped,
    decisions,
    exchanges,
  };
}
