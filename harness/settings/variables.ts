import type { Contract } from '../contract/contract.ts';

/** Where a variable's value came from. */
export const ORIGINS = ['flag', 'environment', '.env', 'embedded target'] as const;
export type Origin = (typeof ORIGINS)[number];
export interface Variable {
  readonly value: string;
  readonly origin: Origin;
}

/** Suffixes of `<KIND>_TOKEN` that name a token other than the full one, with what they hold. */
export interface TokenVariable {
  readonly name: string;
  readonly kind: string;
  readonly validity: string;
  readonly holding: string;
}

export const CAPABILITIES = ['scopes', 'administration', 'authorization-server'] as const;
export type Capability = (typeof CAPABILITIES)[number];

export const SETTING_VARIABLES = [
  'CONFORMANCE_CLAIMS',
  'CONFORMANCE_DEPTH',
  'CONFORMANCE_RATE',
  'CONFORMANCE_CONCURRENCY',
  'CONFORMANCE_TIMEOUT_MS',
  'CONFORMANCE_CHAT_TIMEOUT_MS',
  'CONFORMANCE_CHAT_BUDGET',
  'CONFORMANCE_EXTRA_HEADERS',
  'CONFORMANCE_REPORT_DIR',
] as const;
const PEOPLE_VARIABLES = ['ACT_AS_EMAIL', 'USER_EMAIL', 'UNKNOWN_EMAIL'] as const;
export const MARKER_VARIABLES = [
  'ACT_AS_PRIVATE_QUERY',
  'ACT_AS_PRIVATE_MARKER',
  'USER_PRIVATE_QUERY',
  'USER_PRIVATE_MARKER',
] as const;

/** Commands that the operator supplies: one mints tokens, the other administers them as the console does. */
export const COMMAND_VARIABLES = ['TOKEN_COMMAND', 'ADMINISTRATION_COMMAND'] as const;

/** The kinds that carry a token of their own, in the order of matrix.yaml. */
export function tokenKinds({ matrix }: Contract): readonly string[] {
  return Object.keys(matrix.kinds).filter((kind) => matrix.kinds[kind]?.validities !== undefined);
}

/** Every token variable that the contract gives a meaning to. */
export function tokenVariables(contract: Contract): readonly TokenVariable[] {
  const operationScopes = new Set(contract.operations.map(({ scope }) => scope));
  return tokenKinds(contract).flatMap((kind) => {
    const variable = (suffix: string, validity: string, holding: string) => ({
      name: `${kind}_TOKEN${suffix}`,
      kind,
      validity,
      holding,
    });
    const definition = contract.matrix.kinds[kind];
    const has = (form: string) => definition?.holdings?.includes(form) ?? false;
    return [
      variable('', 'valid', 'all'),
      ...(has('single') ? contract.matrix.scopes.map((scope) => variable(`_${scope}`, 'valid', `only:${scope}`)) : []),
      ...(has('all-but')
        ? [...operationScopes].map((scope) => variable(`_ALL_BUT_${scope}`, 'valid', `all-but:${scope}`))
        : []),
      variable('_UNSCOPED', 'valid', 'none'),
      variable('_EXPIRED', 'expired', 'all'),
      variable('_EXPIRED_UNSCOPED', 'expired', 'none'),
      ...(definition?.validities?.includes('future-expiry')
        ? [variable('_FUTURE_EXPIRY', 'future-expiry', 'all')]
        : []),
      ...(definition?.validities?.includes('foreign') ? [variable('_FOREIGN', 'foreign', 'all')] : []),
    ];
  });
}

/** Token variables that a claimed kind must have, so that nothing claimed stays undecided. */
export function requiredTokens(contract: Contract, kind: string, scopesClaimed: boolean): ReadonlySet<string> {
  const service = contract.matrix.kinds[kind]?.family === 'service';
  const needed = tokenVariables(contract).filter(({ kind: owner, holding, validity }) => {
    if (owner !== kind) return false;
    if (validity === 'valid' && (holding === 'all' || holding === 'none')) return true;
    if (validity === 'expired') return holding === 'all';
    if (!service || validity !== 'valid') return false;
    return scopesClaimed || contract.operations.some(({ scope }) => holding === `only:${scope}`);
  });
  return new Set(needed.map(({ name }) => name));
}

/** Every variable name that the suite knows. */
export function knownVariables(contract: Contract): readonly string[] {
  return [
    'TARGET_BASE_URL',
    ...tokenVariables(contract).map(({ name }) => name),
    ...PEOPLE_VARIABLES,
    ...tokenKinds(contract)
      .map((kind) => `${kind}_EMAIL`)
      .filter((name) => name !== 'USER_EMAIL'),
    ...MARKER_VARIABLES,
    ...COMMAND_VARIABLES,
    'AUTHORIZATION_SERVER_ISSUER',
    ...SETTING_VARIABLES,
  ];
}

/** Variables whose values must never reach an output. */
export function isSecret(name: string): boolean {
  return /_TOKEN(_|$)|_EMAIL$|_PRIVATE_(QUERY|MARKER)$|^CONFORMANCE_EXTRA_HEADERS$/.test(name);
}
