import type { JudgedRun } from '../judge/judge-run.ts';
import type { Decision, Exchange } from '../record/exchange.ts';

/** What a run has to judge at one moment. All of it grows, and a lockout changes exchanges. */
export interface ToJudge {
  readonly exchanges: readonly Exchange[];
  /** Why a case was not sent, by case id. */
  readonly unsent: ReadonlyMap<string, string>;
  readonly decisions: readonly Decision[];
  /** Why the run stopped early. */
  readonly stopped: string | undefined;
}

/** Judges again only if there is something new: judging twenty thousand cases takes as long as sending a thousand. */
export function judgeOnce(toJudge: () => ToJudge, judge: (found: ToJudge) => JudgedRun): () => JudgedRun {
  let known: { readonly parts: readonly unknown[]; readonly judged: JudgedRun } | undefined;
  return () => {
    const found = toJudge();
    const parts = partsOf(found);
    if (!known || !isSame(known.parts, parts)) known = { parts, judged: judge(found) };
    return known.judged;
  };
}

function partsOf({ exchanges, unsent, decisions, stopped }: ToJudge): readonly unknown[] {
  return [stopped, exchanges.length, ...exchanges, ...decisions, ...unsent.keys(), ...unsent.values()];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
