import { startEmbeddedTarget } from '../fixtures/embedded-target.ts';
import type { Contract } from '../harness/contract.ts';
import { readDotenvFile } from '../harness/dotenv-file.ts';
import { embeddedSettings, nothingSet, readSettings } from '../harness/read-settings.ts';
import type { Settings, Sources } from '../harness/settings.ts';
import { mintTokens } from '../harness/token-command.ts';

/** What a run tests, and how to end it. */
export interface ChosenTarget {
  readonly settings: Settings;
  close(): Promise<void>;
}

/** The configured implementation, or the embedded reference service when nothing is set or it is asked for. */
export async function chooseTarget(
  contract: Contract,
  flags: Pick<Sources, 'flags' | 'insecure'> & { embedded?: boolean } = {},
): Promise<ChosenTarget> {
  const sources: Sources = { environment: process.env, dotenv: readDotenvFile('.env'), now: Date.now(), ...flags };
  if (!flags.embedded && !nothingSet(contract, sources)) {
    const settings = readSettings(contract, sources);
    return { settings: { ...settings, minted: await mintTokens(contract, settings) }, close: async () => undefined };
  }
  // A wrong setting must not wait for the target to start, nor be hidden by it.
  const { env, close } = await startEmbeddedTarget();
  try {
    return { settings: embeddedSettings(contract, env, sources), close };
  } catch (error) {
    await close();
    throw error;
  }
}
