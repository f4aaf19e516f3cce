import type { CheckRun } from '../../harness/checks/check.ts';
import { imaginedTarget } from '../../harness/preview/imagined-target.ts';
import type { Decision } from '../../harness/record/exchange.ts';
import { noJournal } from '../../harness/record/journal.ts';
import { startSession } from '../../harness/run/start-session.ts';
import type { Transport } from '../../harness/send/transport.ts';
import type { Settings } from '../../harness/settings/settings.ts';
import { casesAt } from '../../harness/testing/contract.ts';
import { checkOf } from './checks.ts';

/** What these checks decide of an imagined target. @param replace replaces pieces of it. */
export async function runImagined(
  settings: Settings,
  runs: readonly CheckRun[],
  replace: (right: Transport) => Partial<Transport>,
) {
  const session = startSession(settings, {
    ...{ casesAt, checks: runs.map(checkOf), journal: noJournal },
    transport(input) {
      const right = imaginedTarget(input);
      return { ...right, ...replace(right) };
    },
  });
  const decisions: Decision[] = [];
  for (const check of session.checks) decisions.push(...(await session.runCheck(check)));
  await session.close();
  return { session, decisions };
}
