import { randomBytes } from 'node:crypto';
import { type Check, checksFor } from '../checks/check.ts';
import type { RunFacts } from '../judge/run-facts.ts';
import { createCredentials } from '../plan/credentials.ts';
import { type CasesAt, expandOnce } from '../plan/expand.ts';
import { makePlan } from '../plan/make-plan.ts';
import { narrow } from '../plan/narrow.ts';
import { type Narrowing, WHOLE } from '../plan/narrowing.ts';
import { peopleOf } from '../plan/people.ts';
import type { Plan } from '../plan/plan.ts';
import { refuseNarrowing } from '../plan/refuse-narrowing.ts';
import { commonHeaders, type RequestParts } from '../plan/request.ts';
import { type Redactor, redactorFor } from '../record/redact.ts';
import { suiteVersion } from '../record/suite-version.ts';
import type { Settings } from '../settings/settings.ts';

export interface PlanOptions {
  /** The hand-written checks, in order; those that are intrusive are left out of a run that is not. */
  readonly checks?: readonly Check[];
  readonly intrusive?: boolean;
  readonly narrowing?: Narrowing;
  /** The cases of each depth, where they were expanded before. */
  readonly casesAt?: CasesAt;
}
/** A run that is planned. Nothing was sent yet. */
export interface PlannedRun extends RunFacts {
  readonly settings: Settings;
  /** The plan of the whole run, whatever narrows this one. A check chooses among all of its cases and tokens. */
  readonly whole: Plan;
  /** The hand-written checks that it takes. */
  readonly checks: readonly Check[];
  /** Those of the whole run. */
  readonly allChecks: readonly Check[];
}

/** @throws a configuration error for a narrowing that names nothing. */
export function planRun(settings: Settings, options: PlanOptions): PlannedRun {
  const { catalogue, variables, minted, depth, claims } = settings;
  const { contract } = catalogue;
  const { intrusive = settings.loopback, narrowing = WHOLE, casesAt = expandOnce(contract) } = options;
  const run = randomBytes(4).toString('hex');
  const unknownToken = randomBytes(32).toString('base64url');
  const people = peopleOf(variables, run);
  const credentials = createCredentials({ catalogue, variables, minted, unknownToken });
  const whole = makePlan({ catalogue, casesAt, depth, claims, credentials, people });
  const known = checksFor(contract, settings, options.checks ?? []);
  const allChecks = known.filter((check) => intrusive || !check.intrusive);
  refuseNarrowing(contract, { plan: whole, checks: allChecks, known: known.map(({ id }) => id) }, narrowing);
  const parts = { contract, people, common: commonHeaders(run, suiteVersion), unknownToken };
  const redactor = redactorOf(settings, whole, parts);
  const startedAt = new Date().toISOString();
  const part = narrow(contract, whole, allChecks, narrowing);
  return { contract, settings, narrowing, run, startedAt, parts, redactor, whole, allChecks, ...part };
}

/** Knows every token that the run may send, also those made from others, and the person whom nobody knows. */
function redactorOf(settings: Settings, whole: Plan, { people }: RequestParts): Redactor {
  const redactor = redactorFor(settings);
  const tokens = new Map([...whole.cases.values()].map(({ credential }) => [credential?.recipe, credential]));
  for (const credential of tokens.values()) if (credential) redactor.add(credential.recipe, credential.token);
  redactor.add('an unknown person', people.nobody);
  return redactor;
}
