import type { CaseVerdict } from '../harness/judge/judge-cases.ts';
import type { Judgement } from '../harness/judge/judgement.ts';
import { curlFor } from '../harness/plan/curl.ts';
import type { PlannedCase } from '../harness/plan/plan.ts';
import type { Decision } from '../harness/record/exchange.ts';
import type { Session } from '../harness/run/session.ts';

/** What a reader needs of a broken requirement. Everything in it may be shown. */
interface Failure {
  readonly requirements: readonly string[];
  /** The case, or the kind of token of a check. */
  readonly condition: string;
  readonly wanted: string;
  readonly got: string;
  readonly curl: string | undefined;
}

/** A wrong verdict of the matrix, in lines for a test report. */
export function describeVerdict(session: Session, { case: planned, miss, reason }: CaseVerdict): string {
  if (miss) return describeJudgement(session, planned, miss);
  return `${planned.id}\n  ${session.redactor.text(reason ?? 'undecided')}`;
}

/** A wrong answer to a case, in lines for a test report. */
export function describeJudgement(session: Session, planned: PlannedCase, judgement: Judgement | undefined): string {
  const { parts, settings, redactor, gate } = session;
  if (judgement?.kind !== 'miss') return `${planned.id}\n  no answer decides it: ${gate.closed ?? 'the body was cut'}`;
  return describeFailure({
    requirements: [...new Set(judgement.suspects.map(({ requirement }) => requirement))],
    condition: planned.id,
    wanted: judgement.wanted,
    got: redactor.text(judgement.got),
    curl: redactor.text(curlFor(parts, settings, planned)),
  });
}

/** A wrong decision of a check, in lines for a test report. */
export function describeDecision(decision: Decision): string {
  const { requirement, operation, kind, wanted, got, detail, curl } = decision;
  if (wanted === undefined || got === undefined) return `${requirement} on ${operation}/${kind}\n  ${detail}`;
  const condition = `${operation}/${kind}: ${detail}`;
  return describeFailure({ requirements: [requirement], condition, wanted, got, curl });
}

function describeFailure({ requirements, condition, wanted, got, curl }: Failure): string {
  return [
    `requirement  ${requirements.join(', ')}`,
    `condition    ${condition}`,
    `wanted       ${wanted}`,
    `got          ${got}`,
    ...(curl === undefined ? [] : [`reproduce    ${curl}`]),
  ].join('\n');
}
