import { amount, counted } from '../contract/amounts.ts';
import type { JudgedRun, RunFacts } from '../judge/judge-run.ts';
import { CREATED, type Exchange, type LeftRecord } from '../record/exchange.ts';
import { isAccepted, isAnswer } from '../record/observation.ts';

/** Things of one kind that a run created on the target. */
export interface Left {
  /** Clients, tokens of ADMINISTRATION_COMMAND, conversations, or tokens of TOKEN_COMMAND. */
  readonly what: (typeof CREATED)[number] | 'conversation' | 'minted token';
  readonly created: number;
  /** How many of them the run removed again. */
  readonly removed: number;
  /** The first names of those that are still there, if the target names them. */
  readonly ids: readonly string[];
  /** Why they are still there. */
  readonly reasons: readonly string[];
}

/** A run can begin thousands of conversations. */
const MOST_IDS = 20;
const EARLY = 'the run did not come to removing it';
const NO_REQUEST = 'the contract has no request that removes one';
const BY_COMMAND = 'the command of the operator made them, and only it knows how to revoke them (RFC 7009 2.1)';

/**
 * What a run created on the target, with what is still there. Empty for the embedded service, which ends with the run, and
 * its data with it. Pure: a journal gives the same.
 */
export function leftOn(facts: RunFacts, { exchanges }: Pick<JudgedRun, 'exchanges'>): readonly Left[] {
  if (facts.settings.trusted) return [];
  const { left = [] } = facts;
  return [...CREATED.map((what) => ofChecks(what, left)), conversations(facts, exchanges), minted(facts)].filter(
    ({ created }) => created > 0,
  );
}

function ofChecks(what: (typeof CREATED)[number], left: readonly LeftRecord[]): Left {
  const own = left.filter((entry) => entry.what === what);
  const created = own.filter(({ type }) => type === 'created');
  const attempts = own.filter((entry) => entry.type === 'removed');
  const removed = new Set(attempts.flatMap(({ id, failed }) => (id !== undefined && failed === undefined ? [id] : [])));
  const kept = created.filter(({ id }) => id === undefined || !removed.has(id));
  const reasons = kept.map(
    ({ id }) => attempts.find((one) => one.id === id && one.failed !== undefined)?.failed ?? EARLY,
  );
  return {
    what,
    created: created.length,
    removed: created.length - kept.length,
    ids: kept.flatMap(({ id }) => id ?? []).slice(0, MOST_IDS),
    reasons: [...new Set(reasons)],
  };
}

/** Each accepted chat that does not continue a conversation begins one. One without a name counts by itself. */
function conversations({ contract, plan }: RunFacts, exchanges: readonly Exchange[]): Left {
  // An operation of somebody's own contract may be slow for another reason.
  const chats = contract.has.includes('conversations') ? contract.operations.filter(({ isSlow }) => isSlow) : [];
  const slow = new Set(chats.map(({ id }) => id));
  const accepted = exchanges.filter(
    ({ case: id, step, observation }) =>
      isAccepted(observation) && slow.has(step?.operation ?? plan.cases.get(id)?.values.operation ?? ''),
  );
  const named = accepted.flatMap(({ observation }) => (isAnswer(observation) ? (observation.conversation ?? []) : []));
  const ids = [...new Set(named)];
  const created = ids.length + accepted.length - named.length;
  return { what: 'conversation', created, removed: 0, ids: ids.slice(0, MOST_IDS), reasons: [NO_REQUEST] };
}

function minted({ settings: { minted = new Map() } }: RunFacts): Left {
  const created = [...minted.values()].filter((answer) => 'token' in answer).length;
  return { what: 'minted token', created, removed: 0, ids: [], reasons: [BY_COMMAND] };
}

const WORDS: Readonly<Record<Left['what'], readonly [name: string, made: string, undone: string]>> = {
  client: ['client', 'registered', 'removed'],
  token: ['token', 'created by ADMINISTRATION_COMMAND', 'revoked'],
  conversation: ['conversation', 'begun', 'removed'],
  'minted token': ['token', 'made by TOKEN_COMMAND', 'revoked'],
};

/** What is left, in one line without the names: `3 clients registered, 1 removed, 2 still there: the request to remove it got 403`. */
export function leftInWords({ what, created, removed, reasons }: Left): string {
  const [name, made, undone] = WORDS[what];
  const all = `${counted(created, name)} ${made}`;
  const still = created - removed;
  if (still === 0) return `${all}, and ${undone} again`;
  const rest = removed === 0 ? 'still there' : `${amount(removed)} ${undone}, ${amount(still)} still there`;
  return `${all}, ${rest}: ${reasons.join('; ')}`;
}
