import { createHash, randomBytes } from 'node:crypto';
import { type Check, checksFor } from '../checks/check.ts';
import { configurationError } from '../contract/configuration-error.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import type { CasesAt } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import { narrow, refuseNarrowing } from '../plan/narrow.ts';
import { type CheckHead, type Narrowing, WHOLE } from '../plan/narrowing.ts';
import type { Plan } from '../plan/plan.ts';
import { commonHeaders } from '../plan/request.ts';
import { withinReach } from '../plan/requirements-about.ts';
import type { Shard } from '../plan/shard.ts';
import { isBasic } from '../plan/token-bytes.ts';
import type { Breadth, EarlierRun } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import { type Redactor, redactorFor } from '../record/redact.ts';
import { kindsSent } from '../settings/claims.ts';
import type { LatencyLimit } from '../settings/latency-limits.ts';
import type { Settings } from '../settings/settings.ts';

export interface PlanOptions {
  readonly checks?: readonly Check[];
  /** Whether to run intrusive checks. By default only against this machine. */
  readonly intrusive?: boolean;
  /** How much the other checks try. By default everything if intrusive checks run, too. */
  readonly breadth?: Breadth;
  readonly narrowing?: Narrowing;
  readonly earlier?: EarlierRun;
  /** The limits of --max-latency. They change nothing that is sent. */
  readonly maxLatency?: readonly LatencyLimit[] | undefined;
  /** The id of the run. Random by default. */
  readonly run?: string;
  /** By default one that knows every secret of the run. */
  readonly redactor?: Redactor;
  /** The cases of each depth. To choose them takes a second, so all runs of a process share them. */
  readonly casesAt: CasesAt;
}
/** A planned run that has sent nothing yet. */
export interface PlannedRun extends RunFacts {
  readonly settings: Settings;
  /** The plan without the narrowing. Checks may use all of its cases and tokens. */
  readonly whole: Plan;
  readonly checks: readonly Check[];
  /** The checks without the narrowing. */
  readonly allChecks: readonly Check[];
  /** The other checks for the claims: they need --intrusive. */
  readonly needIntrusive: readonly Check[];
  readonly breadth: Breadth;
}

/** @throws a configuration error for a narrowing that matches nothing. */
export function planRun(settings: Settings, options: PlanOptions): PlannedRun {
  const { catalogue, variables, minted, depth, claims } = settings;
  const { contract } = catalogue;
  const {
    intrusive = settings.loopback,
    breadth = intrusive ? 'whole' : 'telling',
    narrowing = WHOLE,
    casesAt,
    run = randomRunId(),
  } = options;
  const unknownToken = isBasic(contract)
    ? Buffer.from([16, 16].map((size) => randomBytes(size).toString('hex')).join(':')).toString('base64')
    : randomBytes(32).toString('base64url');
  const people = peopleOf(contract, variables, run);
  const known = checksFor(contract, settings, options.checks ?? []);
  const needIntrusive = known.filter((check) => check.intrusive && !intrusive);
  const allChecks = known.filter((check) => !needIntrusive.includes(check));
  const credentials = createCredentials({ catalogue, variables, minted, unknownToken });
  const whole = makePlan({ catalogue, casesAt, depth, claims, credentials, people });
  refuseNarrowing(contract, { plan: whole, checks: allChecks, known: known.map(({ id }) => id) }, narrowing);
  const parts = { contract, people, common: commonHeaders(run, suiteVersion), unknownToken };
  return {
    contract,
    settings,
    narrowing,
    run,
    startedAt: new Date().toISOString(),
    parts,
    redactor: options.redactor ?? redactorOf({ settings, whole, parts }),
    whole,
    allChecks,
    needIntrusive,
    breadth,
    maxLatency: options.maxLatency,
    ...partOf(settings, { whole, allChecks, needIntrusive, narrowing }),
    ...(options.earlier && { earlier: options.earlier }),
  };
}

/** A plan and checks that may be narrowed. */
interface Whole<C extends CheckHead> {
  readonly whole: Plan;
  readonly allChecks: readonly C[];
  readonly needIntrusive: readonly C[];
  readonly narrowing: Narrowing;
}

/** What a run sends of a plan and checks, and which checks it leaves out. They list what the run can decide. */
export function partOf<C extends CheckHead>(
  { catalogue, claims }: Pick<Settings, 'catalogue' | 'claims'>,
  { whole, allChecks, needIntrusive, narrowing }: Whole<C>,
) {
  const { contract } = catalogue;
  const { plan, checks } = narrow(contract, whole, allChecks, narrowing);
  const reach = { kinds: kindsSent(catalogue, claims), canSend: whole.canSend };
  const within = (found: readonly C[]) => withinReach(contract, reach, found);
  const narrowed = allChecks.filter((check) => !checks.includes(check));
  return {
    plan,
    checks: within(checks),
    leftOut: { intrusive: within(needIntrusive), narrowed: within(narrowed) },
  };
}

/** A redactor for all variables, for every token of the plan (including derived ones), and for the unknown person. */
export function redactorOf({ settings, whole, parts }: Pick<PlannedRun, 'settings' | 'whole' | 'parts'>): Redactor {
  const redactor = redactorFor(settings);
  for (const { credential } of whole.credentials) redactor.add(credential.recipe, credential.token);
  redactor.add('an unknown person', parts.people.nobody);
  return redactor;
}

interface RunNames {
  /** The flag --run. */
  readonly given: string | undefined;
  readonly shard: Shard | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A run id is part of an email address and of a User-Agent. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

/**
 * The id of a run. All shards of a run need the same one, so that `merge` can tell them from shards of another run. Under
 * GitHub Actions it follows from the number and the attempt of the workflow run.
 * @returns undefined if the run needs no particular id.
 * @throws a configuration error for a shard without an id, and for an id with other characters.
 */
export function readRunId({ given, shard, environment }: RunNames): string | undefined {
  if (given !== undefined) {
    if (RUN_ID.test(given)) return given;
    throw configurationError(
      `--run must have 1 to 40 letters, digits, dots, hyphens and underscores, and begin with a letter or digit, not ${JSON.stringify(given)}`,
    );
  }
  if (shard === undefined) return undefined;
  const { GITHUB_RUN_ID: workflow, GITHUB_RUN_ATTEMPT: attempt } = environment;
  const derived = `${workflow}-${attempt}`;
  if (workflow && attempt && RUN_ID.test(derived)) return derived;
  throw configurationError(
    '--shard needs --run ID: give every shard of one run the same ID, such as the number of the build, so that merge can tell them from shards of another run',
  );
}

function randomRunId(): string {
  return randomBytes(4).toString('hex');
}

/** The seed of the random values of checks. It is the same for all shards of a run. */
export function seedOf(run: string): number {
  return createHash('sha256').update(run).digest().readInt32BE();
}
