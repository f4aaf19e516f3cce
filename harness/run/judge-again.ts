import { notRun } from '../checks/run-check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import { type Contract, DEPTHS } from '../contract/contract.ts';
import { visible } from '../contract/visible-text.ts';
import type { Baseline } from '../judge/baseline.ts';
import { strayDecisions } from '../judge/judge-requirements.ts';
import { type JudgedRun, judgeRun, type RunFacts } from '../judge/judge-run.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import type { CasesAt } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import { type CheckHead, isNarrowed, WHOLE } from '../plan/narrowing.ts';
import { type Decision, entriesOf, type JournalEntry, type RunRecord, stoppedBy } from '../record/exchange.ts';
import { suiteVersion, variablesIn } from '../record/journal.ts';
import { createRedactor } from '../record/redact.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import type { Minted } from '../settings/settings.ts';
import { COMMAND_VARIABLES, ORIGINS, SETTING_VARIABLES, type Variable } from '../settings/variables.ts';
import { partOf } from './plan-run.ts';

/** A journal that was judged again, without the target and without any secret. */
interface JudgedAgain extends RunFacts {
  readonly record: RunRecord;
  readonly judged: JudgedRun;
}

export interface JudgeAgainOptions {
  readonly baseline?: Baseline | undefined;
  readonly casesAt: CasesAt;
}

/** Plans the run of a journal again and judges it. @throws a configuration error if this version and contract cannot. */
export function judgeAgain(
  catalogue: Catalogue,
  entries: readonly JournalEntry[],
  { baseline, casesAt }: JudgeAgainOptions,
): JudgedAgain {
  const { contract } = catalogue;
  const record = runOf(contract, entries);
  const facts = factsOf(catalogue, record, casesAt);
  const { plan, narrowing, checks } = facts;
  const [end] = entriesOf(entries, 'end');
  const [earlier] = entriesOf(entries, 'earlier');
  const isKnown = knownIn(catalogue);
  const decided = entriesOf(entries, 'decision').map(({ curl, ...decision }) =>
    curl === undefined || !isKnown(curl) ? decision : { ...decision, curl },
  );
  const decisions = [...decided, ...(end ? [] : undecidedChecks(checks, decided, KILLED))];
  const [stray] = strayDecisions(contract, decisions);
  if (stray)
    throw configurationError(
      `the journal has a decision on ${visible(stray.requirement)}, which no requirement of this contract is; take the journal as the run wrote it`,
    );
  const judged = judgeRun({
    contract,
    plan,
    narrowed: isNarrowed(narrowing),
    baseline,
    exchanges: entriesOf(entries, 'exchange'),
    unsent: new Map(entriesOf(entries, 'unsent').map((entry) => [entry.case, entry.reason])),
    decisions,
    trusted: record.trusted,
    stopped: end ? stoppedBy(end) : KILLED,
  });
  const left = entries.filter((entry) => entry.type === 'created' || entry.type === 'removed');
  return { ...facts, ...(earlier && { earlier }), left, record, judged };
}
const KILLED = 'the run was killed';

/** Whether a line names variables of the suite only: a journal of somebody else could send `$GITHUB_TOKEN` to the target. */
function knownIn({ names }: Catalogue): (line: string) => boolean {
  const other: readonly string[] = [...COMMAND_VARIABLES, ...SETTING_VARIABLES];
  const known = new Set(['RANDOM', 'ADDRESS', ...names.filter((name) => !other.includes(name))]);
  return (line) => variablesIn(line).every((name) => known.has(name));
}

/** The record at the beginning of a journal. @throws a configuration error if this suite cannot judge the journal. */
export function runOf(contract: Contract, entries: readonly JournalEntry[], where = 'this folder'): RunRecord {
  const [record, another] = entriesOf(entries, 'run');
  if (!record)
    throw configurationError(`the journal in ${where} does not begin with a run; name a report folder of this suite`);
  if (another)
    throw configurationError(
      `the journal in ${where} holds the runs ${record.run} and ${another.run}; keep the lines of one`,
    );
  const major = (version: string) => version.split('.')[0];
  if (major(record.version) !== major(suiteVersion))
    throw configurationError(
      `the journal in ${where} was recorded by suite ${record.version} and this is ${suiteVersion}; judge it with the suite that recorded it (version ${record.version})`,
    );
  if (record.contract !== contract.digest)
    throw configurationError(
      `the journal in ${where} was recorded under contract ${record.contract} and this is ${contract.digest}; name the contract of that run with --contract, or judge it with the suite that recorded it (version ${record.version})`,
    );
  return record;
}

/** Plans the run of a record again. `checks` are the checks of that run. */
export function factsOf(catalogue: Catalogue, record: RunRecord, casesAt: CasesAt): RunFacts {
  const { contract } = catalogue;
  const { claims, trusted, narrowing = WHOLE, breadth, maxLatency, run, startedAt, target } = record;
  const isKnown = knownIn(catalogue);
  const tamperings = (record.tamperings ?? []).filter(({ shell }) => isKnown(shell));
  const depth = DEPTHS.find((known) => known === record.depth);
  if (!depth) throw configurationError(`the journal has the depth ${record.depth}, wanted one of ${DEPTHS.join(', ')}`);
  const variables = variablesOf(record);
  const people = peopleOf(contract, variables, run);
  const unknownToken = placeholder('an unknown token');
  const minted = mintedOf(record);
  const credentials = createCredentials({ catalogue, variables, minted, unknownToken, tamperings });
  const whole = makePlan({ catalogue, casesAt, depth, claims, credentials, people });
  const allChecks = headsOf(record.checks, record.readsRun);
  const extraHeaders = (record.extraHeaders ?? []).map((name) => [name, ''] as const);
  const needIntrusive = headsOf(record.needIntrusive);
  return {
    contract,
    ...partOf({ catalogue, claims }, { whole, allChecks, needIntrusive, narrowing }),
    narrowing,
    breadth,
    maxLatency,
    run,
    startedAt,
    parts: { contract, people, common: [], unknownToken },
    redactor: createRedactor(),
    settings: { catalogue, baseUrl: target, trusted, depth, claims, variables, extraHeaders, minted },
  };
}

function headsOf(checks: RunRecord['checks'] = {}, readsRun: readonly string[] = []): readonly CheckHead[] {
  return Object.entries(checks).map(([id, requirements]) => ({ id, requirements, readsRun: readsRun.includes(id) }));
}

/** The variables that were set, with a placeholder for each value. */
function variablesOf({ variables }: RunRecord): ReadonlyMap<string, Variable> {
  const known = Object.entries(variables).map(([name, set]): [string, Variable] => {
    const origin = ORIGINS.find((one) => one === set) ?? 'environment';
    return [name, { value: placeholder(name), origin }];
  });
  return new Map(known);
}

/** Inconclusive decisions for the checks that did not run, so that their requirements cannot pass. */
export function undecidedChecks(
  checks: readonly CheckHead[],
  decided: readonly Decision[],
  reason: string,
): readonly Decision[] {
  const started = new Set(decided.map(({ check }) => check));
  return checks.filter(({ id }) => !started.has(id)).flatMap((check) => notRun(check, reason));
}

/** What TOKEN_COMMAND answered, with a placeholder for each token. */
function mintedOf({ minted = {} }: RunRecord): Minted {
  return new Map(
    Object.entries(minted).map(([key, outcome]) => [key, outcome === 'token' ? { token: placeholder(key) } : outcome]),
  );
}

/** A placeholder for a value that is not in the journal. Planning only needs to know that there is one. */
function placeholder(name: string): string {
  return name.endsWith('_EMAIL') ? 'somebody@example.com' : `value-of-${name}`;
}
