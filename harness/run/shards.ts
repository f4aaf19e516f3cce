import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { calledAs } from '../contract/package-files.ts';
import { shellWord } from '../contract/visible-text.ts';
import { flagsOf, type Narrowing, WHOLE } from '../plan/narrowing.ts';
import type { Shard } from '../plan/shard.ts';
import type { JournalEntry, RunRecord } from '../record/exchange.ts';
import { limitInWords } from '../settings/latency-limits.ts';
import { SETTING_VARIABLES } from '../settings/variables.ts';
import { runOf } from './judge-again.ts';

export interface FoundJournal {
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
}
export interface ShardJournal extends FoundJournal {
  readonly record: RunRecord;
  readonly shard: Shard;
}

/** Sorts the journals of one run by their shard. @throws a configuration error that says what differs if they are none. */
export function shardsOf(contract: Contract, journals: readonly FoundJournal[]): readonly ShardJournal[] {
  const shards = journals.map((found) => shardOf(contract, found)).sort((a, b) => a.shard.index - b.shard.index);
  const [first, ...others] = shards;
  if (!first) throw configurationError('there is nothing to merge; name the report folders of all shards');
  const problems = [...others.flatMap((other) => differences(first, other)), ...duplicates(shards)];
  if (problems.length > 0) throw configurationError(problems);
  return shards;
}

function shardOf(contract: Contract, { folder, entries }: FoundJournal): ShardJournal {
  const record = runOf(contract, entries, folder);
  const shard = record.narrowing?.shard;
  if (!shard)
    throw configurationError(
      `${folder} holds a run without --shard, which is judged by: ${calledAs} report ${shellWord(folder)}`,
    );
  return { folder, entries, record, shard };
}

/** What differs between two journals although it must be the same in all shards of a run. */
function differences(first: ShardJournal, other: ShardJournal): string[] {
  const aspects: readonly (readonly [name: string, of: (shard: ShardJournal) => readonly string[]])[] = [
    ['run', ({ record }) => [record.run]],
    ['version of the suite', ({ record }) => [record.version]],
    // The embedded service listens on another port for each shard.
    ['target', ({ record }) => [record.trusted ? 'the embedded service' : record.target]],
    ['depth', ({ record }) => [record.depth]],
    ['claims', ({ record: { claims } }) => [...claims.kinds, ...claims.capabilities].sort()],
    ['number of shards', ({ shard }) => [String(shard.of)]],
    ['narrowing', ({ record }) => flagsOf(narrowingWithoutShard(record))],
    ['limits of latency', ({ record }) => (record.maxLatency ?? []).map(limitInWords).sort()],
    ['checks', ({ record }) => Object.keys(record.checks ?? {})],
    ['variables', ({ record }) => planningVariables(record)],
    ['tokens of TOKEN_COMMAND', ({ record }) => mintedIn(record)],
  ];
  return aspects.flatMap(([name, of]) => {
    const [wanted, found] = [of(first), of(other)];
    if (JSON.stringify(wanted) === JSON.stringify(found)) return [];
    return `${first.folder} and ${other.folder} are not shards of one run: ${name}: ${difference(wanted, found)}`;
  });
}

function narrowingWithoutShard({ narrowing = WHOLE }: RunRecord): Narrowing {
  const { shard: _shard, ...rest } = narrowing;
  return { ...WHOLE, ...rest };
}

/** The variables that change the plan. Shards may differ in speed and in their report folder. */
function planningVariables({ variables }: RunRecord): string[] {
  const tuning = new Set<string>(SETTING_VARIABLES);
  return Object.keys(variables)
    .filter((name) => !tuning.has(name))
    .sort();
}

function mintedIn({ minted = {} }: RunRecord): readonly string[] {
  return Object.entries(minted)
    .map(
      ([key, outcome]) => `${key.replaceAll(' ', '/')}:${typeof outcome === 'string' ? outcome : Object.keys(outcome)}`,
    )
    .sort();
}

/** Both lists. Of long ones, only what is not in both. */
function difference(first: readonly string[], second: readonly string[]): string {
  if (first.length + second.length < 20) return `${first.join(' ') || 'none'} and ${second.join(' ') || 'none'}`;
  const without = (some: readonly string[], others: readonly string[]) =>
    some.filter((one) => !others.includes(one)).join(', ') || 'nothing';
  return `only the first has ${without(first, second)}, only the second has ${without(second, first)}`;
}

function duplicates(shards: readonly ShardJournal[]): string[] {
  return shards.flatMap(({ folder, shard: { index, of } }, at) => {
    const before = shards[at - 1];
    return before?.shard.index === index ? [`${before.folder} and ${folder} both hold shard ${index} of ${of}`] : [];
  });
}
