import { notRun } from '../checks/run-check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { type Contract, DEPTHS } from '../contract/contract.ts';
import type { Baseline } from '../judge/baseline.ts';
import { type JudgedRun, judgeRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { createCredentials } from '../plan/credentials.ts';
import { type CasesAt, expandOnce } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import { narrow } from '../plan/narrow.ts';
import { type CheckHead, isNarrowed, WHOLE } from '../plan/narrowing.ts';
import { peopleOf } from '../plan/people.ts';
import { type Decision, entriesOf, type JournalEntry, type RunRecord, stoppedBy } from '../record/exchange.ts';
import { createRedactor } from '../record/redact.ts';
import { suiteVersion } from '../record/suite-version.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import type { Minted } from '../settings/minted-tokens.ts';
import { ORIGINS, type Variable } from '../settings/variables.ts';

/** A journal judged again, without the target and without any secret. */
export interface Replay extends RunFacts {
  readonly record: RunRecord;
  readonly judged: JudgedRun;
  /** The run wrote its end; without it the run was killed, and what it did not send is inconclusive. */
  readonly ended: boolean;
}

export interface ReplayOptions {
  readonly baseline?: Baseline | undefined;
  /** The cases of each depth, where they were expanded before. */
  readonly casesAt?: CasesAt;
}

/**
 * Plans the run of a journal again from the names of its variables, and judges what the journal holds.
 * @throws a configuration error for a journal without a run, of another major version, or under another contract.
 */
export function replay(
  catalogue: Catalogue,
  entries: readonly JournalEntry[],
  { baseline, casesAt = expandOnce(catalogue.contract) }: ReplayOptions = {},
): Replay {
  const { contract } = catalogue;
  const record = runOf(contract, entries);
  const facts = factsOf(catalogue, record, casesAt);
  const { plan, narrowing, checks } = facts;
  const [end] = entriesOf(entries, 'end');
  const decided = entriesOf(entries, 'decision');
  const judged = judgeRun({
    contract,
    plan,
    narrowed: isNarrowed(narrowing),
    baseline,
    exchanges: entriesOf(entries, 'exchange'),
    unsent: new Map(entriesOf(entries, 'unsent').map((entry) => [entry.case, entry.reason])),
    decisions: [...decided, ...(end ? [] : undecidedChecks(checks, decided, KILLED))],
    trusted: record.trusted,
    stopped: end ? stoppedBy(end) : KILLED,
  });
  return { ...facts, record, judged, ended: end !== undefined };
}
const KILLED = 'the run was killed';

/**
 * The record that a journal begins with, where this suite can judge it.
 * @param where it is said to lie in an error.
 */
export function runOf(contract: Contract, entries: readonly JournalEntry[], where = 'this folder'): RunRecord {
  const [record] = entriesOf(entries, 'run');
  if (!record) throw configurationError(`the journal in ${where} does not begin with a run; is it one of this suite?`);
  const major = (version: string) => version.split('.')[0];
  if (major(record.version) !== major(suiteVersion))
    throw configurationError(
      `the journal in ${where} was recorded by suite ${record.version} and this is ${suiteVersion}; judge it with client-api-conformance@${major(record.version)}`,
    );
  if (record.contract !== contract.digest)
    throw configurationError(
      `the journal in ${where} was recorded under contract ${record.contract} and this suite holds ${contract.digest}; judge it with suite ${record.version} as it was then`,
    );
  return record;
}

/** What a record says of its run, planned again; with it what the run takes of the checks. */
export function factsOf(
  catalogue: Catalogue,
  record: RunRecord,
  casesAt: CasesAt,
): RunFacts & { readonly checks: readonly CheckHead[] } {
  const { contract } = catalogue;
  const { claims, trusted, narrowing = WHOLE, run, startedAt, target, tamperings = [] } = record;
  const depth = DEPTHS.find((known) => known === record.depth);
  if (!depth) throw configurationError(`the journal has the depth ${record.depth}, wanted one of ${DEPTHS.join(', ')}`);
  const variables = variablesOf(record);
  const people = peopleOf(variables, run);
  const unknownToken = standIn('an unknown token');
  const credentials = createCredentials({ catalogue, variables, minted: mintedOf(record), unknownToken, tamperings });
  const whole = makePlan({ catalogue, casesAt, depth, claims, credentials, people });
  const allChecks = Object.entries(record.checks ?? {}).map(([id, requirements]) => ({ id, requirements }));
  const extraHeaders = (record.extraHeaders ?? []).map((name) => [name, ''] as const);
  return {
    contract,
    ...narrow(contract, whole, allChecks, narrowing),
    narrowing,
    run,
    startedAt,
    parts: { contract, people, common: [], unknownToken },
    redactor: createRedactor(),
    settings: { catalogue, baseUrl: target, trusted, depth, claims, variables, extraHeaders },
  };
}

/** The variables that were set, with something in the place of each value. */
function variablesOf({ variables }: RunRecord): ReadonlyMap<string, Variable> {
  const known = Object.entries(variables).map(([name, set]): [string, Variable] => {
    const origin = ORIGINS.find((one) => one === set) ?? 'environment';
    return [name, { value: standIn(name), origin }];
  });
  return new Map(known);
}

/** What the checks that a run did not come to leave undecided, so that it does not pass for want of a decision. */
export function undecidedChecks(
  checks: readonly CheckHead[],
  decided: readonly Decision[],
  reason: string,
): readonly Decision[] {
  const begun = new Set(decided.map(({ check }) => check));
  return checks.filter(({ id }) => !begun.has(id)).flatMap((check) => notRun(check, reason));
}

/** What TOKEN_COMMAND answered, with something in the place of its tokens. */
function mintedOf({ minted = {} }: RunRecord): Minted {
  return new Map(
    Object.entries(minted).map(([key, outcome]) => [key, outcome === 'token' ? { token: standIn(key) } : outcome]),
  );
}

/** Something in the place of a value that no journal holds; only its presence counts. */
function standIn(name: string): string {
  return name.endsWith('_EMAIL') ? 'somebody@example.com' : `value-of-${name}`;
}
