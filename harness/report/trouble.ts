import type { Exchange } from '../record/exchange.ts';
import { type Observation, transportReason } from '../record/observation.ts';
import { retryAfterMs } from '../record/retry-after.ts';

/**
 * Problems that made the run wait or send again, one sentence each. Checks also send odd requests that many servers never
 * answer, which are not sent again and are no trouble. Pure: a journal gives the same sentences.
 */
export function troubleOf(exchanges: readonly Exchange[]): readonly string[] {
  const seen = exchanges.map(({ observation }) => observation);
  const limited = seen.filter((observation) => observation.kind === 'answer' && observation.status === 429);
  const locked = seen.filter((observation) => observation.kind === 'failure' && observation.failure === 'locked-out');
  const others = new Set([...limited, ...locked]);
  const isLost = ({ observation }: Exchange) => transportReason(observation) !== undefined && !others.has(observation);
  const lost = againSent(exchanges)
    .filter(isLost)
    .map(({ observation }) => observation);
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

/**
 * The requests of the matrix, which are all sent again if they are lost, and those requests of checks to an operation that got an
 * answer when they were sent again. A request that never gets one is refused in that way (outcomes 3): checks send malformed
 * ones. A raw request names no operation, and a target need not answer it.
 */
function againSent(exchanges: readonly Exchange[]): readonly Exchange[] {
  const keyOf = ({ case: id, credential, step }: Exchange) => [id, credential, step?.shows, step?.curl].join('\n');
  const answered = exchanges.filter(({ observation }) => transportReason(observation) === undefined);
  const last = new Map(answered.map((exchange) => [keyOf(exchange), exchange.seq]));
  const isSentAgain = (exchange: Exchange): boolean => {
    const isAnsweredLater = (last.get(keyOf(exchange)) ?? 0) > exchange.seq;
    switch (exchange.role) {
      case 'check':
        return exchange.step?.operation !== undefined && isAnsweredLater;
      // The run ends at once if nobody answers, and says so.
      case 'preflight':
        return isAnsweredLater;
      case 'cell':
      case 'control':
      case 'confirmation':
      case 'recurrence':
        return true;
    }
  };
  return exchanges.filter(isSentAgain);
}

function times({ length }: readonly unknown[]): string {
  return length === 1 ? 'once' : `${length} times`;
}

/** The first reasons, each once. */
function reasonsOf(lost: readonly Observation[]): string {
  const reasons = [...new Set(lost.map((observation) => transportReason(observation) ?? ''))].sort();
  return `${reasons.slice(0, 4).join(', ')}${reasons.length > 4 ? ' and others' : ''}`;
}
