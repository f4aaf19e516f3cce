import type { Contract } from '../../harness/contract/contract.ts';
import type { JudgedRun } from '../../harness/judge/judge-run.ts';
import { expandOnce } from '../../harness/plan/expand.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { type ReportedVaried, variedIn } from '../../harness/report/not-tried.ts';
import { startSession } from '../../harness/run/start-session.ts';
import { catalogueOf } from '../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../harness/settings/read-settings.ts';
import { checksOf } from '../checks/index.ts';

interface Target {
  readonly env: Readonly<Record<string, string>>;
}
export type JudgedServer = JudgedRun & { readonly varied: readonly ReportedVaried[] };

/** Judges servers by a contract of their own. Their tokens were made for the run. */
export function judgeBy(
  contract: Contract,
): (target: Target, intrusive?: boolean, run?: string) => Promise<JudgedServer> {
  const catalogue = catalogueOf(contract);
  const casesAt = expandOnce(contract);
  return async ({ env }, intrusive = false, run) => {
    const flags = { CONFORMANCE_DEPTH: 'core' };
    const settings = embeddedSettings(catalogue, env, { flags });
    const options = { casesAt, journal: noJournal, checks: checksOf(contract), intrusive, ...(run && { run }) };
    const session = startSession(settings, options);
    await session.sendAll();
    const judged = session.judge();
    await session.close();
    return { ...judged, varied: variedIn(session, judged.decisions) };
  };
}

/** The broken requirements of each cause with this verdict. */
export function blamedIn({ findings }: JudgedRun, wanted: 'fail' | 'warn'): readonly (readonly string[])[] {
  return findings.filter(({ verdict }) => verdict === wanted).map(({ requirements }) => requirements);
}
