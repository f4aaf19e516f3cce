import type { Observation } from './observation.ts';

/** The longest wait, in milliseconds, whatever a target asks for (outcomes 6). */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * The wait in milliseconds that Retry-After asks for, in seconds or as a date (RFC 9110 10.2.3), at most
 * LONGEST_PAUSE_MS; undefined if there is no such header or it is invalid.
 * @param today milliseconds since the epoch.
 */
export function retryAfterMs(observation: Observation, today: number = Date.now()): number | undefined {
  if (observation.kind !== 'answer' || observation.retryAfter === undefined) return undefined;
  if (observation.retryAfter.trim() === '') return undefined;
  const seconds = Number(observation.retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(observation.retryAfter) - today;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS) : undefined;
}
