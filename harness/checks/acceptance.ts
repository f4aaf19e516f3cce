import type { Operation } from '../contract/openapi.ts';
import { whyUnread } from '../judge/judge-answer.ts';
import type { Exchange, Step } from '../record/exchange.ts';
import {
  type Answer,
  isAccepted,
  isAnswer,
  lossInWords,
  type Observation,
  transportReason,
} from '../record/observation.ts';

declare const evidence: unique symbol;

/** Evidence that the target accepted a request. Only `acceptanceFrom` makes one, so no check can pass without it. */
export interface Acceptance {
  readonly [evidence]: true;
  /** Its place in the journal. */
  readonly seq: number;
}

/** A recorded answer, and its place in the journal. */
export interface Answered {
  readonly observation: Observation;
  /** Undefined if nothing was sent. */
  readonly seq: number | undefined;
  /** What the request was to show. Undefined for an answer that the matrix got. */
  readonly step?: Step | undefined;
  /** Writes a command line over `$VARIABLES` that sends the request again. Few are shown, and to make one safe takes long. */
  readonly command?: (() => string) | undefined;
  /** Sends the request again. Undefined for an answer that the matrix got. */
  readonly again?: (() => Promise<Answered>) | undefined;
  readonly operation: Operation | undefined;
  /** A 2xx that looks like the acceptances of this target, and not like a page of a gateway (outcomes 3). */
  readonly accepted: boolean;
  /** No answer, or a page, that came on every send while the target answered others: its way to refuse (outcomes 3). */
  readonly recurs?: true;
}

/** Evidence of an acceptance: a 2xx says nothing where nothing is refused. @param isRefusedSomewhere any request to the operation. */
export async function acceptanceFrom(
  { accepted, seq, operation, observation }: Answered,
  isRefusedSomewhere: (operation: Operation) => Promise<boolean>,
): Promise<Acceptance | undefined> {
  if (!accepted || seq === undefined) return undefined;
  // Only metadata is requested from other servers, and metadata is JSON.
  const counts = operation ? await isRefusedSomewhere(operation) : isAnswer(observation) && observation.form === 'json';
  return counts ? ({ seq } as Acceptance) : undefined;
}

/** Whether an exchange is a refusal by the application of a request to the operation. A contract may admit a redirect. */
export function isRefusal({ observation }: Exchange): boolean {
  return (
    isAnswer(observation) &&
    transportReason(observation) === undefined &&
    observation.status >= 300 &&
    observation.status < 500
  );
}

/** Whether an exchange is of a request to the operation. Ids of cases start with it. */
export function isTo({ id }: Operation): (exchange: Exchange) => boolean {
  return (exchange) => (exchange.step ? exchange.step.operation === id : exchange.case.startsWith(`${id}/`));
}

/** How often each look came, among the acceptances of one operation. */
export type LookCounts = Map<string, number>;

export function countLook(counts: LookCounts, answer: Answer): void {
  const look = lookOf(answer);
  counts.set(look, (counts.get(look) ?? 0) + 1);
}

/**
 * Whether a 2xx looks like the acceptances of this target: like most 2xx that it gave, in this run, to requests to the
 * operation that must be accepted. The sign-in page of a gateway looks otherwise (outcomes 3).
 *
 * The matrix compares more of an answer (judge/looks.ts), because it sends a request again before an unusual answer
 * counts. A check sends each request once, and its requests have answers that differ: a first page, a continued chat.
 */
export function looksAccepted(observation: Observation, accepted: LookCounts): boolean {
  if (!isAnswer(observation) || !isAccepted(observation)) return false;
  // No gateway writes the documented body, whatever its content type and further fields are, or a stream of events.
  if (observation.schemaErrors?.length === 0 || observation.form === 'events') return true;
  return (accepted.get(lookOf(observation)) ?? 0) + 1 >= Math.max(0, ...accepted.values());
}

function lookOf({ form, contentType = '' }: Answer): string {
  return `${form} ${contentType.split(';')[0]?.trim().toLowerCase()}`;
}

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
  return isUnread ? { kind: 'lost', why: whyUnread(observation) } : outcome;
}
