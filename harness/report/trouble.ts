import type { Exchange } from '../record/exchange.ts';
import { type Observation, transportReason } from '../record/observation.ts';
import { retryAfterMs } from '../record/retry-after.ts';

/**
 * Problems that made the run wait or send again, one sentence each. Only requests of the matrix count, because checks
 * may provoke such answers. Pure: a journal gives the same sentences.
 */
export function troubleOf(exchanges: readonly Exchange[]): readonly string[] {
  const seen = exchanges.flatMap(({ role, observation }) => (role === 'check' ? [] : [observation]));
  const limited = seen.filter((observation) => observation.kind === 'answer' && observation.status === 429);
  const locked = seen.filter((observation) => observation.kind === 'failure' && observation.failure === 'locked-out');
  const lost = seen.filter(
    (observation) =>
      transportReason(observation) !== undefined && !limited.includes(observation) && !locked.includes(observation),
  );
  const sentences: string[] = [];
  if (limited.length > 0) {
    const longest = Math.max(0, ...limited.map((observation) => retryAfterMs(observation, 0) ?? 0)) / 1000;
    const asked = longest > 0 ? `429, Retry-After up to ${longest} s` : '429';
    sentences.push(`the target asked to slow down ${times(limited)} (${asked}); the run paused each time`);
  }
  if (locked.length > 0)
    sentences.push(
      `the target locked the run out; refusals from that time (${locked.length}) do not count, and the run went on with fewer refused tokens a minute`,
    );
  if (lost.length > 0) {
    const requests = lost.length === 1 ? '1 request' : `${lost.length} requests`;
    sentences.push(`${requests} got no answer from the application (${reasonsOf(lost)}) and had to be sent again`);
  }
  return sentences;
}

function times({ length }: readonly unknown[]): string {
  return length === 1 ? 'once' : `${length} times`;
}

/** The first reasons, each once. */
function reasonsOf(lost: readonly Observation[]): string {
  const reasons = [...new Set(lost.map((observation) => transportReason(observation) ?? ''))].sort();
  return `${reasons.slice(0, 4).join(', ')}${reasons.length > 4 ? ' and others' : ''}`;
}
