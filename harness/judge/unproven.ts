import { isFresh } from '../plan/credentials.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Observation } from '../record/observation.ts';

/** Answers that a dead token gets. Every other one is the target's own, whatever the token. */
const SAID_TO_DEAD_TOKENS = [400, 401, 403];

/**
 * Why a refusal proves nothing: its control, or the credential itself, was accepted nowhere although something planned
 * should have accepted it (OUTCOMES 2). Undefined when it proves what it shows.
 * @param accepted recipes of the credentials that were accepted anywhere.
 * @param last the answer that is to be judged.
 */
export function whyUnproven(
  plan: Plan,
  planned: PlannedCase,
  accepted: ReadonlySet<string>,
  last: Observation | undefined,
): string | undefined {
  if (planned.expectation.kind === 'accept') return deadCredential(plan, planned, accepted, last);
  const control = planned.control === undefined ? undefined : plan.cases.get(planned.control)?.credential;
  if (control && !isFresh(control) && !accepted.has(control.recipe))
    return `its control with ${control.recipe} was accepted nowhere: ${CANNOT_TELL}`;
  const { credential } = planned;
  if (!credential || isFresh(credential) || accepted.has(credential.recipe) || !plan.provable.has(credential.recipe))
    return undefined;
  return `${credential.recipe} was accepted nowhere, not even where it must be: ${CANNOT_TELL}`;
}
const CANNOT_TELL = 'the token or the target, this cannot be told';

/** A refusal of what must be accepted proves nothing while nothing shows that its credential lives. */
function deadCredential(
  plan: Plan,
  { credential, values }: PlannedCase,
  accepted: ReadonlySet<string>,
  last: Observation | undefined,
): string | undefined {
  if (!credential || isFresh(credential) || accepted.has(credential.recipe)) return undefined;
  if (last?.kind !== 'answer' || !SAID_TO_DEAD_TOKENS.includes(last.status)) return undefined;
  // 403 says that the target knows the token and denies it something, where a dead one gets 401. That is the target's
  // word on what the token may do, as long as the kind as such works.
  if (last.status === 403 && values.holding !== 'all' && kindLives(plan, values.kind, accepted)) return undefined;
  return `${credential.recipe} is accepted nowhere: ${CANNOT_TELL}`;
}

function kindLives(plan: Plan, kind: string, accepted: ReadonlySet<string>): boolean {
  for (const { values, credential } of plan.cases.values())
    if (values.kind === kind && values.holding === 'all' && credential && accepted.has(credential.recipe)) return true;
  return false;
}
