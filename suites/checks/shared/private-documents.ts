import type { CheckApi } from '../../../harness/checks/check.ts';
import { personVariable } from '../../../harness/contract/people.ts';

export interface Person {
  /** The prefix of this person's variables. Observations name markers by it. */
  readonly owner: Owner;
  readonly email: string;
  readonly query: string;
}
export const OWNERS = ['ACT_AS', 'USER'] as const;
export type Owner = (typeof OWNERS)[number];

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

/** The variable that holds the text which only this person may see. */
export const markerOf = ({ owner }: Person): string => `$${owner}_PRIVATE_MARKER`;

/** The value of <KIND>_EMAIL for tokens that belong to nobody, such as those of a whole tenant. */
const NOBODY = 'nobody';

/**
 * Whose tokens of a kind are: those of USER_EMAIL; those of a third person (<KIND>_EMAIL), for whom no variable names a
 * private document; or nobody's. Only the operator can say whose a token is.
 */
export function belongsTo(
  api: Pick<CheckApi, 'variable' | 'contract'>,
  kind: string,
): 'user' | 'third person' | 'nobody' {
  const [email, user] = [kind, 'USER'].map((owner) => api.variable(personVariable(api.contract, owner))?.toLowerCase());
  if (email === undefined || email === user) return 'user';
  return email === NOBODY ? 'nobody' : 'third person';
}
