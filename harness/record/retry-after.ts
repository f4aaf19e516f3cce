import type { Observation } from './observation.ts';

/** No wait is longer, whatever a target asks for. */
export const LONGEST_PAUSE_MS = 60_000;

/** Milliseconds of a Retry-After in seconds or as a date (RFC 9110 10.2.3), within bounds. */
export function retryAfterMs(observation: Observation, today: number = Date.now()): number | undefined {
  if (observation.kind !== 'answer' || observation.retryAfter === undefined) return undefined;
  if (observation.retryAfter.trim() === '') return undefined;
  const seconds = Number(observation.retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(observation.retryAfter) - today;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS) : undefined;
}
