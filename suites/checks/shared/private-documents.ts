import type { CheckApi } from '../../../harness/checks/check.ts';

/** A person with a private document, and the query that finds it. */
export interface Person {
  /** The prefix of this person's variables. Observations name markers by it. */
  readonly owner: Owner;
  readonly email: string;
  readonly query: string;
}
export const OWNERS = ['ACT_AS', 'USER'] as const;
export type Owner = (typeof OWNERS)[number];

/** The two people with private documents, or a variable that is missing. */
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

/** Whether tokens of the kind belong to a third person (<KIND>_EMAIL), for whom no variable names a private document. */
export function belongsToThirdPerson(api: Pick<CheckApi, 'variable'>, kind: string): boolean {
  const email = api.variable(`${kind}_EMAIL`)?.toLowerCase();
  return email !== undefined && email !== api.variable('USER_EMAIL')?.toLowerCase();
}
