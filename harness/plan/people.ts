import type { Settings } from '../settings/settings.ts';

/** The people that a request may name, from the variables. */
export interface People {
  readonly existing: string | undefined;
  readonly other: string | undefined;
  readonly unknown: string;
  readonly unknownDomain: string;
}

export function peopleOf(variables: Settings['variables'], run: string): People {
  const value = (name: string) => variables.get(name)?.value;
  const existing = value('ACT_AS_EMAIL');
  const other = value('USER_EMAIL');
  const domain = (existing ?? other ?? 'nobody@example.com').split('@')[1] ?? 'example.com';
  return {
    existing,
    other,
    unknown: value('UNKNOWN_EMAIL') ?? `nobody-${run}@${domain}`,
    unknownDomain: `nobody-${run}@conformance.invalid`,
  };
}
