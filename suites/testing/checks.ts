import type { Check, CheckRun } from '../../harness/checks/check.ts';
import { contract } from '../../harness/testing/contract.ts';
import { checksOf } from '../checks/index.ts';

export const checks = checksOf(contract);

/** The check that runs this. */
export function checkOf(run: CheckRun): Check {
  const found = checks.find((check) => check.run === run);
  if (!found) throw new Error(`no check runs ${run.name}`);
  return found;
}
