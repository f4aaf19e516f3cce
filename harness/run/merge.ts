import { counted, firstShown } from '../contract/amounts.ts';
import type { CasesAt } from '../plan/expand.ts';
import { type CheckHead, WHOLE } from '../plan/narrowing.ts';
import type { Shard } from '../plan/shard.ts';
import {
  type Decision,
  decisionId,
  type EntryOf,
  entriesOf,
  type JournalEntry,
  type RunRecord,
  stoppedBy,
  type UnsentRecord,
} from '../record/exchange.ts';
import { GRAVITY } from '../report/verdict-words.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import { factsOf, undecidedChecks } from './judge-again.ts';
import { type FoundJournal, type ShardJournal, shardsOf } from './shards.ts';

interface Merged {
  /** The journal of a single run that sent everything that the shards sent. */
  readonly entries: readonly JournalEntry[];
  /** One line for each lost shard. Empty if no shard is lost. */
  readonly missing: readonly string[];
}

/**
 * Joins the journals of the shards of one run. What a lost shard did not send stays undecided, so that a merge with a
 * lost shard never conforms. Pure.
 * @param casesAt the cases of each depth, if they are already expanded.
 * @throws a configuration error for journals that are not shards of one run. It says what differs.
 */
export function mergeJournals(catalogue: Catalogue, journals: readonly FoundJournal[], casesAt: CasesAt): Merged {
  const shards = shardsOf(catalogue.contract, journals);
  const record = wholeRecord(shards);
  const lost = lostShards({ catalogue, casesAt, record }, shards, shards[0]?.shard.of ?? 0);
  const all = <T extends JournalEntry['type']>(type: T): EntryOf<T>[] =>
    shards.flatMap(({ entries }) => entriesOf(entries, type));
  const decisions = gravestOfEach(
    shards.flatMap((_, index) => renumbered(shards, index)),
    record.readsRun ?? [],
  );
  const undecided = lost.flatMap(({ checks, why }) => undecidedChecks(checks, decisions, `not run: ${why}`));
  const order = Object.keys(record.checks ?? {});
  const rank = ({ check }: Decision) => order.indexOf(check);
  const interrupted = all('end').some((end) => end.interrupted);
  const stopped = lost.map(({ why }) => why).join('; ');
  return {
    entries: [
      record,
      // The ordinals of a run must be unique, so the exchanges of all shards are numbered again.
      ...shards
        .flatMap((shard) => sinceStart(record, shard))
        .map((exchange, index) => ({ ...exchange, seq: index + 1 })),
      ...all('unsent'),
      ...lost.flatMap(({ unsent }) => unsent),
      ...all('created'),
      ...all('removed'),
      ...[...decisions, ...undecided].sort((a, b) => rank(a) - rank(b)),
      { type: 'end', interrupted, ...(stopped !== '' && { stopped }) },
    ],
    missing: lost.map(({ line }) => line),
  };
}

/** The exchanges of a shard, with their times counted from the start of the whole run. */
function sinceStart({ startedAt }: RunRecord, { record, entries }: ShardJournal): readonly EntryOf<'exchange'>[] {
  const later = Date.parse(record.startedAt) - Date.parse(startedAt);
  return entriesOf(entries, 'exchange').map(({ at, ...exchange }) =>
    at === undefined || !(later >= 0) ? exchange : { ...exchange, at: at + later },
  );
}

/** Each shard reads its own part of the run, so several of them may decide the same. The gravest decision counts. */
function gravestOfEach(decisions: readonly Decision[], readers: readonly string[]): readonly Decision[] {
  const shared = new Map<string, Decision>();
  for (const decision of decisions.filter(({ check }) => readers.includes(check))) {
    const key = `${decisionId(decision)} ${decision.requirement}`;
    const known = shared.get(key);
    if (!known || gravity(decision) < gravity(known)) shared.set(key, decision);
  }
  return [...decisions.filter(({ check }) => !readers.includes(check)), ...shared.values()];
}

function gravity({ verdict }: Decision): number {
  return GRAVITY.indexOf(verdict);
}

/** The decisions of a shard. The exchanges of all shards are numbered again, and so are the steps of the decisions. */
function renumbered(shards: readonly ShardJournal[], index: number): readonly Decision[] {
  const before = shards.slice(0, index).reduce((sum, { entries }) => sum + entriesOf(entries, 'exchange').length, 0);
  const { entries } = shards[index] ?? { entries: [] };
  const seqs = new Map(entriesOf(entries, 'exchange').map(({ seq }, at) => [seq, before + at + 1]));
  const again = (seq: number) => seqs.get(seq) ?? seq;
  return entriesOf(entries, 'decision').map((decision) => ({
    ...decision,
    steps: decision.steps.map(again),
    ...(decision.acceptance !== undefined && { acceptance: again(decision.acceptance) }),
    ...(decision.broke !== undefined && { broke: again(decision.broke) }),
    ...(decision.commands && {
      commands: Object.fromEntries(Object.entries(decision.commands).map(([seq, line]) => [again(Number(seq)), line])),
    }),
  }));
}

function wholeRecord(shards: readonly ShardJournal[]): RunRecord {
  const records = shards.map(({ record }) => record);
  const [first] = records;
  if (!first) throw new Error('a merge has at least one shard');
  const { shard: _shard, ...narrowing } = first.narrowing ?? WHOLE;
  return {
    ...first,
    startedAt: records.map(({ startedAt }) => startedAt).sort()[0] ?? first.startedAt,
    narrowing,
  };
}

/** A shard that is missing or did not run to its end, and what it would have sent. */
interface LostShard {
  readonly why: string;
  /** What is missing, as one line. */
  readonly line: string;
  readonly unsent: readonly UnsentRecord[];
  readonly checks: readonly CheckHead[];
}
interface WholeRun {
  readonly catalogue: Catalogue;
  readonly casesAt: CasesAt;
  readonly record: RunRecord;
}

const MAX_NAMED = 5;

/** The shards that are missing or did not run to their end, in order. */
function lostShards(whole: WholeRun, shards: readonly ShardJournal[], of: number): readonly LostShard[] {
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
  const named = firstShown(groups, MAX_NAMED, (more) => `${more} more`).join(', ');
  const lostChecks = checks.length === 0 ? '' : `; checks ${checks.map(({ id }) => id).join(', ')}`;
  return {
    why,
    checks,
    line: `${why}: ${counted(cases.length, 'case')} in ${counted(groups.length, 'group')} (${named})${lostChecks}`,
    unsent: cases.map(({ id }) => ({ type: 'unsent', case: id, reason: `not sent: ${why}` })),
  };
}
