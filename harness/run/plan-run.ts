import { randomBytes } from 'node:crypto';
import { type Check, checksFor } from '../checks/check.ts';
import type { RunFacts } from '../judge/judge-run.ts';
import { createCredentials, peopleOf } from '../plan/credentials.ts';
import type { CasesAt } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import { narrow, refuseNarrowing } from '../plan/narrow.ts';
import { type Narrowing, WHOLE } from '../plan/narrowing.ts';
import type { Plan } from '../plan/plan.ts';
import { commonHeaders, type RequestParts } from '../plan/request.ts';
import { withinReach } from '../plan/requirements-about.ts';
import type { Breadth, EarlierRun } from '../record/exchange.ts';
import { suiteVersion } from '../record/journal.ts';
import { type Redactor, redactorFor } from '../record/redact.ts';
import { kindsSent } from '../settings/claims.ts';
import type { LatencyLimit } from '../settings/latency-limits.ts';
import type { Settings } from '../settings/settings.ts';
import { randomRunId } from './run-id.ts';

export interface PlanOptions {
  /** All checks, in order. */
  readonly checks?: readonly Check[];
  /** Whether to run intrusive checks. By default only against this machine. */
  readonly intrusive?: boolean;
  /** How much the other checks try. By default everything if intrusive checks run, too. */
  readonly breadth?: Breadth;
  readonly narrowing?: Narrowing;
  /** The earlier run to compare with. */
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
  /** The checks of this run. */
  readonly checks: readonly Check[];
  /** The checks without the narrowing. */
  readonly allChecks: readonly Check[];
  /** The other checks for the claims: they need --intrusive. */
  readonly needIntrusive: readonly Check[];
  readonly breadth: Breadth;
}

/**
 * Plans a run.
 * @throws a configuration error for a narrowing that matches nothing.
 */
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
  const unknownToken = randomBytes(32).toString('base64url');
  const people = peopleOf(variables, run);
  const credentials = createCredentials({ catalogue, variables, minted, unknownToken });
  const whole = makePlan({ catalogue, casesAt, depth, claims, credentials, people });
  const known = checksFor(contract, settings, options.checks ?? []);
  const needIntrusive = known.filter((check) => check.intrusive && !intrusive);
  const allChecks = known.filter((check) => !needIntrusive.includes(check));
  refuseNarrowing(contract, { plan: whole, checks: allChecks, known: known.map(({ id }) => id) }, narrowing);
  const parts = { contract, people, common: commonHeaders(run, suiteVersion), unknownToken };
  const redactor = options.redactor ?? redactorOf(settings, whole, parts);
  const startedAt = new Date().toISOString();
  const part = narrow(contract, whole, allChecks, narrowing);
  const kinds = kindsSent(catalogue, claims);
  const reach = { kinds, canSend: whole.canSend };
  const facts = {
    contract,
    settings,
    narrowing,
    run,
    startedAt,
    parts,
    redactor,
    whole,
    allChecks,
    needIntrusive,
    breadth,
    maxLatency: options.maxLatency,
    ...part,
    checks: withinReach(contract, reach, part.checks),
    leftOut: {
      intrusive: withinReach(contract, reach, needIntrusive),
      narrowed: withinReach(
        contract,
        reach,
        allChecks.filter((check) => !part.checks.includes(check)),
      ),
    },
  };
  return { ...facts, ...(options.earlier && { earlier: options.earlier }) };
}

/** A redactor for all variables, for every token of the plan (including derived ones), and for the unknown person. */
function redactorOf(settings: Settings, whole: Plan, { people }: RequestParts): Redactor {
  const redactor = redactorFor(settings);
  for (const { credential } of whole.credentials) redactor.add(credential.recipe, credential.token);
  redactor.add('an unknown person', people.nobody);
  return redactor;
}
