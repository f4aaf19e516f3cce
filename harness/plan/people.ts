import type { Settings } from '../settings/settings.ts';

/** The people that a request may name, from the variables. */
export interface People {
  /** The person that GLOBAL tokens act as: ACT_AS_EMAIL. */
  readonly actAs: string | undefined;
  /** The owner of USER and OAuth tokens: USER_EMAIL. */
  readonly user: string | undefined;
  /** An email without a person, at the domain of the others: UNKNOWN_EMAIL, or a random one. */
  readonly nobody: string;
  /** An email without a person, at a domain that does not exist. */
  readonly nobodyElsewhere: string;
}

/** Who a GLOBAL token acts as in the cases of the plan, and the other person that it can act as. */
export type Acting = 'actAs' | 'user';

/** The people of a request that acts as one of the two. */
export function actingAs(people: People, person: Acting): People {
  return person === 'actAs' ? people : { ...people, actAs: people.user, user: people.actAs };
}

/** @param run the id of the run, which makes the addresses of nobody unique. */
export function peopleOf(variables: Settings['variables'], run: string): People {
  const value = (name: string) => variables.get(name)?.value;
  const actAs = value('ACT_AS_EMAIL');
  const user = value('USER_EMAIL');
  const domain = (actAs ?? user ?? 'nobody@example.com').split('@')[1] ?? 'example.com';
  return {
    actAs,
    user,
    nobody: value('UNKNOWN_EMAIL') ?? `nobody-${run}@${domain}`,
    nobodyElsewhere: `nobody-${run}@conformance.invalid`,
  };
}
