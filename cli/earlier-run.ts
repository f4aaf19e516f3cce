import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { configurationError, isConfigurationError } from '../harness/contract/configuration-error.ts';
import { visible } from '../harness/contract/visible-text.ts';
import type { EarlierRun } from '../harness/record/exchange.ts';
import { decidesNothing } from '../harness/report/decided-pairs.ts';
import { readReport } from '../harness/report/read-whole-report.ts';
import { earlierRun } from '../harness/report/since.ts';
import type { Settings } from '../harness/settings/settings.ts';

/** The earlier run to compare with, or why there is none although there is a report. */
export interface FoundEarlier {
  readonly earlier?: EarlierRun;
  readonly note?: string;
}

/**
 * Finds the earlier run: the report that `--since` names, or else the one that is still in the report folder. The latter
 * counts only if it is about the same target.
 * @throws a configuration error if `--since` names no report, or one that decided nothing.
 */
export function findEarlier(
  since: string | undefined,
  { reportDir, baseUrl, trusted }: Pick<Settings, 'reportDir' | 'baseUrl' | 'trusted'>,
): FoundEarlier {
  if (since !== undefined) {
    const report = readReport(since);
    if (!decidesNothing(report)) return { earlier: earlierRun(report) };
    throw configurationError(`--since ${visible(since)} is the report of a run that decided nothing; name another one`);
  }
  const file = join(reportDir, 'report.json');
  if (!existsSync(file)) return {};
  try {
    const report = readReport(file);
    if (decidesNothing(report)) return { note: 'not compared with the run before, which decided nothing' };
    const isSame = trusted ? report.embedded : !report.embedded && report.target === baseUrl;
    if (isSame) return { earlier: earlierRun(report) };
    return { note: visible(`not compared with ${file}, which is about ${report.target}`) };
  } catch (error) {
    // An unreadable report of an earlier run must not keep this one from running.
    if (isConfigurationError(error)) return { note: visible(`not compared with the run before: ${error.message}`) };
    throw error;
  }
}
