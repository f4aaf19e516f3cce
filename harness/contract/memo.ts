import type { Contract } from './contract.ts';

/** A pure function of a contract and a few names that remembers what it made, as long as the contract is there. */
export function oncePerContract<Names extends readonly string[], T>(
  make: (contract: Contract, ...names: Names) => T,
): (contract: Contract, ...names: Names) => T {
  const known = new WeakMap<Contract, Map<string, T>>();
  return (contract, ...names) => {
    const made = known.get(contract) ?? new Map<string, T>();
    known.set(contract, made);
    const key = names.join(' ');
    const found = made.get(key) ?? make(contract, ...names);
    made.set(key, found);
    return found;
  };
}
