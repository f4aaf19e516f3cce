import type { Exchange, LockoutRecord } from './exchange.ts';
import type { Observation } from './observation.ts';

/** Answers of whoever locks somebody out; 429 is waited for anyway. */
export function isLockoutRefusal(observation: Observation): boolean {
  return observation.kind === 'answer' && [401, 403, 423].includes(observation.status);
}

/** An exchange as it counts once lockouts are known: a refusal within one is no answer of the application. */
export function afterLockouts(exchange: Exchange, lockouts: readonly LockoutRecord[]): Exchange {
  const isWithin = lockouts.some(({ from, to }) => exchange.seq >= from && exchange.seq <= to);
  if (!isWithin || !isLockoutRefusal(exchange.observation)) return exchange;
  const detail = 'locked out: the target refused everything at that time';
  return { ...exchange, observation: { kind: 'failure', failure: 'locked-out', detail } };
}
