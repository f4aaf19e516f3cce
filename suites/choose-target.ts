import { startEmbeddedTarget } from '../fixtures/embedded/embedded-target.ts';
import { mintTokens } from '../harness/commands/mint-tokens.ts';
import type { CasesAt } from '../harness/plan/expand.ts';
import type { Catalogue } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { embeddedSettings, nothingSet, readSettings } from '../harness/settings/read-settings.ts';
import type { Settings, Sources } from '../harness/settings/settings.ts';

/** The settings for the target of a run. `close` stops the embedded service if it was started. */
export interface ChosenTarget {
  readonly settings: Settings;
  close(): Promise<void>;
}

/** Chooses the configured target, or starts the embedded service if no variable is set or `embedded` is. */
export async function chooseTarget(
  catalogue: Catalogue,
  casesAt: CasesAt,
  flags: Pick<Sources, 'flags' | 'insecure'> & { embedded?: boolean } = {},
): Promise<ChosenTarget> {
  const sources: Sources = { environment: process.env, dotenv: readDotenvFile('.env'), now: Date.now(), ...flags };
  if (!flags.embedded && !nothingSet(catalogue, sources)) {
    const settings = readSettings(catalogue, sources);
    return { settings: { ...settings, minted: await mintTokens(settings, casesAt) }, close: async () => undefined };
  }
  // The settings need the variables of the started target. If they are wrong, the target must not stay running.
  const { env, close } = await startEmbeddedTarget();
  try {
    return { settings: embeddedSettings(catalogue, env, sources), close };
  } catch (error) {
    await close();
    throw error;
  }
}
