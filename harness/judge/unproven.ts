import { type Credential, isFresh } from '../plan/credentials.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../record/exchange.ts';
import { isTokenRefusal, type Observation } from '../record/observation.ts';

/** What the requests of a run showed about its credentials. */
interface Shown {
  /** The recipes of the credentials that the target accepted at least once. */
  readonly accepted: ReadonlySet<string>;
  /** What was sent, by case id. */
  readonly byCase: ReadonlyMap<string, readonly Pick<Exchange, 'observation'>[]>;
}
/** Why a refusal proves nothing. */
export interface Unproven {
  readonly reason: string;
  /** The target refused a request that it must accept. Otherwise such a request got no answer, or was not sent. */
  readonly refused: boolean;
}

/**
 * Why a refusal proves nothing: its control, or its own credential, was never accepted, although some request must be
 * accepted with it (outcomes 2). Undefined if the refusal counts.
 * @param last the answer to judge.
 */
export function whyUnproven(
  plan: Plan,
  planned: PlannedCase,
  { accepted, byCase }: Shown,
  last: Observation | undefined,
): Unproven | undefined {
  if (planned.expectation.kind === 'accept') return whyWrongRefusalUnproven(plan, planned, accepted, last);
  const control = planned.control === undefined ? undefined : plan.find(planned.control)?.credential;
  if (control && !isFresh(control) && !accepted.has(control.recipe)) return neverAccepted(control, false);
  const { credential } = planned;
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  // The cases of a plan that must be accepted are judged themselves.
  if (plan.provable.has(credential.recipe)) return neverAccepted(credential, false);
  // If the plan has none, the run sends one before it blames a refusal (send-group.ts).
  const proofs = byCase.get(plan.proofOf(planned)?.id ?? '') ?? [];
  if (proofs.length === 0) return undefined;
  return neverAccepted(
    credential,
    proofs.some(({ observation }) => isTokenRefusal(observation)),
  );
}

/** The same text for a control and for the token itself, so that a report lists each token once. */
function neverAccepted({ recipe }: Credential, refused: boolean): Unproven {
  return { reason: `no request with ${recipe} was accepted; check this token first`, refused };
}

/** A request that must be accepted was refused. That proves nothing until its credential is accepted somewhere. */
function whyWrongRefusalUnproven(
  plan: Plan,
  { credential, values }: PlannedCase,
  accepted: ReadonlySet<string>,
  last: Observation | undefined,
): Unproven | undefined {
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  if (last?.kind !== 'answer' || !isTokenRefusal(last)) return undefined;
  // 403 means that the target knows the token and denies it the operation. An unknown token gets 401. So 403 counts if
  // the full token of the kind works.
  if (last.status === 403 && values.holding !== 'all' && fullTokenWorks(plan, values.kind, accepted)) return undefined;
  return neverAccepted(credential, true);
}

function fullTokenWorks(plan: Plan, kind: string, accepted: ReadonlySet<string>): boolean {
  for (const { values, credential } of plan.cases.values())
    if (values.kind === kind && values.holding === 'all' && credential && accepted.has(credential.recipe)) return true;
  return false;
}
