import type { Contract, Depth } from '../../../harness/contract/contract.ts';
import { type CasesAt, expandOnce } from '../../../harness/plan/expand.ts';
import { rowFinder } from '../../../harness/plan/strength/documented-rows.ts';
import { type Isolated, isolationOf } from '../../../harness/plan/strength/isolation.ts';
import { madeUp } from '../../../harness/preview/made-up-values.ts';
import { noJournal } from '../../../harness/record/journal.ts';
import { startSession } from '../../../harness/run/start-session.ts';
import { catalogueOf } from '../../../harness/settings/catalogue.ts';
import { embeddedSettings } from '../../../harness/settings/read-settings.ts';
import type { Settings } from '../../../harness/settings/settings.ts';

/** Where faults are drawn: the settings of a run that has every token, and the cases that these tokens allow. */
export interface World {
  readonly contract: Contract;
  readonly settings: (depth: Depth) => Settings;
  readonly casesAt: CasesAt;
  /** Every case that the tokens allow and that isolates a rule. */
  readonly isolated: readonly Isolated[];
  /** The documented rows that a case shows in its operation and kind. */
  readonly rowsOf: (isolated: Isolated) => readonly string[];
}

/** The credentials count as made for the run. Otherwise a token that is always refused could be a wrong token. */
export function worldOf(contract: Contract): World {
  const catalogue = catalogueOf(contract);
  const names = ['TARGET_BASE_URL', ...catalogue.tokens.map(({ name }) => name), 'ACT_AS_EMAIL', 'USER_EMAIL'];
  const variables = Object.fromEntries(names.map((name) => [name, madeUp(name)]));
  const casesAt = expandOnce(contract);
  const settings = (depth: Depth) =>
    embeddedSettings(catalogue, variables, { environment: {}, dotenv: {}, flags: { CONFORMANCE_DEPTH: depth } });
  const { plan } = startSession(settings('full'), { casesAt, journal: noJournal });
  const isolated = plan.groups.flatMap(({ cases }) => cases.flatMap((one) => isolationOf(contract, one) ?? []));
  return { contract, settings, casesAt, isolated, rowsOf: rowFinder(contract) };
}
