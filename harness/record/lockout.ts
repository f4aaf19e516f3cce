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
