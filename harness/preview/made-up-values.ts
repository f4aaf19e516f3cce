import { createHash } from 'node:crypto';
import { mintable } from '../commands/mint-tokens.ts';
import type { CasesAt } from '../plan/expand.ts';
import type { Catalogue } from '../settings/catalogue.ts';
import type { Settings } from '../settings/settings.ts';
import { SETTING_VARIABLES } from '../settings/variables.ts';

/** A plausible value for a variable that is not set, for a rehearsal. The same name always gives the same value. */
export function madeUp(name: string): string {
  const digest = createHash('sha256').update(name).digest('base64url');
  if (name === 'TARGET_BASE_URL') return 'http://127.0.0.1:9';
  if (name === 'MCP_URL') return 'http://127.0.0.1:9/mcp';
  if (name === 'AUTHORIZATION_SERVER_ISSUER') return 'http://127.0.0.1:9/issuer';
  return /_EMAIL$/.test(name) && !/_TOKEN_/.test(name) ? `${digest.slice(0, 12).toLowerCase()}@people.example` : digest;
}

/** A plausible value for each of these variables. */
export function madeUpValues(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, madeUp(name)]));
}

/** Every variable that describes a target, each made up. */
export function everyVariable({ names }: Catalogue): Readonly<Record<string, string>> {
  const others: readonly string[] = ['TOKEN_COMMAND', ...SETTING_VARIABLES];
  return madeUpValues(names.filter((name) => !others.includes(name)));
}

/** The settings with these variables added. A variable that is not set is made up. */
export function withVariables(settings: Settings, names: readonly string[]): Settings {
  const missing = names.filter((name) => !settings.variables.has(name));
  const added = missing.map((name) => [name, { value: madeUp(name), origin: '.env' }] as const);
  return { ...settings, variables: new Map([...settings.variables, ...added]) };
}

/** The settings with a made-up token for everything that TOKEN_COMMAND would be asked for. The command does not run. */
export function withTokensToMint(settings: Settings, casesAt: CasesAt): Settings {
  if (!settings.variables.has('TOKEN_COMMAND')) return settings;
  const minted = mintable(settings, casesAt).map(({ key }) => [key, { token: madeUp(key) }] as const);
  return { ...settings, minted: new Map(minted) };
}
