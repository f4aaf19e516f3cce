import { LONGEST_PAUSE_MS, retryAfterMs } from '../record/lockout.ts';
import { type Observation, transportReason } from '../record/observation.ts';
import type { Gate } from './gate.ts';

/** How often a request is sent again after a transport outcome (outcomes 3). */
const RETRIES = 3;
/** The pause before the first retry. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 100;
/** How often a request is sent again after 429 (outcomes 3). */
const RETRIES_WHEN_LIMITED = 12;

export interface RetryOptions {
  /** How long the answer took, in milliseconds. */
  readonly ms?: number | undefined;
  /** How often the request is sent again at most. */
  readonly retries?: number | undefined;
  /**
   * The request counts as a refused token whatever comes back: its token must be refused, and a target may count it even
   * if its answer is lost or wrong. A request without this counts if it gets 401 or 403.
   */
  readonly isDenial?: boolean;
  /**
   * Many servers do not answer such a request, so that a missing answer says nothing about the target. After a timeout
   * the request is not sent again, because each time would take as long.
   */
  readonly mayBeSilent?: boolean;
}

/**
 * Tells the gate how a request ended.
 * @param attempt how often the request was sent again until now.
 * @returns the milliseconds to wait before sending it again. Undefined if it is not sent again.
 */
export function pauseBeforeRetry(
  gate: Gate,
  observation: Observation,
  attempt: number,
  { ms, retries = RETRIES, isDenial = false, mayBeSilent = false }: RetryOptions = {},
): number | undefined {
  // An answer that broke off is no silence.
  const silence =
    mayBeSilent && observation.kind === 'failure' && observation.failure !== 'protocol' ? observation : undefined;
  const lost = transportReason(observation);
  // What asks to slow down is alive. A gateway in front of a target that is down is not.
  if (observation.kind === 'answer' && (lost === undefined || observation.status < 500)) gate.answered();
  else if (!silence) gate.failed(lost);
  const isRefused = observation.kind === 'answer' && (observation.status === 401 || observation.status === 403);
  if (isDenial || isRefused) gate.denied(ms);
  if (lost === undefined || silence?.failure === 'timeout') return undefined;
  const status = observation.kind === 'answer' ? observation.status : undefined;
  const isLimited = status === 429;
  const retryAfter = retryAfterMs(observation);
  const again = attempt < (isLimited ? RETRIES_WHEN_LIMITED : retries);
  const pause = retryAfter ?? Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  const pausesEverything = isLimited || (status === 503 && retryAfter !== undefined);
  if (!pausesEverything) return again ? pause : undefined;
  // Retry-After applies to every request, even if this one is not sent again (RFC 9110 10.2.3).
  if (again || retryAfter !== undefined) gate.pause(pause);
  return again ? 0 : undefined;
}

/**
 * Sends a request, and sends it again until the answer counts.
 * @param once sends it once. Undefined if nothing was sent.
 * @param pauseAfter the milliseconds to wait before sending again. Undefined if the answer counts.
 */
export async function sendUntilAnswered<T>(
  gate: Pick<Gate, 'wait'>,
  once: () => Promise<T | undefined>,
  pauseAfter: (got: T, attempt: number) => number | undefined,
): Promise<T | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const got = await once();
    const pause = got === undefined ? undefined : pauseAfter(got, attempt);
    if (pause === undefined) return got;
    await gate.wait(pause);
  }
}
