import { withArticle } from '../contract/amounts.ts';
import { given } from '../contract/collections.ts';
import { ACT_AS, type Contract } from '../contract/contract.ts';
import { covers, neededScopes, readHolding } from '../contract/holdings.ts';
import { isPerson } from '../contract/people.ts';
import { readAsset } from '../contract/yaml-file.ts';
import type { Catalogue, TokenVariable } from './catalogue.ts';

interface Meanings {
  /** What each setting means, and an example: the default value if there is one. */
  readonly settings: Readonly<Record<string, { readonly means: string; readonly example: string }>>;
  readonly others: Readonly<Record<string, string>>;
  /** People of a contract that somebody wrote, by their owner, and as they are called where tokens can act as somebody. */
  readonly people: Readonly<Record<string, string>>;
}
const { settings, others, people } = readAsset<Meanings>(import.meta.url, 'variables');

/** A setting as the lines of a `.env`: what it means, and an example that is commented out. */
export function settingLines(name: string): readonly string[] {
  const { means = '', example = '' } = settings[name] ?? {};
  return [`# ${means}`, `# ${name}=${example}`];
}

/** What a variable means that is no token of the client API. */
export function meaningOf(contract: Contract, name: string): string {
  if (settings[name]) return settings[name].means;
  const isDerived = Object.values(contract.matrix.kinds).some(({ made }) => made !== undefined);
  if (isDerived && isPerson(contract, name)) return meaningOfPerson(contract, name);
  for (const [pattern, means] of Object.entries(others)) {
    const suffix = pattern.replace('*', '');
    if (pattern === name || (pattern !== suffix && name.endsWith(suffix)))
      return means.replaceAll('*', name.slice(0, -suffix.length));
  }
  throw new Error(`assets/variables.yaml does not say what ${name} means`);
}

function meaningOfPerson({ people: { suffix }, headers }: Contract, name: string): string {
  const owner = name.slice(0, -suffix.length - 1);
  const beside = headers.includes(ACT_AS) ? people[`${owner} beside ACT_AS`] : undefined;
  const means = beside ?? people[owner] ?? people['*'] ?? '';
  return means.replaceAll('*', owner).replaceAll('{suffix}', suffix).replaceAll('{name}', suffix.toLowerCase());
}

/** How to make a token: what to choose in the admin console, or what to request from an authorization server. */
export function howToMake(contract: Contract, token: TokenVariable): string {
  const { kind, validity, holding } = token;
  const { family, made } = contract.matrix.kinds[kind] ?? {};
  if (made !== undefined) return [made, ...differencesOf(contract, token)].join('; ');
  if (family === 'service') {
    const owner = kind === 'USER' ? '; User Email: the address in USER_EMAIL' : '';
    const scopes = scopesIn(contract, holding);
    return `admin console, new token (Permissions: ${kind}; Scopes: ${scopes}; Expires: ${expiryOf(validity)}${owner})`;
  }
  const issuer = family === 'own' ? "the service's own authorization server" : withArticle(`${kind} identity provider`);
  const audience = validity === 'foreign' ? ', for another client or audience' : '';
  const expiry = validity === 'expired' ? ', expired' : '';
  return `access token from ${issuer}${audience}, ${permissionIn(contract, holding)}${expiry}`;
}

/** How a token differs from the one with every scope. */
function differencesOf(contract: Contract, { validity, holding }: TokenVariable): readonly string[] {
  return given([
    holding !== 'all' && `scopes: ${scopesIn(contract, holding)}`,
    validity !== 'valid' && (contract.matrix.dimensions.validity[validity] ?? validity),
  ]);
}

function scopesIn(contract: Contract, holding: string): string {
  const { form, name } = readHolding(holding);
  switch (form) {
    case 'only':
      return `only ${name}`;
    case 'all-but':
      return `all except ${name}`;
    case 'none':
      return `any except ${[...neededScopes(contract)].join(' and ')}`;
    default:
      return `all ${contract.matrix.scopes.length}`;
  }
}

/** What an OAuth token permits. An identity provider has permissions of its own, so only the operations count. */
function permissionIn(contract: Contract, holding: string): string {
  const scopes = [...neededScopes(contract)];
  const permitted = scopes.filter((scope) => covers(contract, holding, [scope]));
  if (permitted.length === scopes.length) return `with permission for ${scopes.join(' and ')}`;
  if (permitted.length > 0) return `with permission for ${permitted.join(' and ')} only`;
  return `that identifies its user, without permission for ${scopes.join(' or ')}`;
}

function expiryOf(validity: string): string {
  if (validity === 'expired')
    return 'a date before the run, best the last one; a console that takes no past date: today, and run tomorrow';
  return validity === 'future-expiry' ? 'a date in the future' : 'not set';
}

export function variableMeanings(catalogue: Catalogue): readonly { readonly name: string; readonly means: string }[] {
  const tokens = new Map(catalogue.tokens.map((token) => [token.name, token]));
  return catalogue.names.map((name) => {
    const token = tokens.get(name);
    return { name, means: token ? howToMake(catalogue.contract, token) : meaningOf(catalogue.contract, name) };
  });
}
