import type { Call, CheckApi } from '../../../harness/checks/check.ts';
import { actsAs } from '../../../harness/contract/contract.ts';
import type { Case } from '../../../harness/plan/case.ts';
import { kindHeaders } from './kind-headers.ts';

/** The headers and the token of a request that must be refused for one reason, whatever its body is. */
export interface Denial extends Pick<Call, 'credential' | 'headers' | 'authorization'> {
  /** What is wrong with the request, as in "a search with an expired token". */
  readonly fault: string;
  readonly requirement: string;
}

/** The faults of spec 7 that a token of the kind can have. A fault without a token in the plan is left out. */
export function denialsOf(api: CheckApi, operation: string, kind: string): readonly Denial[] {
  const { contract, people, unknownToken } = api;
  const { name: authType } = contract.matrix.headers['auth-type'];
  const { name: actAs } = contract.matrix.headers['act-as'];
  const headers = kindHeaders(api, kind);
  const without = (dropped: string) => headers.filter(([name]) => name !== dropped);
  const denial = (fault: string, values: Partial<Case['values']>, lines = headers): Denial[] => {
    const planned = api.planned(operation, kind, values);
    const requirement = planned?.expectation.suspects[0]?.requirement;
    if (!planned?.credential || requirement === undefined) return [];
    return [{ fault, requirement, credential: planned.credential, headers: lines }];
  };
  const isExternal = contract.matrix.kinds[kind]?.family === 'external';
  return [
    ...denial('an expired token', { validity: 'expired' }),
    ...denial('a token without the scope', { holding: 'none' }),
    ...(actsAs(contract, kind)
      ? [
          ...denial(`a token that needs ${actAs} and without it`, { 'act-as': 'absent' }, without(actAs)),
          ...denial(`${actAs} that names nobody`, { 'act-as': 'unknown' }, kindHeaders(api, kind, people.nobody)),
        ]
      : []),
    ...(isExternal
      ? denial(`a token that needs ${authType} and without it`, { 'auth-type': 'absent' }, without(authType))
      : []),
    { fault: 'an unknown token', requirement: 'token.unknown', authorization: `Bearer ${unknownToken}`, headers },
  ];
}
