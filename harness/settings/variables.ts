import type { Contract } from '../contract/contract.ts';
import { isPerson } from '../contract/people.ts';
import { shellWord, visible } from '../contract/visible-text.ts';

/** Where the value of a variable comes from. */
export const ORIGINS = ['flag', 'environment', '.env', 'embedded target'] as const;
export type Origin = (typeof ORIGINS)[number];
export interface Variable {
  readonly value: string;
  readonly origin: Origin;
}

/** How a person named a variable: by its flag, if the value came from one. */
export function givenName(name: string, variables: ReadonlyMap<string, Variable>): string {
  if (variables.get(name)?.origin !== 'flag') return name;
  const word = name.replace(/^CONFORMANCE_|_MS$/g, '').toLowerCase();
  return `--${word.replaceAll('_', '-')}`;
}

export const SETTING_VARIABLES = [
  'CONFORMANCE_CLAIMS',
  'CONFORMANCE_DEPTH',
  'CONFORMANCE_RATE',
  'CONFORMANCE_REFUSED_PER_MINUTE',
  'CONFORMANCE_CONCURRENCY',
  'CONFORMANCE_TIMEOUT_MS',
  'CONFORMANCE_CHAT_TIMEOUT_MS',
  'CONFORMANCE_CHAT_BUDGET',
  'CONFORMANCE_EXTRA_HEADERS',
  'CONFORMANCE_CLIENT_CERT',
  'CONFORMANCE_CLIENT_KEY',
  'CONFORMANCE_REPORT_DIR',
  'CONFORMANCE_CONTRACT',
] as const;
/** The report folder if nothing names another one. Commands look there for the report of a run. */
export const DEFAULT_REPORT_DIR = 'conformance-report';

/** ` --report-dir staging`, for a command about another folder than the usual one. */
export function reportDirFlag(folder: string): string {
  return folder === DEFAULT_REPORT_DIR ? '' : ` --report-dir ${visible(shellWord(folder))}`;
}

/** Settings that say how to test, and nothing of what is tested. */
export const TUNING_VARIABLES: readonly string[] = SETTING_VARIABLES.filter(
  (name) => !/_(CLAIMS|EXTRA_HEADERS|CLIENT_CERT|CLIENT_KEY|CONTRACT)$/.test(name),
);
/** The value of `<KIND>_EMAIL` that says that the OAuth tokens of this kind belong to no person but to a whole tenant. */
export const NOBODY = 'nobody';
export const MARKER_VARIABLES = [
  'ACT_AS_PRIVATE_QUERY',
  'ACT_AS_PRIVATE_MARKER',
  'USER_PRIVATE_QUERY',
  'USER_PRIVATE_MARKER',
] as const;

/** Commands that the operator writes: one makes tokens, the other does what the admin console does. */
export const COMMAND_VARIABLES = ['TOKEN_COMMAND', 'ADMINISTRATION_COMMAND'] as const;

/** Whether a variable holds a private marker. The suite looks for markers in answers and never sends one. */
export function isMarker(name: string): boolean {
  return name.endsWith('_PRIVATE_MARKER');
}

/** Variables whose values must never reach an output. */
export function isSecret(contract: Pick<Contract, 'people' | 'matrix'>, name: string): boolean {
  return isPerson(contract, name) || holdsSecret(name);
}

/** The same without the people, of whatever contract. */
export function holdsSecret(name: string): boolean {
  return /_TOKEN(_|$)|_PRIVATE_(QUERY|MARKER)$|^CONFORMANCE_EXTRA_HEADERS$/.test(name);
}

/** Whether a name looks like a variable of the suite, of whatever contract. */
export function isOurs(name: string): boolean {
  return holdsSecret(name) || /^CONFORMANCE_|^TARGET_BASE_URL$|^MCP_URL$|_ISSUER$|_COMMAND$|_EMAIL$/.test(name);
}
