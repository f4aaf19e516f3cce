import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { describeNarrowing, WHOLE } from '../plan/narrowing.ts';
import type { Shard } from '../plan/shard.ts';
import type { JournalEntry, RunRecord } from '../record/exchange.ts';
import { SETTING_VARIABLES } from '../settings/variables.ts';
import { runOf } from './replay.ts';

/** A journal, and the folder that it was found in. */
export interface FoundJournal {
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
}
/** The journal of a shard. */
export interface ShardJournal extends FoundJournal {
  readonly record: RunRecord;
  readonly shard: Shard;
}

/**
 * The journals as those of the shards of one run, in their order.
 * @throws a configuration error for journals that are not shards of one run, naming what differs.
 */
export function shardsOf(contract: Contract, journals: readonly FoundJournal[]): readonly ShardJournal[] {
  const shards = journals.map((found) => shardOf(contract, found)).sort((a, b) => a.shard.index - b.shard.index);
  const [first, ...others] = shards;
  if (!first) throw configurationError('there is nothing to merge; name the report folders of all shards');
  const problems = [...others.flatMap((other) => differences(first, other)), ...doubled(shards)];
  if (problems.length > 0) throw configurationError(problems);
  return shards;
}

function shardOf(contract: Contract, { folder, entries }: FoundJournal): ShardJournal {
  const record = runOf(contract, entries, folder);
  const shard = record.narrowing?.shard;
  if (!shard) throw configurationError(`${folder} holds a run without --shard: report judges it as it is`);
  return { folder, entries, record, shard };
}

/** What must be the same of two shards of one run, and is not. */
function differences(first: ShardJournal, other: ShardJournal): string[] {
  const aspects: readonly (readonly [name: string, of: (shard: ShardJournal) => string])[] = [
    ['version of the suite', ({ record }) => record.version],
    // The embedded service listens anew for each shard.
    ['target', ({ record }) => (record.trusted ? 'the embedded service' : record.target)],
    ['depth', ({ record }) => record.depth],
    ['claims', ({ record: { claims } }) => [...claims.kinds, ...claims.capabilities].sort().join(' ')],
    ['number of shards', ({ shard }) => String(shard.of)],
    ['narrowing', ({ record }) => describeNarrowing({ ...WHOLE, ...without(record) }) || 'none'],
    ['checks', ({ record }) => Object.keys(record.checks ?? {}).join(' ')],
    ['variables', ({ record }) => planning(record).join(' ')],
    ['tokens of TOKEN_COMMAND', ({ record }) => mintedIn(record)],
  ];
  return aspects.flatMap(([name, of]) => {
    const [wanted, found] = [of(first), of(other)];
    if (wanted === found) return [];
    return `${first.folder} and ${other.folder} are not shards of one run: ${name}: ${differing(wanted, found)}`;
  });
}

function without({ narrowing = WHOLE }: RunRecord) {
  const { shard: _shard, ...rest } = narrowing;
  return rest;
}

/** The variables that a plan rests on; how fast a shard ran, and where it wrote, is its own affair. */
function planning({ variables }: RunRecord): string[] {
  const tuning = new Set<string>(SETTING_VARIABLES);
  return Object.keys(variables)
    .filter((name) => !tuning.has(name))
    .sort();
}

function mintedIn({ minted = {} }: RunRecord): string {
  return Object.entries(minted)
    .map(
      ([key, outcome]) => `${key.replaceAll(' ', '/')}:${typeof outcome === 'string' ? outcome : Object.keys(outcome)}`,
    )
    .sort()
    .join(' ');
}

/** Both texts, or only the words that one of two long lists lacks. */
function differing(wanted: string, found: string): string {
  const [a, b] = [wanted.split(' '), found.split(' ')];
  if (a.length + b.length < 20) return `${wanted || 'none'} and ${found || 'none'}`;
  const lacks = (some: readonly string[], others: readonly string[]) => some.filter((word) => !others.includes(word));
  return `${lacks(a, b).join(' ') || 'nothing'} and ${lacks(b, a).join(' ') || 'nothing'} stand in one alone`;
}

function doubled(shards: readonly ShardJournal[]): string[] {
  return shards.flatMap(({ folder, shard: { index, of } }, at) => {
    const before = shards[at - 1];
    return before?.shard.index === index ? [`${before.folder} and ${folder} both hold shard ${index} of ${of}`] : [];
  });
}
