import type { RunVerdict } from '../judge/ending.ts';

/** A requirement that is undecided for one operation and one kind of token (outcomes 3). */
export interface UndecidedPair {
  /** Identifies the requirement, the operation and the kind. */
  readonly key: string;
  readonly requirement: string;
  /** `search/USER`. */
  readonly unit: string;
  /** Variables that are not set. Each of them can decide the pair, alone or with others. */
  readonly variables: ReadonlySet<string>;
}
/** What a run would decide, and what it would leave undecided. */
export interface Outlook {
  /** Ids of the requirements that the run counts: those that it decides somewhere or leaves undecided. */
  readonly claimed: ReadonlySet<string>;
  /** Ids of requirements that are decided for every operation and kind. */
  readonly decided: ReadonlySet<string>;
  readonly undecided: readonly UndecidedPair[];
}

export function outlookOn({ requirements }: Pick<RunVerdict, 'requirements'>): Outlook {
  const pairs = new Map<string, UndecidedPair & { readonly variables: Set<string> }>();
  for (const { requirement, undecided } of requirements)
    for (const { unit, lack } of undecided) {
      const key = `${requirement.id} ${unit}`;
      const pair = pairs.get(key) ?? { key, requirement: requirement.id, unit, variables: new Set<string>() };
      if (lack.kind === 'variable') pair.variables.add(lack.name);
      pairs.set(key, pair);
    }
  const claimed = requirements.filter(({ verdict }) => verdict !== 'not-applicable');
  const decided = claimed.filter(({ undecided }) => undecided.length === 0);
  const idsOf = (found: typeof claimed) => new Set(found.map(({ requirement }) => requirement.id));
  return { claimed: idsOf(claimed), decided: idsOf(decided), undecided: [...pairs.values()] };
}
