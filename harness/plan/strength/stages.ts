import type { Values } from '../../contract/contract.ts';
import type { Catalogue } from '../../settings/catalogue.ts';

/**
 * How likely a run has the token of a case. `required`: a claim needs it, or the case has no token of its own; `service`:
 * another token that the service itself issues; `oauth`: an OAuth token with every scope or none; `rare`: any other one.
 */
export const STAGES = ['required', 'service', 'oauth', 'rare'] as const;
export type Stage = (typeof STAGES)[number];

export function stageOf(catalogue: Catalogue, values: Values): Stage {
  if (!catalogue.kinds.includes(values.kind)) return 'required';
  const variable = variableOf(catalogue, values);
  if (variable === undefined) return 'rare';
  if (values.family === 'service')
    return catalogue.required(values.kind, false).includes(variable) ? 'required' : 'service';
  const isUsual = values['holding-form'] === 'all' || values['holding-form'] === 'none';
  return isUsual && values.validity !== 'future-expiry' ? 'oauth' : 'rare';
}

/** The variable that supplies the token of a case. A tampered token is made from a valid one. */
export function variableOf(catalogue: Catalogue, values: Values): string | undefined {
  return catalogue.supplying(values.validity === 'tampered' ? { ...values, validity: 'valid' } : values);
}
