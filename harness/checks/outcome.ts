import type { Operation } from '../contract/openapi.ts';
import { isAccepted, transportReason } from '../record/observation.ts';
import type { Answered } from './acceptance.ts';

/** The outcome of a request of a check. Every answer of the application other than a 2xx is a refusal. */
export type CheckOutcome =
  | { readonly kind: 'accepted'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number }
  /** The request was not sent, or got only a transport outcome after all retries. It proves nothing. */
  | { readonly kind: 'lost'; readonly why: string };

type Observed = Pick<Answered, 'observation' | 'accepted'>;

export function outcomeOf({ observation, accepted }: Observed): CheckOutcome {
  if (observation.kind === 'failure') return { kind: 'lost', why: observation.detail };
  const why = transportReason(observation);
  if (why !== undefined) return { kind: 'lost', why };
  const { status } = observation;
  if (accepted) return { kind: 'accepted', status };
  return isAccepted(observation)
    ? { kind: 'lost', why: `a ${status} that looks unlike what this target accepts, as from a gateway` }
    : { kind: 'refused', status };
}

/**
 * The outcome for a check that searches the answer. An acceptance that was not read to its end is lost. This does not
 * apply to a free body: it may never end, and something that is missing in it proves nothing anyway (outcomes 2).
 */
export function readIn(answer: Observed, { documentsBody }: Pick<Operation, 'documentsBody'>): CheckOutcome {
  const outcome = outcomeOf(answer);
  const { observation } = answer;
  const isTruncated = observation.kind === 'answer' && observation.truncated === true;
  const isUnread = outcome.kind === 'accepted' && isTruncated && documentsBody;
  return isUnread ? { kind: 'lost', why: 'the answer was not read to its end' } : outcome;
}
