import { visibleIn } from '../contract/visible-text.ts';
import type { CaseVerdict, Verdict } from '../judge/judge-cases.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { type Decision, decisionId } from '../record/exchange.ts';
import type { ReportedFinding } from './findings.ts';
import { createStepLog, type ReportedStep } from './steps.ts';

/** What to send again: cases and checks by their id, and which decisions of the checks count. */
export interface Again {
  readonly cases: readonly string[];
  readonly checks: readonly string[];
  /** What sends what the checks read, and is not judged. */
  readonly beside: readonly string[];
  readonly counts: (decision: Decision) => boolean;
}

/** Whether something that failed still does. The worst comes first. */
const REPLAY_VERDICTS = ['still fails', 'undecided', 'no longer fails'] as const;
export type ReplayVerdict = (typeof REPLAY_VERDICTS)[number];

/** What came of a case or a check that was sent again. */
export interface Replayed {
  readonly id: string;
  readonly verdict: ReplayVerdict;
  /** What was wanted and what came, or why it is undecided. */
  readonly detail: string;
  readonly steps: readonly ReportedStep[];
}

/** A finding may have thousands of cases. Its example and some more show whether it is still there. */
const MOST_CASES = 10;

/** The example of a finding first, then other cases of it, and the checks that found it. */
export function againOf({ example, cases, requirements, steps }: ReportedFinding, checkIds: readonly string[]): Again {
  const isOfCheck = (id: string) => checkIds.includes(checkOf(id));
  const ofMatrix = [example, ...cases].filter((id) => !isOfCheck(id));
  return {
    cases: [...new Set(ofMatrix)].slice(0, MOST_CASES),
    checks: [...new Set(cases.filter(isOfCheck).map(checkOf))],
    beside: [...new Set(steps.flatMap(({ sentBy = '' }) => (/^check:(.+)$/.exec(sentBy)?.[1] ?? sentBy) || []))],
    counts: (decision) => requirements.includes(decision.requirement) && cases.includes(decisionId(decision)),
  };
}

/** A check, or what it decides for an operation and a kind (`isolation/search/USER`). Undefined if it is neither. */
export function againOfCheck(id: string, checkIds: readonly string[]): Again | undefined {
  const check = checkOf(id);
  if (!checkIds.includes(check)) return undefined;
  return { cases: [], checks: [check], beside: [], counts: (decision) => id === check || id === decisionId(decision) };
}

/** Whether each of the cases and checks still fails, in a run that sent them again. The worst comes first. */
export function replayedIn(facts: RunFacts, judged: JudgedRun, { cases, counts }: Again): readonly Replayed[] {
  const { verdicts, decisions, exchanges } = judged;
  const log = createStepLog(facts, exchanges);
  const replayed = [
    ...verdicts
      .filter(({ case: { id } }) => cases.includes(id))
      .map((one) => ({ id: one.case.id, verdict: one.verdict, detail: detailOf(one), steps: log.ofCase(one) })),
    ...decisions.filter(counts).map((one) => {
      const id = `${decisionId(one)} ${one.requirement}`;
      return { id, verdict: one.verdict, detail: one.detail, steps: log.ofDecision(one) };
    }),
  ].map((one): Replayed => ({ ...one, verdict: REPLAYED[one.verdict], detail: facts.redactor.text(one.detail) }));
  const worstFirst = visibleIn(replayed).sort(
    (a, b) => REPLAY_VERDICTS.indexOf(a.verdict) - REPLAY_VERDICTS.indexOf(b.verdict),
  );
  // A check can decide a requirement several times for one operation and kind, and most of that never failed.
  return worstFirst.filter(({ id }, at) => worstFirst.findIndex((one) => one.id === id) === at);
}

/** What came of everything that was sent again: the worst of it, and undecided if nothing came. */
export function worstReplayed([worst]: readonly Replayed[]): ReplayVerdict {
  return worst?.verdict ?? 'undecided';
}

const REPLAYED: Readonly<Record<Verdict, ReplayVerdict>> = {
  fail: 'still fails',
  warn: 'still fails',
  pass: 'no longer fails',
  observed: 'no longer fails',
  inconclusive: 'undecided',
  'not-testable': 'undecided',
  'not-applicable': 'undecided',
};

function detailOf({ miss, reason, observation }: CaseVerdict): string {
  if (reason !== undefined) return reason;
  if (miss) return `wanted ${miss.wanted}, got ${miss.got}`;
  return observation?.kind === 'answer' ? `got ${observation.status}` : 'no answer';
}

/** The check in the id of a unit. The ids of cases begin with an operation. */
function checkOf(id: string): string {
  return id.replace(/\/.*$/, '');
}
