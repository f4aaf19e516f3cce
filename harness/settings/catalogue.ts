import { groupedBy } from '../contract/collections.ts';
import type { Contract } from '../contract/contract.ts';
import { formOf, neededScopes, scopeInName } from '../contract/holdings.ts';
import { PEOPLE, personVariable } from '../contract/people.ts';
import { COMMAND_VARIABLES, MARKER_VARIABLES, SETTING_VARIABLES } from './variables.ts';

/** What a token is used for: its kind, its validity and its holding. */
export interface TokenUse {
  readonly kind: string;
  readonly validity: string;
  readonly holding: string;
}
export interface TokenVariable extends TokenUse {
  readonly name: string;
}

/** The variables of the suite. They follow from the contract; a command makes the catalogue once and passes it on. */
export interface Catalogue {
  readonly contract: Contract;
  /** The kinds that have tokens, in the order of matrix.yaml. */
  readonly kinds: readonly string[];
  readonly tokens: readonly TokenVariable[];
  /** Every variable of the suite, in the order in which it lists them. */
  readonly names: readonly string[];
  /** The variable that supplies a token; undefined if only TOKEN_COMMAND can supply it. */
  supplying(use: TokenUse): string | undefined;
  /** The token variables that a claimed kind needs, so that everything claimed can be decided (outcomes 5). */
  required(kind: string, scopesClaimed: boolean): readonly string[];
}

export function catalogueOf(contract: Contract): Catalogue {
  const { kinds: definitions } = contract.matrix;
  const kinds = Object.keys(definitions).filter((kind) => definitions[kind]?.validities !== undefined);
  const tokens = kinds.flatMap((kind) => tokensOf(contract, kind));
  // A plan asks for each of thousands of cases.
  const [required, requiredForScopes] = [false, true].map((scopesClaimed) =>
    groupedBy(
      tokens.filter((token) => isRequired(contract, token, scopesClaimed)),
      ({ kind }) => kind,
    ),
  );
  const suppliers = new Map(tokens.map((token) => [tokenKey(token), token.name]));
  return {
    contract,
    kinds,
    tokens,
    names: [
      'TARGET_BASE_URL',
      ...tokens.map(({ name }) => name),
      ...new Set([...PEOPLE, ...kinds].map((owner) => personVariable(contract, owner))),
      ...(contract.has.includes('private-words') ? MARKER_VARIABLES : []),
      ...COMMAND_VARIABLES.filter((name) => name === 'TOKEN_COMMAND' || contract.has.includes('administration')),
      ...(contract.has.includes('authorization-server') ? ['AUTHORIZATION_SERVER_ISSUER'] : []),
      ...(contract.has.includes('mcp') ? ['MCP_URL'] : []),
      ...mcpTokens(contract).map(({ name }) => name),
      ...SETTING_VARIABLES,
    ],
    supplying: (use) => suppliers.get(tokenKey(use)),
    required: (kind, scopesClaimed) =>
      ((scopesClaimed ? requiredForScopes : required)?.get(kind) ?? []).map(({ name }) => name),
  };
}

/** A variable that supplies an OAuth token whose audience is the remote MCP server. */
interface McpTokenVariable {
  readonly name: string;
  readonly kind: string;
  readonly state: 'valid' | 'expired' | 'without MCP' | 'only MCP';
}

/** Service-issued tokens have no audience. So only OAuth tokens for the remote MCP server have variables of their own. */
export function mcpTokens({ matrix, has }: Pick<Contract, 'matrix' | 'has'>): readonly McpTokenVariable[] {
  return Object.entries(matrix.kinds)
    .filter(([, { family }]) => has.includes('mcp') && (family === 'own' || family === 'external'))
    .flatMap(([kind]) => [
      { name: `${kind}_MCP_TOKEN`, kind, state: 'valid' },
      { name: `${kind}_MCP_TOKEN_UNSCOPED`, kind, state: 'without MCP' },
      { name: `${kind}_MCP_TOKEN_MCP`, kind, state: 'only MCP' },
      { name: `${kind}_MCP_TOKEN_EXPIRED`, kind, state: 'expired' },
    ]);
}

/** The key of a use. Equal uses have the same key. */
export function tokenKey({ kind, validity, holding }: TokenUse): string {
  return `${kind} ${validity} ${holding}`;
}

/** `<KIND>_TOKEN` is the token with every scope. A suffix says what is different about another token. */
function tokensOf(contract: Contract, kind: string): readonly TokenVariable[] {
  const { matrix } = contract;
  const { validities = [], holdings = [], never = {} } = matrix.kinds[kind] ?? {};
  const token = (suffix: string, validity: string, holding: string): TokenVariable => ({
    name: `${kind}_TOKEN${suffix}`,
    kind,
    validity,
    holding,
  });
  return [
    token('', 'valid', 'all'),
    ...matrix.scopes.map((scope) => token(`_${scopeInName(scope)}`, 'valid', `only:${scope}`)),
    ...[...neededScopes(contract)].map((scope) => token(`_ALL_BUT_${scopeInName(scope)}`, 'valid', `all-but:${scope}`)),
    token('_UNSCOPED', 'valid', 'none'),
    token('_EXPIRED', 'expired', 'all'),
    token('_EXPIRED_UNSCOPED', 'expired', 'none'),
    token('_FUTURE_EXPIRY', 'future-expiry', 'all'),
    token('_FOREIGN', 'foreign', 'all'),
  ].filter(
    ({ validity, holding }) =>
      validities.includes(validity) &&
      holdings.includes(formOf(holding)) &&
      ![validity, holding, formOf(holding)].some((one) => Object.hasOwn(never, one)),
  );
}

function isRequired(contract: Contract, token: TokenVariable, scopesClaimed: boolean): boolean {
  const { kind, validity, holding } = token;
  const family = contract.matrix.kinds[kind]?.family;
  if (validity === 'valid' && holding === 'all') return true;
  // The tokens of an external provider may have no permissions at all. Then none of them covers no operation.
  if (validity === 'valid' && holding === 'none') return family !== 'external';
  if (validity === 'expired') return holding === 'all';
  if (family !== 'service' || validity !== 'valid') return false;
  return scopesClaimed || [...neededScopes(contract)].some((scope) => holding === `only:${scope}`);
}
