import type { Contract } from '../contract/contract.ts';
import { covers } from '../contract/holdings.ts';
import type { TokenVariable } from './catalogue.ts';

/** A token and what it is for. */
export interface UsedToken extends TokenVariable {
  readonly token: string;
}

/**
 * By token, the names of its uses where it has several that differ in what they may do: one of them is not what its name
 * says. Scopes that cover no operation differ in nothing that counts, nor does an expiry that lies ahead.
 */
export function tokensUsedTwice(
  contract: Contract,
  uses: readonly UsedToken[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, Map<string, string>>();
  for (const { name, token, kind, validity, holding } of uses) {
    const time = validity === 'future-expiry' ? 'valid' : validity;
    const role = [kind, time, ...contract.operations.map(({ scope }) => covers(contract, holding, scope))].join(' ');
    names.set(token, new Map([[role, name], ...(names.get(token) ?? [])]));
  }
  const doubled = [...names].filter(([, roles]) => roles.size > 1);
  return new Map(doubled.map(([token, roles]) => [token, [...roles.values()].sort()]));
}
