import type { Law, VariationKind } from '../contract/variations.ts';
import type { Tampering } from '../plan/credentials.ts';
import type { Narrowing } from '../plan/narrowing.ts';
import type { Claims } from '../settings/claims.ts';
import type { LatencyLimit } from '../settings/latency-limits.ts';
import { isAccepted, type Observation } from './observation.ts';

/**
 * Why a request was sent: `cell`, to test a case; `control`, as the control of a case; `confirmation`, to see whether a
 * wrong answer comes again; `recurrence`, to see whether no answer comes again; `check`, by a check; `preflight`,
 * before the first case.
 */
export type Role = 'cell' | 'control' | 'confirmation' | 'recurrence' | 'check' | 'preflight';

/** What a check wants of a request: `either` where the specification leaves it open, or the check only reads the answer. */
export type Wanted = 'accepted' | 'refused' | 'either';

/** A request of a check, as a step on the way to its decisions. */
export interface Step {
  /** One sentence: what the answer is to show. */
  readonly shows: string;
  /** `refused` makes it a denial, whatever comes back. */
  readonly wanted: Wanted;
  /** The operation; absent for a raw request and for one to another server. */
  readonly operation?: string;
  /** The person whose request it is and whose private document it looks for: `ACT_AS` or `USER`. */
  readonly finds?: string;
}

/** One request and the answer to it, or why none came. */
export interface Exchange {
  readonly type: 'exchange';
  /** The position among the answers; unique in a journal. */
  readonly seq: number;
  /** The id of the case, or of the check that sent the request. */
  readonly case: string;
  readonly role: Role;
  /** The recipe of the credential, never its value. */
  readonly credential: string;
  readonly observation: Observation;
  /** Milliseconds from the request to the end of what was read of the answer. */
  readonly ms?: number;
  /** Milliseconds from the start of the run to that end; absent in journals of older versions. */
  readonly at?: number;
  /** Only of the requests of checks. */
  readonly step?: Step;
}

export interface Decision {
  readonly type: 'decision';
  readonly check: string;
  readonly requirement: string;
  readonly operation: string;
  readonly kind: string;
  readonly verdict: 'pass' | 'fail' | 'warn' | 'observed' | 'not-testable' | 'inconclusive';
  /** Why it is interpreted, whatever the requirement rests on. */
  readonly interpreted?: string;
  /** One line: what was expected and what came, or why nothing was decided. */
  readonly detail: string;
  /** The steps that it rests on, by the `seq` of their exchanges. */
  readonly steps: readonly number[];
  /** The acceptance that gives a refusal its meaning, by its `seq`. Every pass has one (outcomes 2). */
  readonly acceptance?: number;
  /** Of a failure or warning: the step that broke the requirement, by its `seq`. */
  readonly broke?: number;
  /** Of a failure or warning: what was wanted of that step, and what came. */
  readonly wanted?: string;
  readonly got?: string;
  /** What about the request made the difference, in words. Failures and warnings with the same one have one cause. */
  readonly influence?: string;
  /** The missing variable that would make it testable. */
  readonly variable?: string;
  /** A person did not find their own document. That leaves the unit undecided for every grave requirement (outcomes 2). */
  readonly unseen?: true;
  /** No answer of the target had what the rest of the check needs. */
  readonly untried?: true;
  /** A command line that sends the request again. */
  readonly curl?: string;
  /** Command lines over `$VARIABLES` that send the steps which explain it again, by their `seq`. */
  readonly commands?: Readonly<Record<string, string>>;
  /** With how many variations of each kind the check tried a law. Its first decision on the law says it. */
  readonly varied?: { readonly law: Law; readonly counts: Readonly<Partial<Record<VariationKind, number>>> };
  /** The check asked how much it may try, and tried only the most telling ways. */
  readonly inPart?: true;
}

/** The id of what a check decided for an operation and a kind of token: `isolation/search/USER`. */
export function decisionId({ check, operation, kind }: Pick<Decision, 'check' | 'operation' | 'kind'>): string {
  return `${check}/${operation}/${kind}`;
}

/** Steps that are shown before and after the one that failed. */
const [MOST_BEFORE, MOST_AFTER] = [3, 1];

/**
 * The few steps that explain a decision: the acceptance before the one that broke the requirement, that one, and those around
 * it. Without one that broke it, the last ones.
 */
export function explaining<T extends { readonly seq: number | undefined; readonly observation: Observation }>(
  steps: readonly T[],
  broke: number | undefined,
): readonly T[] {
  const at = broke === undefined ? steps.length - 1 : steps.findIndex(({ seq }) => seq === broke);
  const from = Math.max(0, at - MOST_BEFORE);
  const near = steps.slice(from, at + 1 + MOST_AFTER);
  const accepted = ({ observation }: T) => isAccepted(observation);
  const earlier = near.slice(0, at - from).some(accepted) ? undefined : steps.slice(0, from).findLast(accepted);
  return [...(earlier ? [earlier] : []), ...near];
}

/**
 * How much of what it can try a check tries. `telling`: one kind of each family of tokens, and the ways that have worked on
 * other servers. A target on another machine may lock the run out after many refusals (outcomes 6).
 */
export type Breadth = 'whole' | 'telling';

/** What a run tests: everything that is needed to make its plan again without the target. */
export interface RunRecord {
  readonly type: 'run';
  readonly version: string;
  readonly run: string;
  /** The digest of the contract. */
  readonly contract: string;
  readonly startedAt: string;
  /** The base URL of the target. */
  readonly target: string;
  readonly depth: string;
  readonly claims: Claims;
  readonly trusted: boolean;
  /** What narrowed the run; absent for a whole run. */
  readonly narrowing?: Narrowing;
  /** The requirements of each check that the whole run sends, by the id of the check, in order. */
  readonly checks?: Readonly<Record<string, readonly string[]>>;
  /** The same of the checks that the whole run leaves out, because they need --intrusive. Absent in journals of older versions. */
  readonly needIntrusive?: Readonly<Record<string, readonly string[]>>;
  /** The ids of the checks that each shard runs. Absent in journals of older versions. */
  readonly readsRun?: readonly string[];
  /** How much the checks try; absent in journals of older versions. */
  readonly breadth?: Breadth;
  /** How tokens were tampered with: a replay has no token to tamper with. */
  readonly tamperings?: readonly Tampering[];
  /** Names of the headers for a gateway; their values are secret. */
  readonly extraHeaders?: readonly string[];
  /** The limits of --max-latency; absent without one. */
  readonly maxLatency?: readonly LatencyLimit[];
  /** The variables that were set, and where each value came from. */
  readonly variables: Readonly<Record<string, string>>;
  /** What TOKEN_COMMAND answered, by kind, validity and holding; never a token. */
  readonly minted?: Readonly<Record<string, 'token' | { readonly unsupported: string } | { readonly failed: string }>>;
}

/** What an earlier run found. The run of this journal is compared with it. */
export interface EarlierRun extends Pick<RunRecord, 'run' | 'startedAt' | 'target' | 'breadth'> {
  readonly type: 'earlier';
  /** The ids of what failed, cases and what checks decided, by requirement and unit: `token.expired search/USER`. */
  readonly failing: Readonly<Record<string, readonly string[]>>;
  /** What was decided, in the same form. */
  readonly decided: readonly string[];
  /** What judged it: the version of the suite and the contract. Absent if that is unknown. */
  readonly rules?: string;
}

/** A planned case that the run left out on purpose. */
export interface UnsentRecord {
  readonly type: 'unsent';
  readonly case: string;
  readonly reason: string;
}

/** What the requests of a check create on a target: clients (RFC 7591 3.2.1) and service-issued tokens (spec 2.1). */
export const CREATED = ['client', 'token'] as const;

export interface CreatedRecord {
  readonly type: 'created';
  readonly what: (typeof CREATED)[number];
  readonly check: string;
  /** How the target names it; undefined if it did not say. Never a secret. */
  readonly id?: string;
}

/** Something that a check removed again, or why it could not. */
interface RemovedRecord extends Omit<CreatedRecord, 'type'> {
  readonly type: 'removed';
  readonly failed?: string;
}

/** What is recorded of the things that checks leave on a target. */
export type LeftRecord = CreatedRecord | RemovedRecord;

export interface EndRecord {
  readonly type: 'end';
  readonly interrupted: boolean;
  /** Why the run ended early, other than by an interrupt. */
  readonly stopped?: string;
  /** The number of entries before this one, so that a missing one shows. The journal counts them when it writes. */
  readonly entries?: number;
}

/** The exchanges during a lockout, by `seq`. Their refusals say nothing about their cases (outcomes 6). */
export interface LockoutRecord {
  readonly type: 'lockout';
  readonly from: number;
  readonly to: number;
}

export type JournalEntry =
  | RunRecord
  | EarlierRun
  | Exchange
  | Decision
  | UnsentRecord
  | LockoutRecord
  | CreatedRecord
  | RemovedRecord
  | EndRecord;

export type EntryOf<T extends JournalEntry['type']> = Extract<JournalEntry, { type: T }>;

export function entriesOf<T extends JournalEntry['type']>(
  entries: readonly JournalEntry[],
  type: T,
): readonly EntryOf<T>[] {
  return entries.filter((entry): entry is EntryOf<T> => entry.type === type);
}

/** The reason of a run that somebody interrupted. */
export const INTERRUPTED = 'interrupted';

/** Why a run ended early; undefined if it did not. */
export function stoppedBy({ stopped, interrupted }: EndRecord): string | undefined {
  return stopped ?? (interrupted ? INTERRUPTED : undefined);
}
