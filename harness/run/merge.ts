import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { type CheckHead, describeNarrowing, WHOLE } from '../plan/narrowing.ts';
import type { Shard } from '../plan/shard.ts';
import type { Decision, EndRecord, Exchange, JournalEntry, RunRecord, UnsentRecord } from '../record/exchange.ts';
import { SETTING_VARIABLES } from '../settings/variables.ts';
import { factsOf, runOf, undecidedChecks } from './replay.ts';

/** A journal, and the folder that it was found in. */
export interface FoundJournal {
  readonly folder: string;
  readonly entries: readonly JournalEntry[];
}
export interface Merged {
  /** The journal of one run that sent what the shards sent. */
  readonly entries: readonly JournalEntry[];
  /** What is missing of it, one line for each shard; empty when it is whole. */
  readonly missing: readonly string[];
}
interface Piece extends FoundJournal {
  readonly record: RunRecord;
  readonly shard: Shard;
}

/**
 * Joins the journals of the shards of one run. What a missing or killed shard did not send stays undecided, so that no
 * merge conforms that lacks one. Pure.
 * @throws a configuration error for journals that are not shards of one run, naming what differs.
 */
export function mergeJournals(contract: Contract, journals: readonly FoundJournal[]): Merged {
  const pieces = journals.map((found) => pieceOf(contract, found)).sort((a, b) => a.shard.index - b.shard.index);
  const [first] = pieces;
  if (!first) throw configurationError('there is nothing to merge; name the report folders of all shards');
  const problems = [...pieces.slice(1).flatMap((piece) => differences(first, piece)), ...doubled(pieces)];
  if (problems.length > 0) throw configurationError(problems);
  const { shard: _shard, ...narrowing } = first.record.narrowing ?? WHOLE;
  const record: RunRecord = {
    ...first.record,
    run: pieces.map((piece) => piece.record.run).join('+'),
    startedAt: pieces.map((piece) => piece.record.startedAt).sort()[0] ?? first.record.startedAt,
    narrowing,
  };
  const losses = Array.from({ length: first.shard.of }, (_, index) => lossOf(pieces, index + 1, first.shard.of));
  const lost = losses.flatMap((why, index) =>
    why === undefined ? [] : [lack(contract, record, { index: index + 1, of: first.shard.of }, why)],
  );
  const decisions = all(pieces, (entry): entry is Decision => entry.type === 'decision');
  const undecided = lost.flatMap(({ checks, why }) => undecidedChecks(checks, decisions, `not run: ${why}`));
  const order = Object.keys(record.checks ?? {});
  const rank = ({ check }: Decision) => order.indexOf(check);
  const ends = all(pieces, (entry): entry is EndRecord => entry.type === 'end');
  const sent = all(pieces, (entry): entry is Exchange => entry.type === 'exchange');
  const stopped = lost.map(({ why }) => why).join('; ');
  return {
    entries: [
      record,
      // The number orders the answers of one run, so those of the shards follow one another.
      ...sent.map((exchange, index) => ({ ...exchange, seq: index + 1 })),
      ...all(pieces, (entry): entry is UnsentRecord => entry.type === 'unsent'),
      ...lost.flatMap(({ unsent }) => unsent),
      ...[...decisions, ...undecided].sort((a, b) => rank(a) - rank(b)),
      { type: 'end', interrupted: ends.some(({ interrupted }) => interrupted), ...(stopped !== '' && { stopped }) },
    ],
    missing: lost.map(({ line }) => line),
  };
}

function pieceOf(contract: Contract, { folder, entries }: FoundJournal): Piece {
  const record = runOf(contract, entries, folder);
  const shard = record.narrowing?.shard;
  if (!shard) throw configurationError(`${folder} holds a run without --shard: report judges it as it is`);
  return { folder, entries, record, shard };
}

/** What must be the same of two shards of one run, and is not. */
function differences(first: Piece, other: Piece): string[] {
  const aspects: readonly (readonly [name: string, of: (piece: Piece) => string])[] = [
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

function doubled(pieces: readonly Piece[]): string[] {
  return pieces.flatMap(({ folder, shard: { index, of } }, at) => {
    const before = pieces[at - 1];
    return before?.shard.index === index ? [`${before.folder} and ${folder} both hold shard ${index} of ${of}`] : [];
  });
}

/** Why a shard did not come to its end; undefined for one that did. */
function lossOf(pieces: readonly Piece[], index: number, of: number): string | undefined {
  const piece = pieces.find(({ shard }) => shard.index === index);
  if (!piece) return `shard ${index} of ${of} is missing`;
  const end = piece.entries.find((entry): entry is EndRecord => entry.type === 'end');
  if (!end) return `shard ${index} of ${of} was killed`;
  const stopped = end.stopped ?? (end.interrupted ? 'interrupted' : undefined);
  return stopped === undefined ? undefined : `shard ${index} of ${of} was stopped: ${stopped}`;
}

interface Lack {
  readonly why: string;
  readonly line: string;
  readonly unsent: readonly UnsentRecord[];
  readonly checks: readonly CheckHead[];
}

/** What a shard would have sent, planned again. */
function lack(contract: Contract, whole: RunRecord, shard: Shard, why: string): Lack {
  const { plan, checks } = factsOf(contract, { ...whole, narrowing: { ...(whole.narrowing ?? WHOLE), shard } });
  const cases = plan.groups.flatMap((group) => group.cases);
  const named = plan.groups.map(({ id }) => id);
  const shown =
    named.length > MOST_NAMED ? [...named.slice(0, MOST_NAMED), `${named.length - MOST_NAMED} more`] : named;
  const taken = checks.length === 0 ? '' : `; checks ${checks.map(({ id }) => id).join(', ')}`;
  return {
    why,
    checks,
    line: `${why}: ${cases.length} cases in ${named.length} groups (${shown.join(', ')})${taken}`,
    unsent: cases.map(({ id }) => ({ type: 'unsent', case: id, reason: `not sent: ${why}` })),
  };
}
const MOST_NAMED = 5;

function all<E extends JournalEntry>(pieces: readonly Piece[], is: (entry: JournalEntry) => entry is E): E[] {
  return pieces.flatMap(({ entries }) => entries.filter(is));
}
