import { type Contract, messageText } from '../contract/contract.ts';
import type { CaseVerdict, Verdict } from '../judge/judge-cases.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { curlFor } from '../plan/curl.ts';
import { groupOf } from '../plan/group.ts';
import { textOfLack } from '../plan/lack.ts';
import type { Decision } from '../record/exchange.ts';
import type { Answer } from '../record/observation.ts';
import { expectationTable, type ReportedExpectation } from './expectations.ts';

/** One case: what was decided of it and why. */
export interface ReportedCase {
  readonly id: string;
  /** Operation, kind and the rule that it is about. */
  readonly group: string;
  readonly verdict: Verdict;
  /** Index into `expectations`. */
  readonly expectation: number;
  /** How many requests were sent for it. */
  readonly sent: number;
  readonly status: number | null;
  /** The credential as a recipe over its variable. */
  readonly credential?: string;
  readonly reason?: string;
  /** Where it differs from what the expectation says: a misplaced message, a wrong body. */
  readonly wanted?: string;
  readonly got?: string;
  /** Sends it again; for what failed, warns or came out inconclusive. */
  readonly curl?: string;
  /** The entry of the baseline that lists it, by index. */
  readonly listed?: number;
}
export type ReportedCheck = Omit<Decision, 'type' | 'variable'> & Pick<ReportedCase, 'listed'>;

/** The cases that were planned, those that are claimed and cannot be tested, and the decisions of the checks. */
export function reportCases(
  { contract, plan, parts, settings, redactor }: RunFacts,
  { verdicts, decisions, baseline }: JudgedRun,
): {
  readonly expectations: readonly ReportedExpectation[];
  readonly cases: readonly ReportedCase[];
  readonly checks: readonly ReportedCheck[];
} {
  const table = expectationTable(contract);
  const listing = (key: string | Decision): Pick<ReportedCase, 'listed'> => {
    const listed = baseline?.listed.get(key);
    return listed === undefined ? {} : { listed };
  };
  const planned = verdicts.map((verdict): ReportedCase => {
    const { case: found, observation, sent, reason, miss } = verdict;
    const answer = observation?.kind === 'answer' ? observation : undefined;
    const got = miss?.got ?? (answer && answerText(contract, answer));
    return {
      id: found.id,
      group: found.group,
      verdict: verdict.verdict,
      expectation: table.indexOf(found.expectation, found.values.operation),
      sent,
      status: answer?.status ?? null,
      ...(found.credential && { credential: found.credential.recipe }),
      ...(reason !== undefined && { reason: redactor.text(reason) }),
      ...(miss && { wanted: miss.wanted }),
      ...(got !== undefined && { got: redactor.text(got) }),
      ...(isWorthRepeating(verdict) && { curl: curlFor(parts, settings, found) }),
      ...listing(found.id),
    };
  });
  const unplanned = plan.undecidable.flatMap(({ case: { id, values }, expectation, status, lack }): ReportedCase[] => {
    if (status === 'out-of-plan') return [];
    const group = groupOf(values, expectation);
    const index = table.indexOf(expectation, values.operation);
    const reason = redactor.text(textOfLack(lack));
    return [{ id, group, verdict: status, expectation: index, sent: 0, status: null, reason, ...listing(id) }];
  });
  return {
    expectations: table.rows,
    cases: [...planned, ...unplanned],
    checks: decisions.map((found) => {
      const { type: _type, variable: _variable, ...decision } = found;
      return { ...decision, ...listing(found) };
    }),
  };
}

/** The status and the documented messages; never more of a body than that. */
function answerText(contract: Contract, { status, whole }: Answer): string {
  const messages = whole.map((id) => JSON.stringify(messageText(contract, id)));
  return messages.length === 0 ? String(status) : `${status} with ${messages.join(' and ')}`;
}

function isWorthRepeating({ verdict, sent }: CaseVerdict): boolean {
  return verdict === 'fail' || verdict === 'warn' || (verdict === 'inconclusive' && sent > 0);
}
