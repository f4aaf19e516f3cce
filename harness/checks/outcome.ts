import type { Operation } from '../contract/openapi.ts';
import { isAccepted, lossInWords, transportReason } from '../record/observation.ts';
import type { Answered } from './acceptance.ts';

/** The outcome of a request of a check. Every answer of the application other than a 2xx is a refusal. */
export type CheckOutcome =
  | { readonly kind: 'accepted'; readonly status: number; readonly got: string }
  /** `status` is 0 if the target refuses the request by giving no answer. `got` says what came, for a reader. */
  | { readonly kind: 'refused'; readonly status: number; readonly got: string }
  /** The request was not sent, or got only a transport outcome after all retries. It proves nothing. */
  | { readonly kind: 'lost'; readonly why: string };

type Observed = Pick<Answered, 'observation' | 'accepted' | 'recurs' | 'step'>;

export function outcomeOf({ observation, accepted, recurs, step }: Observed): CheckOutcome {
  const loss = transportReason(observation);
  const status = observation.kind === 'answer' ? observation.status : 0;
  if (accepted) return { kind: 'accepted', status, got: `${status}` };
  const isPage = isAccepted(observation);
  if (loss === undefined && !isPage) return { kind: 'refused', status, got: `${status}` };
  if (recurs) return { kind: 'refused', status, got: isPage ? `a page with ${status}` : (loss ?? '') };
  if (isPage) return { kind: 'lost', why: `a ${status} that looks unlike what this target accepts, as from a gateway` };
  // The requests of a check differ in what no id names, so the reason says which one got no answer.
  const asked =
    step && observation.kind === 'failure' && observation.failure !== 'other' ? `, where ${step.shows}` : '';
  return { kind: 'lost', why: `${lossInWords(observation)}${asked}` };
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
