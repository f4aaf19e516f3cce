import type { Contract } from '../contract/contract.ts';
import type { CheckHead, Narrowing } from '../plan/narrowing.ts';
import { type Plan, withFurtherCases } from '../plan/plan.ts';
import type { RequestParts } from '../plan/request.ts';
import type { Breadth, Decision, EarlierRun, Exchange, LeftRecord } from '../record/exchange.ts';
import { isAccepted, isAnswer } from '../record/observation.ts';
import type { Redactor } from '../record/redact.ts';
import type { LatencyLimit } from '../settings/latency-limits.ts';
import type { Settings } from '../settings/settings.ts';
import type { Baseline } from './baseline.ts';
import { besideAcceptances } from './beside-acceptances.ts';
import { type RunVerdict, runVerdictOf } from './ending.ts';
import { findingsOf, withWarnings } from './findings.ts';
import { type CaseVerdict, gather, type Judging, judgeCases } from './judge-cases.ts';
import { appearanceOf, looksOf } from './looks.ts';
import type { JudgedCases } from './tallies.ts';

/** A judged run. Every report is computed from it. */
export interface JudgedRun extends RunVerdict, Pick<JudgedCases, 'verdicts' | 'findings' | 'decisions'> {
  /** The plan, with the cases that the run sent beyond it. */
  readonly plan: Plan;
  readonly stopped: string | undefined;
  readonly exchanges: readonly Exchange[];
}
export interface RunToJudge extends Judging, Pick<JudgedRun, 'exchanges' | 'decisions'> {
  /** Why a case was not sent, by case id. */
  readonly unsent?: ReadonlyMap<string, string>;
  readonly narrowed: boolean;
  readonly baseline?: Baseline | undefined;
  readonly stopped?: string | undefined;
}

/** The lists that were left out somewhere, and that another answer shows. Most runs have none. */
function listsShownIn(verdicts: readonly CaseVerdict[], exchanges: readonly Exchange[]): ReadonlySet<string> {
  const leftOut = new Set(verdicts.flatMap(({ miss }) => miss?.leftOut ?? []));
  const isShown = (name: string) =>
    exchanges.some(({ observation }) => isAnswer(observation) && observation.skeleton?.includes(`${name}: array(`));
  return new Set([...leftOut].filter(isShown));
}

/** Exchanges -> verdicts, before anybody looks for what the wrong ones have in common. */
export function judgeCasesOfRun(
  input: Omit<RunToJudge, 'decisions' | 'narrowed'>,
): Pick<JudgedRun, 'plan' | 'verdicts'> {
  const { contract, exchanges, unsent, trusted } = input;
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
  const verdicts = judgeCases({ contract, plan, trusted }, plan.cases.values(), evidence);
  return { plan, verdicts: besideAcceptances(verdicts) };
}

/**
 * A lockout may be noticed after a check has decided by a refusal that was of the lockout, and that counts no more (outcomes 6).
 * Such a decision says nothing.
 */
function withoutLockedOut(decisions: readonly Decision[], exchanges: readonly Exchange[]): readonly Decision[] {
  const refused = exchanges.filter(({ observation: seen }) => seen.kind === 'failure' && seen.failure === 'locked-out');
  const lockedOut = new Set(refused.map(({ seq }) => seq));
  return decisions.map((decision) =>
    [...decision.steps, decision.broke ?? 0].some((seq) => lockedOut.has(seq))
      ? { ...decision, verdict: 'inconclusive', detail: `${decision.detail}, while the target had locked the run out` }
      : decision,
  );
}

/** Exchanges and decisions -> verdicts -> findings -> ending. Pure, so that `report` can judge a journal again. */
export function judgeRun(input: RunToJudge, cases = judgeCasesOfRun(input)): JudgedRun {
  const { contract, exchanges, trusted, narrowed, baseline, stopped } = input;
  const decisions = withoutLockedOut(input.decisions, exchanges);
  const { plan } = cases;
  const findings = findingsOf(contract, cases.verdicts, decisions, trusted);
  const verdicts = withWarnings(cases.verdicts, findings);
  const judged = { plan, verdicts, findings, decisions, stopped };
  return {
    ...runVerdictOf({ ...judged, contract, listsShown: listsShownIn(verdicts, exchanges), narrowed, baseline }),
    ...judged,
    exchanges,
  };
}

/** What a report needs besides the verdicts. A session provides it, and so does a journal that is judged again. */
export interface RunFacts {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly narrowing: Narrowing;
  readonly checks: readonly CheckHead[];
  /** The checks that it leaves out, because they need --intrusive or because something narrowed the run. */
  readonly leftOut: Readonly<Record<'intrusive' | 'narrowed', readonly CheckHead[]>>;
  /** How much the checks try. Undefined if an older version recorded the journal. */
  readonly breadth?: Breadth | undefined;
  /** The limits of --max-latency. Undefined without one. */
  readonly maxLatency?: readonly LatencyLimit[] | undefined;
  readonly run: string;
  /** When the run started, ISO 8601. */
  readonly startedAt: string;
  readonly parts: RequestParts;
  readonly redactor: Redactor;
  readonly earlier?: EarlierRun;
  /** What checks created on the target and removed again. */
  readonly left?: readonly LeftRecord[];
  readonly settings: Pick<
    Settings,
    'catalogue' | 'baseUrl' | 'trusted' | 'depth' | 'claims' | 'variables' | 'extraHeaders' | 'minted'
  >;
}
