import type { Operation } from '../contract/openapi.ts';
import { isAccepted, transportReason } from '../record/observation.ts';
import type { CheckAnswer } from './check.ts';

/** What became of a request of a check. Any answer of the application that is no 2xx is a refusal. */
export type CheckOutcome =
  | { readonly kind: 'accepted'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number }
  /** After its retries there is only what a network or a gateway made of it, or it was not sent: it says nothing. */
  | { readonly kind: 'lost'; readonly why: string };

type Observed = Pick<CheckAnswer, 'observation'>;

export function outcomeOf({ observation }: Observed): CheckOutcome {
  if (observation.kind === 'failure') return { kind: 'lost', why: observation.detail };
  const why = transportReason(observation);
  if (why !== undefined) return { kind: 'lost', why };
  return { kind: isAccepted(observation) ? 'accepted' : 'refused', status: observation.status };
}

/**
 * The outcome as far as it says what is in the answer: an acceptance that was not read to its end is lost. Where the
 * success body is free, what is not in it proves nothing anyway (OUTCOMES 2), and it need not end.
 */
export function readIn(answer: Observed, { documentsBody }: Pick<Operation, 'documentsBody'>): CheckOutcome {
  const outcome = outcomeOf(answer);
  const { observation } = answer;
  const isCut = observation.kind === 'answer' && observation.truncated === true;
  const isUnread = outcome.kind === 'accepted' && isCut && documentsBody;
  return isUnread ? { kind: 'lost', why: 'the answer was not read to its end' } : outcome;
}
