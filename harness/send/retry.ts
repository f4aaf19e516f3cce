import { type Observation, transportReason } from '../record/observation.ts';
import { LONGEST_PAUSE_MS, retryAfterMs } from '../record/retry-after.ts';
import type { Gate } from './gate.ts';

/** Retries of a transport outcome, and the pause before the first in milliseconds; each next is twice as long. */
const RETRIES = 3;
const FIRST_PAUSE_MS = 100;
/** A target that says 429 is waited for longer, as it asks (OUTCOMES 3). */
const RETRIES_WHEN_LIMITED = 12;

/** Tells the gate how a request went, and how long to wait before it is sent again; undefined when it is not. */
export function pauseBeforeRetry(
  gate: Gate,
  observation: Observation,
  attempt: number,
  retries: number = RETRIES,
): number | undefined {
  if (observation.kind === 'answer') gate.answered();
  else gate.failed();
  if (observation.kind === 'answer' && (observation.status === 401 || observation.status === 403)) gate.denied();
  if (transportReason(observation) === undefined) return undefined;
  const status = observation.kind === 'answer' ? observation.status : undefined;
  const limited = status === 429;
  const asked = retryAfterMs(observation);
  const again = attempt < (limited ? RETRIES_WHEN_LIMITED : retries);
  const pause = asked ?? Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  if (!limited && (status !== 503 || asked === undefined)) return again ? pause : undefined;
  // The target asks this of everybody, so it holds too where this request is not sent again (RFC 9110 10.2.3).
  if (again || asked !== undefined) gate.pause(pause);
  return again ? 0 : undefined;
}

/**
 * Sends until the answer is not to be asked for again, pausing in between.
 * @param once undefined when nothing was sent.
 * @param pauseAfter milliseconds before it is sent again; undefined when it is not.
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
