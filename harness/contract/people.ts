/** How the variables of people are named. */
export interface PeopleNames {
  /** `EMAIL`, `LOGIN`: the variables are `USER_LOGIN` and so on. The values of EMAIL are email addresses. */
  readonly suffix: string;
}
/** The operation that shows who a request runs as, and where its answer shows it. */
export interface Identity {
  readonly operation: string;
  /** A JSON pointer (RFC 6901). */
  readonly pointer: string;
}
interface Named {
  readonly people: PeopleNames;
}
/** The people of every contract, as in the names of their variables: who tokens act as, their owner, nobody, and who is gone. */
export const PEOPLE = ['ACT_AS', 'USER', 'UNKNOWN', 'FORMER'] as const;
/** Those whom nobody can act as. */
export const NOT_PEOPLE: readonly string[] = ['UNKNOWN', 'FORMER'];

/** The variable of a person: `USER_EMAIL`. @param owner `ACT_AS`, `USER`, `UNKNOWN` or a kind. */
export function personVariable({ people }: Named, owner: string): string {
  return `${owner}_${people.suffix}`;
}

/** Whether a variable names a person. The token of a scope such as `user-email` may end like one. */
export function isPerson(contract: Named & { readonly matrix: { readonly kinds: object } }, variable: string): boolean {
  return [...PEOPLE, ...Object.keys(contract.matrix.kinds)].some(
    (owner) => personVariable(contract, owner) === variable,
  );
}

/** Whether people are named by their email. */
export function areEmails({ people }: Named): boolean {
  return people.suffix === 'EMAIL';
}
