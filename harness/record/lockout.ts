import type { Exchange, LockoutRecord } from './exchange.ts';
import type { Observation } from './observation.ts';

/** Whether an answer can be that of a target that has locked the run out. 429 cannot: the gate waits for it anyway. */
export function isLockoutRefusal(observation: Observation): boolean {
  return observation.kind === 'answer' && [401, 403, 423].includes(observation.status);
}

/** An exchange once the lockouts are known: a refusal during one is not an answer of the application but a failure. */
export function afterLockouts(exchange: Exchange, lockouts: readonly LockoutRecord[]): Exchange {
  const isWithin = lockouts.some(({ from, to }) => exchange.seq >= from && exchange.seq <= to);
  if (!isWithin || !isLockoutRefusal(exchange.observation)) return exchange;
  const detail = 'locked out: the target refused every request at that time';
  return { ...exchange, observation: { kind: 'failure', failure: 'locked-out', detail } };
}

/** The longest wait, in milliseconds, whatever a target asks for (outcomes 6). */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * The milliseconds that Retry-After asks to wait, in seconds or as a date (RFC 9110 10.2.3), at most LONGEST_PAUSE_MS. A date is by
 * the clock of the target, which may be wrong. @param today milliseconds since the epoch, where the target does not say them.
 */
export function retryAfterMs(observation: Observation, today: number = Date.now()): number | undefined {
  if (observation.kind !== 'answer' || observation.retryAfter === undefined) return undefined;
  if (observation.retryAfter.trim() === '') return undefined;
  const seconds = Number(observation.retryAfter);
  const itsClock = Date.parse(observation.date ?? '');
  const now = Number.isFinite(itsClock) ? itsClock : today;
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(observation.retryAfter) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS) : undefined;
}
