import pMap from 'p-map';
import { jsonReply, type Reply, send } from '../../fixtures/plain/answers.ts';
import { mintPlainTokens } from '../../fixtures/plain/mint.ts';
import { type PlainRequest, plainOperations } from '../../fixtures/plain/request.ts';
import { type PlainOptions, startPlainTarget } from '../../fixtures/plain/target.ts';
import type { Check, CheckRun } from '../../harness/checks/check.ts';
import { rehearsalClock } from '../../harness/preview/rehearsal-clock.ts';
import type { Breadth, Decision } from '../../harness/record/exchange.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { createRedactor, noRedactor, type Redactor } from '../../harness/record/redact.ts';
import { startSession } from '../../harness/run/start-session.ts';
import type { Clock } from '../../harness/send/clock.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { casesAt, contract } from '../../harness/testing/contract.ts';
import { checkOf, checks } from './checks.ts';

const catalogue = catalogueOf(contract);
export const tokens = mintPlainTokens(plainOperations);

/** A check, or what it runs. */
type Checked = Check | CheckRun;

/** Runs one check against a target. Returns its decisions and the number of requests. */
export async function runCheck(
  check: Checked,
  target: { readonly env: Record<string, string> },
): Promise<{ decisions: readonly Decision[]; requests: number }> {
  return runChecks([check], target);
}

interface Changes {
  /** All checks at once, as a run does on this machine. By default one after the other. */
  readonly atOnce?: true;
  readonly run?: string;
  readonly breadth?: Breadth;
  readonly clock?: Clock;
  readonly redactor?: Redactor;
}

async function runChecks(
  checks: readonly Checked[],
  target: { readonly env: Record<string, string> },
  { atOnce, ...options }: Changes = {},
): ReturnType<typeof runCheck> {
  const flags = { CONFORMANCE_DEPTH: 'core' };
  const settings = embeddedSettings(catalogue, target.env, { flags });
  // What a check decides does not depend on what is masked, and thousands of runs mask for seconds.
  const session = startSession(settings, { journal: noJournal, casesAt, redactor: noRedactor, ...options });
  try {
    const run = (one: Checked) => session.runCheck(typeof one === 'function' ? checkOf(one) : one);
    const decided = await pMap(checks, run, { concurrency: atOnce ? checks.length : 1 });
    const decisions = decided.flat();
    refuseStrays(decisions);
    return { decisions, requests: session.sender.exchanges.length };
  } finally {
    await session.close();
  }
}

/** A run asks for the requirements of a check by its row, so that a check decides no other one. */
function refuseStrays(decisions: readonly Decision[]): void {
  for (const { check, requirement } of decisions)
    if (checks.find(({ id }) => id === check)?.requirements.includes(requirement) === false)
      throw new Error(`checks.yaml: ${check} decides ${requirement}, which its row does not name`);
}

/** Runs one check against the plain target, with pieces replaced and variables added. The id of the run is its seed. */
export async function runOnPlain(
  check: Checked,
  options: PlainOptions = {},
  env: Readonly<Record<string, string>> = {},
  run?: string,
): ReturnType<typeof runCheck> {
  return runChecksOnPlain([check], options, env, run);
}

/** What several checks decide that run at once, with so many requests at the same time. */
export async function atOnceOnPlain(checks: readonly Checked[], concurrency: number): Promise<readonly Decision[]> {
  const env = { CONFORMANCE_CONCURRENCY: String(concurrency) };
  return (await checksOnPlain(checks, { options: {}, env, atOnce: true })).decisions;
}

/** What a check decides, as a run shows it: without what a target gave that may be a secret. */
export async function shownOnPlain(check: Checked, options: PlainOptions): Promise<readonly Decision[]> {
  return (await checksOnPlain([check], { options, env: {}, redactor: createRedactor() })).decisions;
}

/** The same for several checks of one run, in this order. */
export async function runChecksOnPlain(
  checks: readonly Checked[],
  options: PlainOptions = {},
  env: Readonly<Record<string, string>> = {},
  run?: string,
): ReturnType<typeof runCheck> {
  return checksOnPlain(checks, { options, env, ...(run !== undefined && { run }) });
}

interface OnPlain extends Changes {
  readonly options: PlainOptions;
  readonly env: Readonly<Record<string, string>>;
}

async function checksOnPlain(checks: readonly Checked[], { options, env, ...changes }: OnPlain) {
  const target = await startPlainTarget({ tokens, ...options });
  try {
    return await runChecks(checks, { env: { ...target.env, ...env } }, changes);
  } finally {
    await target.close();
  }
}

/** What these checks decide of the plain target if they try only the most telling ways, as on another machine. */
export async function tellingOnPlain(
  checks: readonly Checked[],
  options: PlainOptions = {},
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Decision[]> {
  return (await checksOnPlain(checks, { ...timeless(options), env, breadth: 'telling' })).decisions;
}

/** The target and the run share a clock on which no pause takes time. */
function timeless(options: PlainOptions): { readonly options: PlainOptions; readonly clock: Clock } {
  const [clock, begunAt] = [rehearsalClock(), Date.now()];
  return { options: { clock: () => begunAt + clock.now(), ...options }, clock };
}

/** What a check decides of the plain target if no pause takes time. */
export async function withoutPauses(
  check: Checked,
  options: PlainOptions = {},
  env: Readonly<Record<string, string>> = {},
): Promise<readonly Decision[]> {
  return (await checksOnPlain([check], { ...timeless(options), env })).decisions;
}

/** The requirements that a check blames the plain target for, and its details and curl lines. */
export async function blameOnPlain(check: Checked, options: PlainOptions): Promise<{ blamed: string[]; why: string }> {
  const failed = (await withoutPauses(check, options)).filter(
    ({ verdict }) => verdict === 'fail' || verdict === 'warn',
  );
  const why = failed.map(({ detail, curl }) => `${detail}\n${curl}`).join('\n');
  return { blamed: [...new Set(failed.map(({ requirement }) => requirement))].sort(), why };
}

/** The plain target with changed answers to the first `times` requests that `where` selects. */
export function answering(
  where: (request: PlainRequest) => boolean,
  change: (reply: Reply) => Reply,
  times: number = Number.POSITIVE_INFINITY,
): PlainOptions {
  let left = times;
  return {
    send: (reply, response, request) => {
      const isChanged = left > 0 && where(request);
      if (isChanged) left -= 1;
      return send(isChanged ? change(reply) : reply, response);
    },
  };
}

/** An empty JSON object with this status. `Retry-After: 0` keeps retries of a gateway error from waiting. */
export const saying = (status: number) => (): Reply => jsonReply({ status, body: {}, headers: { 'Retry-After': '0' } });
