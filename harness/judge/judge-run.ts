import type { Contract } from '../contract/contract.ts';
import { withFurtherCases } from '../plan/further-cases.ts';
import type { Plan } from '../plan/plan.ts';
import type { Decision, Exchange } from '../record/exchange.ts';
import { isAccepted, isAnswer } from '../record/observation.ts';
import type { Baseline } from './baseline.ts';
import { type RunVerdict, runVerdictOf } from './ending.ts';
import { type Finding, findingsOf, withWarnings } from './findings.ts';
import { type CaseVerdict, gather, judgeCases } from './judge-cases.ts';
import { appearanceOf, looksOf } from './looks.ts';

/** A judged run. Every report is computed from it. */
export interface JudgedRun extends RunVerdict {
  /** The plan, with the cases that the run sent beyond it. */
  readonly plan: Plan;
  readonly verdicts: readonly CaseVerdict[];
  readonly findings: readonly Finding[];
  /** Why the run stopped early. */
  readonly stopped: string | undefined;
  readonly decisions: readonly Decision[];
  readonly exchanges: readonly Exchange[];
}
export interface RunToJudge {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly exchanges: readonly Exchange[];
  /** Why a case was not sent, by case id. */
  readonly unsent?: ReadonlyMap<string, string>;
  readonly decisions: readonly Decision[];
  readonly trusted: boolean;
  readonly narrowed: boolean;
  readonly baseline?: Baseline | undefined;
  /** Why the run stopped early. */
  readonly stopped?: string | undefined;
}

/** The lists that were left out somewhere, and that another answer shows. Most runs have none. */
function listsShownIn(verdicts: readonly CaseVerdict[], exchanges: readonly Exchange[]): ReadonlySet<string> {
  const leftOut = new Set(verdicts.flatMap(({ miss }) => miss?.leftOut ?? []));
  const isShown = (name: string) =>
    exchanges.some(({ observation }) => isAnswer(observation) && observation.skeleton?.includes(`${name}: array(`));
  return new Set([...leftOut].filter(isShown));
}

/** Exchanges and decisions -> verdicts -> findings -> ending. Pure, so that `report` can judge a journal again. */
export function judgeRun(input: RunToJudge): JudgedRun {
  const { contract, exchanges, unsent, decisions, trusted, narrowed, baseline, stopped } = input;
  const cells = exchanges.filter(({ role }) => role === 'cell').map(({ case: id }) => id);
  const plan = withFurtherCases(input.plan, cells);
  const looks = looksOf(plan, exchanges);
  // What a gateway answers now and then shows nothing about a token.
  const counts = ({ case: id, observation }: Exchange) => {
    const operation = plan.cases.get(id)?.values.operation;
    return operation === undefined || appearanceOf(() => looks, operation, observation) !== 'fickle';
  };
  const { byCase } = gather(exchanges);
  const accepted = new Set(
    exchanges.filter((one) => isAccepted(one.observation) && counts(one)).map(({ credential }) => credential),
  );
  const evidence = { byCase, accepted, looks: () => looks, ...(unsent && { unsent }) };
  const judged = judgeCases({ contract, plan, trusted }, plan.cases.values(), evidence);
  const findings = findingsOf(contract, judged, decisions, trusted);
  const verdicts = withWarnings(judged, findings);
  return {
    ...runVerdictOf({
      contract,
      plan,
      verdicts,
      findings,
      decisions,
      listsShown: listsShownIn(verdicts, exchanges),
      narrowed,
      baseline,
      stopped,
    }),
    plan,
    verdicts,
    findings,
    stopped,
    decisions,
    exchanges,
  };
}
