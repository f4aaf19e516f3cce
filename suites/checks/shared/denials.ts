import type { Call, CheckApi } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Case } from '../../../harness/plan/case.ts';
import { type Fault, oncePerFamily } from './breadth.ts';
import { kindHeaders } from './kind-headers.ts';

/** A request that must be refused for one reason, whatever its body is. */
export interface Denial extends Fault {
  /** What is wrong with the request, as in "a search with an expired token". */
  readonly fault: string;
  /** The kind whose documented request is its control. */
  readonly controlKind: string;
  /** Who a GLOBAL token acts as. Undefined if it names nobody that exists, and for other tokens. */
  readonly actingAs?: string;
  /** The headers and the token. */
  readonly request: Pick<Call, 'credential' | 'headers' | 'authorization'>;
}

/**
 * The faults of spec 7 that tokens of these kinds can have. Without the whole breadth, each family has
 * one for each part of a request that decides: the token, its state, and the header that the kind needs.
 * @param which the kind that has a fault which several kinds of a family can have.
 */
export function denialsOf(
  api: CheckApi,
  operation: string,
  kinds: readonly string[],
  which: 'first' | 'last',
): readonly Denial[] {
  const all = kinds.flatMap((kind) => denialsOfKind(api, operation, kind));
  const tried = api.breadth === 'whole' ? all : all.filter(({ requirement }) => TELLING.includes(requirement));
  return oncePerFamily(api, tried, which);
}

// A search may run before its scope is checked, and a refusal may then show what it found.
const TELLING = ['token.unknown', 'token.expired', 'scope.search', 'act-as.missing', 'auth-type.missing'];

/** A fault without a token in the plan is left out. */
function denialsOfKind(api: CheckApi, operation: string, kind: string): readonly Denial[] {
  const { contract, people, unknownToken } = api;
  const { name: authType } = contract.matrix.headers['auth-type'];
  const { name: actAs } = contract.matrix.headers['act-as'];
  const headers = kindHeaders(api, kind);
  const without = (dropped: string) => headers.filter(([name]) => name !== dropped);
  const own = { kind, controlKind: kind };
  const denial = (fault: string, values: Partial<Case['values']>, lines = headers, actingAs?: string): Denial[] => {
    const planned = api.planned(operation, kind, values);
    const requirement = planned?.expectation.suspects[0]?.requirement;
    if (!planned?.credential || requirement === undefined) return [];
    const request = { credential: planned.credential, headers: lines };
    return [{ fault, requirement, ...own, request, ...(actingAs !== undefined && { actingAs }) }];
  };
  const named = actsAs(contract, kind) ? [people.user, people.actAs].flatMap((person) => person ?? []) : [undefined];
  // What must be refused to a token that acts as somebody is refused for either person (outcomes 2).
  const forBoth = (fault: string, values: Partial<Case['values']>) =>
    named.flatMap((person) => denial(fault, values, kindHeaders(api, kind, person), person));
  const isExternal = contract.matrix.kinds[kind]?.family === 'external';
  return [
    ...forBoth('an expired token', { validity: 'expired' }),
    ...forBoth('a token without the scope', { holding: 'none' }),
    ...(actsAs(contract, kind)
      ? [
          ...denial(`a token that needs ${actAs} and without it`, { 'act-as': 'absent' }, without(actAs)),
          ...denial(`${actAs} that names nobody`, { 'act-as': 'unknown' }, kindHeaders(api, kind, people.nobody)),
        ]
      : []),
    ...(isExternal
      ? denial(`a token that needs ${authType} and without it`, { 'auth-type': 'absent' }, without(authType))
      : []),
    {
      fault: 'an unknown token',
      requirement: 'token.unknown',
      kind: 'unknown',
      controlKind: kind,
      request: { authorization: `Bearer ${unknownToken}`, headers },
    },
  ];
}
