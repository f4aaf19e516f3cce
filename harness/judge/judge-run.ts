import type { Contract } from '../contract/contract.ts';
import type { Plan } from '../plan/make-plan.ts';
import type { Decision, Exchange } from '../record/exchange.ts';
import type { Baseline } from './baseline.ts';
import { concludeRun, type RunVerdict } from './ending.ts';
import { type Finding, findCauses, withWarnings } from './findings.ts';
import { type CaseVerdict, decideCases, gather } from './judge-cases.ts';

/** What a journal says, judged: the input of every report. */
export interface Conclusion extends RunVerdict {
  readonly verdicts: readonly CaseVerdict[];
  readonly findings: readonly Finding[];
  /** Why the run ended before its end. */
  readonly stopped: string | undefined;
  readonly decisions: readonly Decision[];
  readonly exchanges: readonly Exchange[];
}
export interface ConcludeInput {
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
export function conclude(input: ConcludeInput): Conclusion {
  const { contract, plan, exchanges, unsent, decisions, trusted, narrowed, baseline, stopped } = input;
  const evidence = { ...gather(exchanges), ...(unsent && { unsent }) };
  const verdicts = decideCases(contract, plan, plan.cases.values(), evidence, trusted);
  const findings = findCauses(contract, verdicts, decisions, trusted);
  return {
    ...concludeRun({ contract, plan, verdicts, findings, decisions, narrowed, baseline, stopped }),
    verdicts: withWarnings(verdicts, findings),
    findings,
    stopped,
    decisions,
    exchanges,
  };
}
