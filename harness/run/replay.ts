import { notRun } from '../checks/run-check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { DEPTHS } from '../contract/contract.ts';
import type { Baseline } from '../judge/baseline.ts';
import { type JudgedRun, judgeRun } from '../judge/judge-run.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { createCredentials, type Recipes, UNKNOWN_TOKEN } from '../plan/credentials.ts';
import { makePlan, type Plan } from '../plan/make-plan.ts';
import { narrow } from '../plan/narrow.ts';
import { type CheckHead, isNarrowed, WHOLE } from '../plan/narrowing.ts';
import { peopleOf } from '../plan/people.ts';
import type { Decision, EndRecord, Exchange, JournalEntry, RunRecord, UnsentRecord } from '../record/exchange.ts';
import { createRedactor } from '../record/redact.ts';
import { suiteVersion } from '../record/suite-version.ts';
import type { Minted } from '../settings/minted-tokens.ts';
import { ORIGINS, type Variable } from '../settings/variables.ts';

/** A journal judged again, without the target and without any secret. */
export interface Replay extends RunFacts {
  readonly record: RunRecord;
  readonly judged: JudgedRun;
  /** The run wrote its end; without it the run was killed, and what it did not send is inconclusive. */
  readonly ended: boolean;
}

/**
 * Plans the run of a journal again from the names of its variables, and judges what the journal holds.
 * @throws a configuration error for a journal without a run, of another major version, or under another contract.
 */
export function replay(contract: Contract, entries: readonly JournalEntry[], baseline?: Baseline): Replay {
  const record = runOf(contract, entries);
  const facts = factsOf(contract, record);
  const exchanges = entries.filter((entry): entry is Exchange => entry.type === 'exchange');
  const left = entries.filter((entry): entry is UnsentRecord => entry.type === 'unsent');
  const unsent = new Map(left.map((entry) => [entry.case, entry.reason]));
  const end = entries.find((entry): entry is EndRecord => entry.type === 'end');
  const stopped = end ? (end.stopped ?? (end.interrupted ? 'interrupted' : undefined)) : KILLED;
  const decided = entries.filter((entry): entry is Decision => entry.type === 'decision');
  const decisions = [...decided, ...(end ? [] : undecidedChecks(facts.checks, decided, KILLED))];
  const { plan } = facts;
  const narrowed = isNarrowed(facts.narrowing);
  const { trusted } = record;
  const evidence = { exchanges, unsent, decisions, trusted, stopped };
  const judged = judgeRun({ contract, plan, narrowed, baseline, ...evidence });
  return { ...facts, record, judged, ended: end !== undefined };
}
const KILLED = 'the run was killed';

/**
 * The record that a journal begins with, where this suite can judge it.
 * @param where it is said to lie in an error.
 */
export function runOf(contract: Contract, entries: readonly JournalEntry[], where = 'this folder'): RunRecord {
  const record = entries.find((entry): entry is RunRecord => entry.type === 'run');
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

/** The run that a record tells of, planned again; what it takes of the checks with it. */
export function factsOf(contract: Contract, record: RunRecord): RunFacts & { readonly checks: readonly CheckHead[] } {
  const variables = new Map(
    Object.entries(record.variables).map(([name, origin]): [string, Variable] => [
      name,
      { value: standIn(name), origin: ORIGINS.find((known) => known === origin) ?? 'environment' },
    ]),
  );
  const depth = DEPTHS.find((known) => known === record.depth);
  if (!depth) throw configurationError(`the journal has the depth ${record.depth}, wanted one of ${DEPTHS.join(', ')}`);
  const { claims, trusted, narrowing = WHOLE, run, startedAt, target } = record;
  const people = peopleOf(variables, run);
  const credentials = createCredentials(contract, variables, mintedOf(record), recipesOf(record));
  const whole: Plan = makePlan({ contract, depth, claims, credentials, people });
  const all = Object.entries(record.checks ?? {}).map(([id, requirements]) => ({ id, requirements }));
  const extraHeaders = (record.extraHeaders ?? []).map((name) => [name, ''] as const);
  return {
    contract,
    ...narrow(contract, whole, all, narrowing),
    narrowing,
    run,
    startedAt,
    parts: { contract, people, common: [], unknownToken: UNKNOWN_TOKEN },
    redactor: createRedactor(),
    settings: { baseUrl: target, trusted, depth, claims, variables, extraHeaders },
  };
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

/** How tokens were tampered with: the stand-ins have another length, so their recipes would name other characters. */
function recipesOf({ tampered = {} }: RunRecord): Recipes {
  return new Map(
    Object.entries(tampered).flatMap(([recipe, shell]) => {
      const [, from, how] = /^(.+?), (character \d+ of \d+ changed)$/.exec(recipe) ?? [];
      return from === undefined || how === undefined ? [] : [[from, { how, shell }] as const];
    }),
  );
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
