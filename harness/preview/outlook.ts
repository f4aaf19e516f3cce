import type { RunVerdict } from '../judge/ending.ts';

/** A requirement that is undecided for an operation and a kind of token. */
export interface Place {
  /** One text for it. */
  readonly key: string;
  /** `search/USER`. */
  readonly unit: string;
  /** The variables of which each would decide it. */
  readonly variables: ReadonlySet<string>;
}
/** What a run would decide, and what it would leave undecided. */
export interface Outlook {
  readonly decided: ReadonlySet<string>;
  readonly undecided: readonly Place[];
}

export function outlookOn({ requirements }: Pick<RunVerdict, 'requirements'>): Outlook {
  const places = new Map<string, Place & { readonly variables: Set<string> }>();
  for (const { requirement, undecided } of requirements)
    for (const { unit, lack } of undecided) {
      const key = `${requirement.id} ${unit}`;
      const place = places.get(key) ?? { key, unit, variables: new Set<string>() };
      if (lack.kind === 'variable') place.variables.add(lack.name);
      places.set(key, place);
    }
  const decided = requirements.filter(
    ({ verdict, undecided }) => undecided.length === 0 && verdict !== 'not-applicable',
  );
  return { decided: new Set(decided.map(({ requirement }) => requirement.id)), undecided: [...places.values()] };
}
