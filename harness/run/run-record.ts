import type { Tampering } from '../plan/credentials.ts';
import type { CheckHead } from '../plan/narrowing.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunRecord } from '../record/exchange.ts';
import { suiteVersion } from '../record/suite-version.ts';
import type { PlannedRun } from './plan-run.ts';

/** The first entry of a journal: everything that is needed to plan the run again, without secrets. Pure. */
export function runRecord(planned: PlannedRun): RunRecord {
  const { contract, settings, narrowing, run, startedAt, redactor, whole, allChecks, needIntrusive, breadth } = planned;
  const { maxLatency } = planned;
  const { variables, minted = new Map(), extraHeaders, depth, claims, trusted } = settings;
  return {
    type: 'run',
    version: suiteVersion,
    run,
    contract: contract.digest,
    startedAt,
    target: redactor.text(settings.baseUrl),
    depth,
    claims,
    trusted,
    narrowing,
    checks: requirementsOf(allChecks),
    needIntrusive: requirementsOf(needIntrusive),
    readsRun: allChecks.flatMap(({ id, readsRun }) => (readsRun ? [id] : [])),
    breadth,
    ...(maxLatency && { maxLatency }),
    extraHeaders: extraHeaders.map(([name]) => name),
    tamperings: tamperingsIn(whole),
    variables: Object.fromEntries([...variables].map(([name, { origin }]) => [name, origin])),
    minted: Object.fromEntries([...minted].map(([key, answer]) => [key, 'token' in answer ? 'token' : answer])),
  };
}

function requirementsOf(checks: readonly CheckHead[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(checks.map(({ id, requirements }) => [id, requirements]));
}

/** How each token was tampered with. `report` has no tokens, so it cannot compute this again. */
function tamperingsIn({ credentials }: Plan): readonly Tampering[] {
  const tamperings = credentials.flatMap(({ credential }) => credential.tampering ?? []);
  return [...new Map(tamperings.map((tampering) => [tampering.from, tampering])).values()];
}
