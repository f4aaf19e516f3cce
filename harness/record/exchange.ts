import type { Tampering } from '../plan/credentials.ts';
import type { Narrowing } from '../plan/narrowing.ts';
import type { Claims } from '../settings/claims.ts';
import type { Observation } from './observation.ts';

/** Why a request was sent. */
export const ROLES = ['cell', 'control', 'confirmation', 'recurrence', 'check', 'preflight'] as const;

export type Role = (typeof ROLES)[number];

/** One request and what came back. */
export interface Exchange {
  readonly type: 'exchange';
  /** Order of the answers; unique in a journal. */
  readonly seq: number;
  /** The case, or the check that sent it. */
  readonly case: string;
  readonly role: Role;
  /** The credential as a recipe over its variable, never its value. */
  readonly credential: string;
  readonly observation: Observation;
}

/** What a hand-written check or property found of one requirement. */
export interface Decision {
  readonly type: 'decision';
  readonly check: string;
  readonly requirement: string;
  readonly operation: string;
  readonly kind: string;
  readonly verdict: 'pass' | 'fail' | 'warn' | 'observed' | 'not-testable' | 'inconclusive';
  /** One line: what was wanted and what came, or why nothing was decided. */
  readonly detail: string;
  /** The variable without which it cannot be tested, where that is what is missing. */
  readonly variable?: string;
  readonly curl?: string;
}

/** What the run is about; everything needed to plan it again offline. */
export interface RunRecord {
  readonly type: 'run';
  readonly version: string;
  readonly run: string;
  readonly contract: string;
  readonly startedAt: string;
  readonly target: string;
  readonly depth: string;
  readonly claims: Claims;
  readonly trusted: boolean;
  /** What made it a part of the whole; absent where nothing did. */
  readonly narrowing?: Narrowing;
  /** Requirements of the checks that the whole run takes, by their ids, in order. */
  readonly checks?: Readonly<Record<string, readonly string[]>>;
  /** How tokens were tampered with: offline there is no token to tamper with. */
  readonly tamperings?: readonly Tampering[];
  /** Names of the gateway's headers; their values are secret. */
  readonly extraHeaders?: readonly string[];
  /** Names of the variables that were set, and where each came from. */
  readonly variables: Readonly<Record<string, string>>;
  /** What TOKEN_COMMAND answered, by kind, validity and holding; never a token. */
  readonly minted?: Readonly<Record<string, 'token' | { readonly unsupported: string } | { readonly failed: string }>>;
}

/** A planned case that was left out on purpose. */
export interface UnsentRecord {
  readonly type: 'unsent';
  readonly case: string;
  readonly reason: string;
}

export interface EndRecord {
  readonly type: 'end';
  readonly interrupted: boolean;
  readonly stopped?: string;
}

/** Refusals from one exchange to another that the target gave to everything, and that say nothing of their cases. */
export interface LockoutRecord {
  readonly type: 'lockout';
  readonly from: number;
  readonly to: number;
}

export type JournalEntry = RunRecord | Exchange | Decision | UnsentRecord | LockoutRecord | EndRecord;

export type EntryOf<T extends JournalEntry['type']> = Extract<JournalEntry, { type: T }>;

/** The entries of a type, in order. */
export function entriesOf<T extends JournalEntry['type']>(
  entries: readonly JournalEntry[],
  type: T,
): readonly EntryOf<T>[] {
  return entries.filter((entry): entry is EntryOf<T> => entry.type === type);
}

/** Why a run ended before its end; undefined where it did not. */
export function stoppedBy({ stopped, interrupted }: EndRecord): string | undefined {
  return stopped ?? (interrupted ? 'interrupted' : undefined);
}
