import type { CheckApi } from '../../../harness/checks/check.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import { queryOperations } from './query-operations.ts';

/** A request of a kind that must be refused. The kinds `none` and `unknown` are families of their own. */
export interface Fault {
  readonly kind: string;
  readonly requirement: string;
}

/**
 * Each fault once for each family of tokens, because a server reads the tokens of a family in the same way. A run that
 * may be intrusive tries every kind.
 * @param which the kind that is tried. Two operations can take turns, so that both kinds are tried on one of them.
 */
export function oncePerFamily<T extends Fault>(
  { contract, intrusive }: CheckApi,
  faults: readonly T[],
  which: 'first' | 'last',
): readonly T[] {
  if (intrusive) return faults;
  const keyOf = ({ kind, requirement }: Fault) => `${contract.matrix.kinds[kind]?.family} ${requirement}`;
  const ordered = which === 'first' ? [...faults].reverse() : faults;
  const chosen = new Set(new Map(ordered.map((fault) => [keyOf(fault), fault])).values());
  return faults.filter((fault) => chosen.has(fault));
}

/** The first claimed kind of each family, or every kind in a run that may be intrusive. */
export function kindsOfFamilies({ contract, claims, intrusive }: CheckApi): readonly string[] {
  if (intrusive) return claims.kinds;
  const familyOf = (kind: string) => contract.matrix.kinds[kind]?.family;
  return claims.kinds.filter((kind, at, all) => all.findIndex((one) => familyOf(one) === familyOf(kind)) === at);
}

/** The operations that are not slow, or all in a run that may be intrusive: what reads the requests to one reads the others. */
export function operationsToTry({ contract, intrusive }: CheckApi): readonly Operation[] {
  const operations = queryOperations(contract);
  return intrusive ? operations : operations.filter(({ isSlow }) => !isSlow);
}
