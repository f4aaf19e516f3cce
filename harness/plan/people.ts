import type { Settings } from '../settings/settings.ts';

/** The people that a request may name, from the variables. */
export interface People {
  /** Whom GLOBAL tokens act as: ACT_AS_EMAIL. */
  readonly actAs: string | undefined;
  /** Whom USER and OAuth tokens belong to: USER_EMAIL. */
  readonly user: string | undefined;
  /** An email without a person, at a domain that people have. */
  readonly nobody: string;
  /** The same at a domain that nobody has. */
  readonly nobodyElsewhere: string;
}

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
