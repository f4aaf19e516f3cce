import type { Exchange } from '../record/exchange.ts';
import { type Observation, transportReason } from '../record/observation.ts';
import { retryAfterMs } from '../record/retry-after.ts';

/**
 * What stood in the way of a run and was waited for or sent again, a sentence each; nothing of a calm target. Of the
 * matrix: a check may provoke what looks like trouble. Pure, so that a journal tells the same.
 */
export function troubleOf(exchanges: readonly Exchange[]): readonly string[] {
  const seen = exchanges.flatMap(({ role, observation }) => (role === 'check' ? [] : [observation]));
  const limited = seen.filter((observation) => observation.kind === 'answer' && observation.status === 429);
  const locked = seen.filter((observation) => observation.kind === 'failure' && observation.failure === 'locked-out');
  const lost = seen.filter(
    (observation) =>
      transportReason(observation) !== undefined && !limited.includes(observation) && !locked.includes(observation),
  );
  const longest = Math.max(0, ...limited.map((observation) => retryAfterMs(observation, 0) ?? 0)) / 1000;
  return [
    ...(limited.length > 0
      ? [
          `${counted(limited, 'answer')} asked to slow down (429)${longest > 0 ? `, for up to ${longest} s` : ''}; each was waited for`,
        ]
      : []),
    ...(locked.length > 0
      ? [
          `${counted(locked, 'refusal')} came while the target refused everything, as after too many denials; they count for nothing, and were sent again with fewer denials a minute`,
        ]
      : []),
    ...(lost.length > 0
      ? [`${counted(lost, 'request')} got no answer of the target (${reasonsOf(lost)}), and went out again`]
      : []),
  ];
}

function counted(of: readonly unknown[], what: string): string {
  return `${of.length} ${what}${of.length === 1 ? '' : 's'}`;
}

function reasonsOf(lost: readonly Observation[]): string {
  const reasons = [...new Set(lost.map((observation) => transportReason(observation) ?? ''))].sort();
  return `${reasons.slice(0, 4).join(', ')}${reasons.length > 4 ? ' and others' : ''}`;
}
