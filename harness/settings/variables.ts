/** Where a variable's value came from. */
export const ORIGINS = ['flag', 'environment', '.env', 'embedded target'] as const;
export type Origin = (typeof ORIGINS)[number];
export interface Variable {
  readonly value: string;
  readonly origin: Origin;
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
export const PEOPLE_VARIABLES = ['ACT_AS_EMAIL', 'USER_EMAIL', 'UNKNOWN_EMAIL'] as const;
export const MARKER_VARIABLES = [
  'ACT_AS_PRIVATE_QUERY',
  'ACT_AS_PRIVATE_MARKER',
  'USER_PRIVATE_QUERY',
  'USER_PRIVATE_MARKER',
] as const;

/** Commands that the operator supplies: one mints tokens, the other administers them as the console does. */
export const COMMAND_VARIABLES = ['TOKEN_COMMAND', 'ADMINISTRATION_COMMAND'] as const;

/** Whether a variable holds a private marker, a text that is looked for in answers and never sent. */
export function isMarker(name: string): boolean {
  return name.endsWith('_PRIVATE_MARKER');
}

/** Variables whose values must never reach an output. */
export function isSecret(name: string): boolean {
  return /_TOKEN(_|$)|_EMAIL$|_PRIVATE_(QUERY|MARKER)$|^CONFORMANCE_EXTRA_HEADERS$/.test(name);
}
