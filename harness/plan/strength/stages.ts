import type { Values } from '../../contract/contract.ts';
import type { Catalogue } from '../../settings/catalogue.ts';

/**
 * Which tokens a case needs: none, or one that the service itself issues; one of OAuth; or one that only TOKEN_COMMAND
 * supplies.
 */
export const STAGES = ['service', 'oauth', 'command'] as const;
export type Stage = (typeof STAGES)[number];

export function stageOf(catalogue: Catalogue, values: Values): Stage {
  const isIssued = catalogue.kinds.includes(values.kind);
  if (isIssued && variableOf(catalogue, values) === undefined) return 'command';
  return values.family === 'own' || values.family === 'external' ? 'oauth' : 'service';
}

/** The variable that supplies the token of a case. A tampered token is made from a valid one. */
export function variableOf(catalogue: Catalogue, values: Values): string | undefined {
  return catalogue.supplying(values.validity === 'tampered' ? { ...values, validity: 'valid' } : values);
}
