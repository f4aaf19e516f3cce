import { startEmbeddedTarget } from '../fixtures/embedded/embedded-target.ts';
import { mintTokens } from '../harness/commands/mint-tokens.ts';
import type { CasesAt } from '../harness/plan/expand.ts';
import type { Catalogue } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { embeddedSettings, nothingSet, readSettings } from '../harness/settings/read-settings.ts';
import type { Settings, Sources } from '../harness/settings/settings.ts';

/** What a run tests, and how to end it. */
export interface ChosenTarget {
  readonly settings: Settings;
  close(): Promise<void>;
}

/** The configured implementation, or the embedded reference service when nothing is set or it is asked for. */
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
  // A wrong setting must not wait for the target to start, nor be hidden by it.
  const { env, close } = await startEmbeddedTarget();
  try {
    return { settings: embeddedSettings(catalogue, env, sources), close };
  } catch (error) {
    await close();
    throw error;
  }
}
