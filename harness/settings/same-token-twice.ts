import type { Contract } from '../contract/contract.ts';
import { covers } from '../contract/holdings.ts';
import type { TokenVariable } from './catalogue.ts';

/** A token and its use. */
export interface UsedToken extends TokenVariable {
  readonly token: string;
}

/**
 * Finds the tokens that are set for uses which must differ, so at least one of the names is wrong. Uses differ in kind,
 * in validity, or in the operations that their scopes permit. An expiry in the future makes no difference.
 * @returns the names of the uses, by token.
 */
export function tokensUsedTwice(
  contract: Contract,
  uses: readonly UsedToken[],
): ReadonlyMap<string, readonly string[]> {
  const usesByToken = new Map<string, Map<string, string>>();
  for (const { name, token, kind, validity, holding } of uses) {
    const effective = validity === 'future-expiry' ? 'valid' : validity;
    const permitted = contract.operations.map(({ scope }) => covers(contract, holding, scope));
    const use = [kind, effective, ...permitted].join(' ');
    const names = usesByToken.get(token) ?? new Map<string, string>();
    if (!names.has(use)) names.set(use, name);
    usesByToken.set(token, names);
  }
  const conflicts = [...usesByToken].filter(([, names]) => names.size > 1);
  return new Map(conflicts.map(([token, names]) => [token, [...names.values()].sort()]));
}
