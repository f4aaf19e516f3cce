import { madeUpValues } from '../harness/preview/made-up-values.ts';
import { makePreview } from '../harness/preview/preview.ts';
import { renderPreview } from '../harness/preview/preview-text.ts';
import type { Catalogue } from '../harness/settings/catalogue.ts';
import { embeddedSettings, readSettings } from '../harness/settings/read-settings.ts';
import type { Settings, Sources } from '../harness/settings/settings.ts';
import { checksOf } from '../suites/checks/index.ts';
import { choosesEmbedded } from '../suites/choose-target.ts';
import { loadEmbedded } from '../suites/reference.ts';
import { chosenContract, readDotenv } from './chosen-contract.ts';
import { flagVariables, narrowingOf, type RunFlags } from './run-flags.ts';
import { asJson, colorsFor, print } from './terminal.ts';

/** Flags of `plan`: those flags of `run` that change what is sent, and its own. */
export interface PlanFlags extends RunFlags {
  readonly json?: boolean;
}

/** Prints what a run with the same flags would send and decide. Sends nothing. Returns the exit code. */
export async function planCommand(flags: PlanFlags): Promise<number> {
  const { contract, catalogue } = await chosenContract();
  const settings = await settingsForPreview(catalogue, flags);
  const intrusive = flags.intrusive ?? settings.loopback;
  const plan = await makePreview(settings, { checks: checksOf(contract), intrusive, narrowing: narrowingOf(flags) });
  const colors = colorsFor();
  print(flags.json ? asJson(plan) : renderPreview(plan, colors));
  return 0;
}

/** The settings that a run would have. The embedded target is not started; the values of its variables are made up. */
async function settingsForPreview(catalogue: Catalogue, flags: PlanFlags): Promise<Settings> {
  const sources: Sources = {
    environment: process.env,
    ...readDotenv(),
    now: Date.now(),
    flags: flagVariables(flags),
    insecure: flags.insecure ?? false,
  };
  if (!choosesEmbedded(catalogue, sources, flags.embedded)) return readSettings(catalogue, sources);
  const { embeddedVariables } = await loadEmbedded();
  return embeddedSettings(catalogue, madeUpValues(embeddedVariables), sources);
}
