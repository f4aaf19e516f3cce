import type { CheckApi } from '../../../harness/checks/check.ts';
import { actsAs, type Contract } from '../../../harness/contract/contract.ts';
import type { Operation } from '../../../harness/contract/openapi.ts';
import type { Acting } from '../../../harness/plan/credentials.ts';

/** A request of a kind that must be refused. The kinds `none` and `unknown` are families of their own. */
export interface Fault {
  readonly kind: string;
  readonly requirement: string;
}

/** A server reads the tokens of a family in the same way. Two checks or operations can take turns, so that more kinds are tried. */
type Which = 'first' | 'last';

function ofEach<T>(items: readonly T[], keyOf: (item: T) => string, which: Which): readonly T[] {
  const ordered = which === 'first' ? [...items].reverse() : items;
  const chosen = new Set(new Map(ordered.map((item) => [keyOf(item), item])).values());
  return items.filter((item) => chosen.has(item));
}

/** Each fault once for each family of tokens. With the whole breadth, every kind has it. */
export function oncePerFamily<T extends Fault>(
  { contract, breadth }: Pick<CheckApi, 'contract' | 'breadth'>,
  faults: readonly T[],
  which: Which,
): readonly T[] {
  const keyOf = ({ kind, requirement }: Fault) => `${contract.matrix.kinds[kind]?.family} ${requirement}`;
  return breadth === 'whole' ? faults : ofEach(faults, keyOf, which);
}

export const onePerFamily = ({ contract, claims }: Pick<CheckApi, 'contract' | 'claims'>, which: Which = 'first') =>
  ofEach(claims.kinds, (kind) => `${contract.matrix.kinds[kind]?.family}`, which);

/** The first claimed kind of each family, or every kind with the whole breadth. */
export const kindsOfFamilies = (api: Pick<CheckApi, 'contract' | 'claims' | 'breadth'>): readonly string[] =>
  api.breadth === 'whole' ? api.claims.kinds : onePerFamily(api);

/** The first claimed kind of each family, and those that act as somebody: one of them runs as several people. */
export function kindsToAsk(api: Pick<CheckApi, 'contract' | 'claims' | 'breadth'>): readonly string[] {
  const ofFamilies = kindsOfFamilies(api);
  return api.claims.kinds.filter((kind) => ofFamilies.includes(kind) || actsAs(api.contract, kind));
}

/** The first claimed kind that reaches an operation; the first one, if none does. */
export function kindThatReaches(api: Pick<CheckApi, 'claims' | 'planned'>, { id }: Operation): string {
  const { kinds } = api.claims;
  // Every run claims a kind.
  return kinds.find((kind) => api.planned(id, kind, {})) ?? kinds[0] ?? '';
}

/** The operations whose requests checks vary: those whose query finds documents. One that is added as data gets the matrix only. */
export function queryOperations({ operations, has }: Contract): readonly Operation[] {
  return has.includes('private-words') ? operations.filter(({ field }) => field?.name === 'query') : operations;
}

/** The operations that are not slow, or all with the whole breadth: what reads the requests to one reads the others. */
export function operationsToTry({ contract, breadth }: CheckApi): readonly Operation[] {
  const operations = queryOperations(contract);
  return breadth === 'whole' ? operations : operations.filter(({ isSlow }) => !isSlow);
}

/**
 * Who a token of the kind acts as in turn: what must be refused to it is refused for either person (outcomes 2). Without the
 * whole breadth, the check `either-person` tries the other one.
 */
export function peopleActedAs({ contract, people, breadth }: CheckApi, kind: string): readonly Acting[] {
  return actsAs(contract, kind) && people.user !== undefined && breadth === 'whole' ? ['actAs', 'user'] : ['actAs'];
}
