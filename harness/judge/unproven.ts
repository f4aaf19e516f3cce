import { type Credential, isFresh } from '../plan/credentials.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import { type Observation, TOKEN_REFUSALS } from '../record/observation.ts';

/** What the requests of a run showed about its credentials. */
interface Shown {
  /** The recipes of the credentials that the target accepted at least once. */
  readonly accepted: ReadonlySet<string>;
  /** What was sent, by case id. */
  readonly byCase: ReadonlyMap<string, unknown>;
}

/**
 * Why a refusal proves nothing: its control, or its own credential, was never accepted, although the run sent a request
 * that must be accepted with it (outcomes 2). Undefined if the refusal counts.
 * @param last the answer to judge.
 */
export function whyUnproven(
  plan: Plan,
  planned: PlannedCase,
  { accepted, byCase }: Shown,
  last: Observation | undefined,
): string | undefined {
  if (planned.expectation.kind === 'accept') return whyWrongRefusalUnproven(plan, planned, accepted, last);
  const control = planned.control === undefined ? undefined : plan.find(planned.control)?.credential;
  if (control && !isFresh(control) && !accepted.has(control.recipe)) return neverAccepted(control);
  const { credential } = planned;
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  // A run sends the proof of a wrongly refused token, if its plan has no request that must be accepted with it.
  const isTried = plan.provable.has(credential.recipe) || byCase.has(plan.proofOf(planned)?.id ?? '');
  return isTried ? neverAccepted(credential) : undefined;
}

/** The same text for a control and for the token itself, so that a report lists each token once. */
function neverAccepted({ recipe }: Credential): string {
  return `no request with ${recipe} was accepted; check this token first`;
}

/** A request that must be accepted was refused. That proves nothing until its credential is accepted somewhere. */
function whyWrongRefusalUnproven(
  plan: Plan,
  { credential, values }: PlannedCase,
  accepted: ReadonlySet<string>,
  last: Observation | undefined,
): string | undefined {
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  if (last?.kind !== 'answer' || !TOKEN_REFUSALS.includes(last.status)) return undefined;
  // 403 means that the target knows the token and denies it the operation. An unknown token gets 401. So 403 counts if
  // the full token of the kind works.
  if (last.status === 403 && values.holding !== 'all' && fullTokenWorks(plan, values.kind, accepted)) return undefined;
  return neverAccepted(credential);
}

function fullTokenWorks(plan: Plan, kind: string, accepted: ReadonlySet<string>): boolean {
  for (const { values, credential } of plan.cases.values())
    if (values.kind === kind && values.holding === 'all' && credential && accepted.has(credential.recipe)) return true;
  return false;
}
