import type { CasesAt } from '../plan/expand.ts';
import { type CheckHead, WHOLE } from '../plan/narrowing.ts';
import type { Shard } from '../plan/shard.ts';
import { entriesOf, type RunRecord, stoppedBy, type UnsentRecord } from '../record/exchange.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { factsOf } from './judge-again.ts';
import type { ShardJournal } from './shards.ts';

/** A shard that is missing or did not run to its end, and what it would have sent. */
export interface LostShard {
  readonly why: string;
  /** What is missing, as one line. */
  readonly line: string;
  readonly unsent: readonly UnsentRecord[];
  readonly checks: readonly CheckHead[];
}
/** The whole run, of which each shard is a part. */
export interface WholeRun {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
  readonly record: RunRecord;
}

const MAX_NAMED = 5;

/** The shards that are missing or did not run to their end, in order. */
export function lostShards(whole: WholeRun, shards: readonly ShardJournal[], of: number): readonly LostShard[] {
  return Array.from({ length: of }, (_, at) => ({ index: at + 1, of })).flatMap((shard) => {
    const found = shards.find((known) => known.shard.index === shard.index);
    const why = lossOf(found, shard);
    return why === undefined ? [] : [lostShard(whole, shard, why)];
  });
}

/** Why a shard is lost. Undefined if it ran to its end. */
function lossOf(found: ShardJournal | undefined, { index, of }: Shard): string | undefined {
  if (!found) return `shard ${index} of ${of} is missing`;
  const [end] = entriesOf(found.entries, 'end');
  if (!end) return `shard ${index} of ${of} was killed`;
  const stopped = stoppedBy(end);
  return stopped === undefined ? undefined : `shard ${index} of ${of} was stopped: ${stopped}`;
}

/** Plans a shard again to find out what it would have sent. */
function lostShard({ catalogue, casesAt, record }: WholeRun, shard: Shard, why: string): LostShard {
  const narrowing = { ...(record.narrowing ?? WHOLE), shard };
  const { plan, checks } = factsOf(catalogue, { ...record, narrowing }, casesAt);
  const cases = plan.groups.flatMap((group) => group.cases);
  const groups = plan.groups.map(({ id }) => id);
  const more = groups.length > MAX_NAMED ? [`${groups.length - MAX_NAMED} more`] : [];
  const named = [...groups.slice(0, MAX_NAMED), ...more].join(', ');
  const lostChecks = checks.length === 0 ? '' : `; checks ${checks.map(({ id }) => id).join(', ')}`;
  return {
    why,
    checks,
    line: `${why}: ${cases.length} cases in ${groups.length} groups (${named})${lostChecks}`,
    unsent: cases.map(({ id }) => ({ type: 'unsent', case: id, reason: `not sent: ${why}` })),
  };
}
