import { joined } from '../contract/attribution.ts';
import { picked } from '../contract/collections.ts';
import { type Contract, operationOf } from '../contract/contract.ts';
import { attributionOfDecision } from '../judge/causes-of-checks.ts';
import type { CaseVerdict, Verdict } from '../judge/judge-cases.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { describeWanted, statusAndMessages } from '../judge/miss.ts';
import { groupOf, textOfLack } from '../plan/case.ts';
import { curlFor } from '../plan/curl.ts';
import type { Expectation } from '../plan/expectation.ts';
import type { Decision } from '../record/exchange.ts';
import type { Observation } from '../record/observation.ts';
import { type ReportedAttribution, reportAttribution } from './findings.ts';
import { type ReportedResponse, type ReportedStep, reportResponse, type StepLog } from './steps.ts';

/** A case with its verdict and the reason. For a miss, its attribution; otherwise that of the expectation counts. */
export interface ReportedCase extends Partial<ReportedAttribution> {
  readonly id: string;
  /** The group: operation, kind and rule. */
  readonly group: string;
  readonly verdict: Verdict;
  /** Index into `expectations`. */
  readonly expectation: number;
  /** The number of requests that were sent for the case. */
  readonly sent: number;
  readonly status: number | null;
  /** Index into `responses`. Absent if the case was not sent, and beyond the limit of the table. */
  readonly response?: number;
  /** Milliseconds until that response. */
  readonly ms?: number;
  /** Milliseconds of all requests for the case together. Absent if that is `ms`. */
  readonly time?: number;
  /** The credential as a recipe over its variable. */
  readonly credential?: string;
  readonly reason?: string;
  /** What was wanted, for a miss. It may be narrower than the expectation, such as for a misplaced message. */
  readonly wanted?: string;
  readonly got?: string;
  /** A command that sends the case again. Set if it failed, warned or was inconclusive. */
  readonly curl?: string;
  /** What was sent and what came back. Only of the first case of a group with its verdict, if that has a `curl`. */
  readonly steps?: readonly ReportedStep[];
  /** The index of the baseline entry that lists the case. */
  readonly listed?: number;
}
const DECISION = ['check', 'requirement', 'operation', 'kind', 'verdict', 'detail'] as const;
export type ReportedCheck = Pick<Decision, (typeof DECISION)[number] | 'curl'> &
  ReportedAttribution &
  // The steps are those of a failure or warning.
  Pick<ReportedCase, 'listed' | 'steps'> & {
    /** Milliseconds of the requests that it rests on. */
    readonly time?: number;
  };

/** The planned cases, the cases that cannot be tested or are not claimed, and the decisions of the checks. */
export function reportCases(
  { contract, plan, parts, settings, redactor }: RunFacts,
  { verdicts, decisions, baseline }: JudgedRun,
  log: StepLog,
) {
  const table = expectationTable(contract);
  const listing = (key: string | Decision): Pick<ReportedCase, 'listed'> => {
    const listed = baseline?.listed.get(key);
    return listed === undefined ? {} : { listed };
  };
  const shown = new Set<string>();
  /** An all-failing run has twenty thousand failing cases. Those of a group get the same answer, as a rule. */
  const isFirstOfItsGroup = ({ case: { group }, verdict }: CaseVerdict) => {
    const key = `${verdict} ${group}`;
    const isFirst = !shown.has(key);
    shown.add(key);
    return isFirst;
  };
  const responses = responseTable();
  // The table has a limit, and nobody misses the response of a case that passes as much.
  for (const { observation } of verdicts.filter(isWorthRepeating)) if (observation) responses.indexOf(observation);
  const planned = verdicts.map((verdict): ReportedCase => {
    const { case: found, observation, sent, reason, miss } = verdict;
    const answer = observation?.kind === 'answer' ? observation : undefined;
    // The rest of a body is never shown.
    const got = miss?.got ?? (answer && statusAndMessages(contract, answer));
    const response = observation && responses.indexOf(observation);
    const ms = log.msOf(verdict);
    const time = log.timeOfCase(verdict);
    return {
      id: found.id,
      group: found.group,
      verdict: verdict.verdict,
      expectation: table.indexOf(found.expectation, found.values.operation),
      sent,
      status: answer?.status ?? null,
      ...(response !== undefined && { response }),
      ...(ms !== undefined && { ms }),
      ...(time !== undefined && time !== ms && { time }),
      ...(found.credential && { credential: found.credential.recipe }),
      ...(reason !== undefined && { reason: redactor.text(reason) }),
      ...(miss && {
        wanted: miss.wanted,
        ...reportAttribution(joined(miss.suspects.map(({ attribution }) => attribution))),
      }),
      ...(got !== undefined && { got: redactor.text(got) }),
      ...(isWorthRepeating(verdict) && {
        curl: curlFor(parts, settings, found),
        ...(isFirstOfItsGroup(verdict) && { steps: log.ofCase(verdict) }),
      }),
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
    responses: responses.rows,
    cases: [...planned, ...unplanned],
    checks: decisions.map((found) => {
      const time = log.timeOfDecision(found);
      return {
        ...picked(found, DECISION),
        ...reportAttribution(attributionOfDecision(contract, found)),
        ...(found.curl !== undefined && { curl: found.curl }),
        ...(time !== undefined && { time }),
        ...((found.verdict === 'fail' || found.verdict === 'warn') && { steps: log.ofDecision(found) }),
        ...listing(found),
      };
    }),
  };
}

function isWorthRepeating({ verdict, sent }: CaseVerdict): boolean {
  return verdict === 'fail' || verdict === 'warn' || (verdict === 'inconclusive' && sent > 0);
}

/** In characters. A target can put another text into each of twenty thousand answers. */
const MOST_TEXT = 1_000_000;

/** Rows that are kept once each, up to so many characters together. */
function distinct<T>(most = Number.POSITIVE_INFINITY) {
  const rows: T[] = [];
  const indexByText = new Map<string, number>();
  let length = 0;
  return {
    rows,
    /** The index of a row; undefined if there is no room for it. */
    indexOf(row: T): number | undefined {
      const text = JSON.stringify(row);
      const known = indexByText.get(text);
      if (known !== undefined) return known;
      if (length + text.length > most) return undefined;
      length += text.length;
      indexByText.set(text, rows.length);
      return rows.push(row) - 1;
    },
  };
}

/** Collects the distinct responses, which cases share. Beyond a limit, further ones are only in the journal. */
export function responseTable(mostText = MOST_TEXT) {
  const { rows, indexOf } = distinct<ReportedResponse>(mostText);
  return { rows, indexOf: (observation: Observation) => indexOf(reportResponse(observation, undefined)) };
}

/** What a case admits, in words, and the requirements behind it. */
export interface ReportedExpectation extends ReportedAttribution {
  readonly kind: Expectation['kind'];
  readonly wanted: string;
  readonly requirements: readonly string[];
}

/** Collects the distinct expectations. All cases of a plan share a few hundred. */
function expectationTable(contract: Contract) {
  const { rows, indexOf } = distinct<ReportedExpectation>();
  // Cases that admit the same share one expectation object.
  const known = new Map<Expectation, number>();
  return {
    rows,
    indexOf(expectation: Expectation, operation: string): number {
      const { kind, suspects, silent } = expectation;
      const reasons = kind === 'open' ? silent : suspects;
      const index =
        known.get(expectation) ??
        indexOf({
          kind,
          wanted: describeWanted(contract, expectation, operationOf(contract, operation)),
          requirements: [...new Set(reasons.map(({ requirement }) => requirement))],
          ...reportAttribution(joined(reasons.map(({ attribution }) => attribution))),
        }) ??
        0;
      known.set(expectation, index);
      return index;
    },
  };
}
