import { existsSync } from 'node:fs';
import { readAdministrationAnswer } from '../harness/commands/administration.ts';
import { mintTokens, type ShowMinting } from '../harness/commands/mint-tokens.ts';
import { configurationError } from '../harness/contract/configuration-error.ts';
import { type Depth, ownContractOf } from '../harness/contract/contract.ts';
import { calledAs, isBundle, packageFolder } from '../harness/contract/package-files.ts';
import type { CasesAt } from '../harness/plan/expand.ts';
import { type Narrowing, WHOLE } from '../harness/plan/narrowing.ts';
import { networkTransport, type Transport, type TransportInput } from '../harness/send/transport.ts';
import type { Catalogue } from '../harness/settings/catalogue.ts';
import { readDotenvFile } from '../harness/settings/read-dotenv.ts';
import { embeddedSettings, namesNoTarget, readSettings } from '../harness/settings/read-settings.ts';
import type { Settings, Sources } from '../harness/settings/settings.ts';
import { loadEmbedded } from './reference.ts';

/** The target of a run. `close` stops the embedded service if it was started. */
export interface ChosenTarget {
  readonly settings: Settings;
  /** How requests reach the embedded service. */
  readonly transport?: (input: TransportInput) => Transport;
  /** The settings with tokens that TOKEN_COMMAND makes now, for a run that begins later than others. */
  renew(narrowing: Narrowing, depth?: Depth): Promise<Settings>;
  close(): Promise<void>;
}

interface ChoosingOptions extends Partial<Sources> {
  readonly embedded?: boolean;
  readonly showMinting?: ShowMinting;
  readonly narrowing?: Narrowing;
}

/**
 * Whether the target is the embedded service: with `--embedded`, or if no variable names another one.
 * The service keeps no other contract than ours.
 * @throws a configuration error if no variable names a target, and the suite is an installed package or there is a `.env`.
 * Somebody who installs the suite or writes a `.env` tests their own implementation: an empty file must not look like success.
 */
export function choosesEmbedded(catalogue: Catalogue, sources: Sources, embedded = false): boolean {
  const own = ownContractOf(catalogue.contract);
  if (own !== undefined) {
    if (!embedded) return false;
    throw configurationError(
      `the embedded reference service keeps the client API, and not ${own}: set TARGET_BASE_URL`,
    );
  }
  if (embedded) return true;
  if (!namesNoTarget(catalogue, sources)) return false;
  if (existsSync('.env'))
    throw configurationError(
      '.env names no implementation to test: set TARGET_BASE_URL in it, remove the file, or pass --embedded to test the reference service',
    );
  if (!isInstalled()) return true;
  throw configurationError(
    `no variable names an implementation to test: set TARGET_BASE_URL (${calledAs} init writes a .env to fill in), or pass --embedded to test the reference service`,
  );
}

/** Whether somebody installed the suite, or took the one file. A clone tests the reference service if nothing else is named. */
function isInstalled(): boolean {
  return isBundle || /[\\/]node_modules[\\/]/.test(packageFolder);
}

/** Chooses the configured target, or starts the embedded service (`choosesEmbedded`). */
export async function chooseTarget(
  catalogue: Catalogue,
  casesAt: CasesAt,
  { embedded, showMinting: show, narrowing = WHOLE, ...given }: ChoosingOptions = {},
): Promise<ChosenTarget> {
  const sources: Sources = {
    environment: process.env,
    now: Date.now(),
    ...(given.dotenv === undefined ? readDotenvFile('.env') : { dotenv: given.dotenv }),
    ...given,
  };
  if (!choosesEmbedded(catalogue, sources, embedded)) {
    const settings = readSettings(catalogue, sources);
    const renew = async (narrowed: Narrowing, depth = settings.depth) => ({
      ...settings,
      minted: await mintTokens({ ...settings, depth }, casesAt, { show, narrowing: narrowed }),
    });
    return { settings: await renew(narrowing), renew, close: async () => undefined };
  }
  // The settings need the variables of the started target. If they are wrong, the target must not stay running.
  const { startEmbeddedTarget } = await loadEmbedded();
  const { env, administer, close } = await startEmbeddedTarget();
  // Its ADMINISTRATION_COMMAND would start a process for each request.
  const transport = (input: TransportInput) =>
    networkTransport(input, async (request) => readAdministrationAnswer(await administer(request)));
  try {
    const settings = embeddedSettings(catalogue, env, sources);
    return { settings, renew: async () => settings, transport, close };
  } catch (error) {
    await close();
    throw error;
  }
}
