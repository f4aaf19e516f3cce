import { CAPABILITIES, type Capability } from '../contract/check-row.ts';
import { didYouMean } from '../contract/configuration-error.ts';
import { neededScopes, readHolding } from '../contract/holdings.ts';
import type { Catalogue } from './catalogue.ts';
import { quoted } from './parse-values.ts';
import { givenName, type Variable } from './variables.ts';

/** What the target claims to implement. A complete run decides everything that is claimed. */
export interface Claims {
  readonly kinds: readonly string[];
  readonly capabilities: readonly Capability[];
  /** Whether the claims follow from the variables that are set, because CONFORMANCE_CLAIMS is not. */
  readonly inferred: boolean;
}

/** The claims in the form of CONFORMANCE_CLAIMS: `user global scopes`. */
export function claimsInWords({
  kinds,
  capabilities,
}: Readonly<Record<'kinds' | 'capabilities', readonly string[]>>): string {
  return [...kinds.map((kind) => kind.toLowerCase()), ...capabilities].join(' ');
}

export function basisOfClaims({ inferred }: Claims): string {
  return inferred ? 'inferred from the variables that are set' : 'as CONFORMANCE_CLAIMS states';
}

/** The kinds that cases can have: the claimed ones, and those without a token of their own. */
export function kindsSent({ kinds, contract }: Catalogue, claims: Claims): string[] {
  return Object.keys(contract.matrix.kinds).filter((kind) => !kinds.includes(kind) || claims.kinds.includes(kind));
}

/** Reads CONFORMANCE_CLAIMS. If it is not set, infers the claims from the variables that are set (outcomes 5). */
export function readClaims(catalogue: Catalogue, variables: ReadonlyMap<string, Variable>, problems: string[]): Claims {
  const { kinds } = catalogue;
  const given = givenName('CONFORMANCE_CLAIMS', variables);
  const stated = variables.get('CONFORMANCE_CLAIMS')?.value;
  if (stated === undefined || stated.trim() === '') return infer(catalogue, variables, problems);
  const names = stated
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const capabilities = CAPABILITIES.filter((capability) => catalogue.contract.has.includes(capability));
  const known = [...kinds.map((kind) => kind.toLowerCase()), ...capabilities];
  const unknown = names.filter((name) => !known.includes(name));
  for (const name of unknown)
    problems.push(
      `${given} names ${quoted(name)}, which is not a kind or capability${didYouMean(name, known) || `; wanted ${known.join(', ')}`}`,
    );
  const claimed = kinds.filter((kind) => names.includes(kind.toLowerCase()));
  if (claimed.length === 0 && unknown.length === 0)
    problems.push(`${given} names no kind of token; name at least one of ${known.slice(0, kinds.length).join(', ')}`);
  return {
    kinds: claimed,
    capabilities: capabilities.filter((capability) => names.includes(capability)),
    inferred: false,
  };
}

const SHOWN_BY: Readonly<Record<Exclude<Capability, 'scopes'>, string>> = {
  administration: 'ADMINISTRATION_COMMAND',
  'authorization-server': 'AUTHORIZATION_SERVER_ISSUER',
  mcp: 'MCP_URL',
};

function infer(catalogue: Catalogue, variables: ReadonlyMap<string, Variable>, problems: string[]): Claims {
  const { contract } = catalogue;
  const tokens = catalogue.tokens.filter(({ name }) => variables.has(name));
  const kinds = catalogue.kinds.filter((kind) => variables.has(`${kind}_TOKEN`));
  const otherScopes = tokens.filter(
    ({ kind, holding }) =>
      contract.matrix.kinds[kind]?.family === 'service' &&
      holding.startsWith('only:') &&
      !neededScopes(contract).has(readHolding(holding).name),
  );
  const [first] = tokens;
  if (kinds.length === 0 && first)
    problems.push(
      `${first.name} is set, but no token with every scope; set ${first.kind}_TOKEN, or list what is claimed in CONFORMANCE_CLAIMS`,
    );
  else if (kinds.length === 0 && variables.has('TOKEN_COMMAND'))
    problems.push('TOKEN_COMMAND is set, but nothing is claimed; list the kinds that it makes in CONFORMANCE_CLAIMS');
  const isInferred = (capability: Capability): boolean =>
    capability === 'scopes' ? otherScopes.length > 0 : variables.has(SHOWN_BY[capability]);
  return { kinds, capabilities: CAPABILITIES.filter(isInferred), inferred: true };
}
