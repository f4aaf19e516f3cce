import type { CheckApi } from '../../../harness/checks/check.ts';

/** A person whose private document a query finds; what is recorded of an answer says whose marker it shows. */
export interface Person {
  readonly owner: Owner;
  readonly email: string;
  readonly query: string;
}
export const OWNERS = ['ACT_AS', 'USER'] as const;
export type Owner = (typeof OWNERS)[number];

/** Whom a token acts as and whom it belongs to, or the variable without which nobody's private document is known. */
export type PrivatePeople =
  | ({ readonly kind: 'known' } & Readonly<Record<Owner, Person>>)
  | { readonly kind: 'missing'; readonly variable: string };

export function privatePeople(api: Pick<CheckApi, 'variable'>): PrivatePeople {
  const needed = OWNERS.flatMap((owner) => [`${owner}_PRIVATE_QUERY`, `${owner}_PRIVATE_MARKER`, `${owner}_EMAIL`]);
  const variable = needed.find((name) => api.variable(name) === undefined);
  if (variable !== undefined) return { kind: 'missing', variable };
  const personOf = (owner: Owner): Person => ({
    owner,
    email: api.variable(`${owner}_EMAIL`) ?? '',
    query: api.variable(`${owner}_PRIVATE_QUERY`) ?? '',
  });
  return { kind: 'known', ACT_AS: personOf('ACT_AS'), USER: personOf('USER') };
}

/** Whether a kind's tokens belong to somebody else than USER_EMAIL names, whose own private document nobody told of. */
export function isSomebodyElses(api: Pick<CheckApi, 'variable'>, kind: string): boolean {
  const theirs = api.variable(`${kind}_EMAIL`)?.toLowerCase();
  return theirs !== undefined && theirs !== api.variable('USER_EMAIL')?.toLowerCase();
}
