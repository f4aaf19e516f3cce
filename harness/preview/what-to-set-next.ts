import type { Check } from '../checks/check.ts';
import type { Contract } from '../contract/contract.ts';
import type { Settings } from '../settings/settings.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';
import { rehearse } from './rehearse.ts';

/** What can be decided with the variables that are set, and which more would decide most. */
export interface Decidable {
  /** Requirements that the claims bring with them. */
  readonly requirements: readonly string[];
  /** Those of them that everything needed is there for. */
  readonly decided: readonly string[];
  readonly steps: readonly Step[];
}
/** Variables that are worth most together as the next ones to set. */
export interface Step {
  readonly variables: readonly string[];
  /** Requirements that are decided with them and were not before. */
  readonly requirements: readonly string[];
  /** `search/USER` and the like where something is decided with them that was not before. */
  readonly places: readonly string[];
  /** How many places of requirements that is. */
  readonly gain: number;
}
interface Outlook {
  readonly decided: ReadonlySet<string>;
  /** What is undecided, as `requirement operation/kind`, with the variables of which each is wanted. */
  readonly undecided: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Candidates that are rehearsed at each step, and variables that a step may need together: a query and its marker. */
const CANDIDATES = 3;
const TOGETHER = 6;

/**
 * Finds out by rehearsing, again and again, with one more variable made up: what a run would leave undecided cannot be
 * decided. At depth core, since no depth decides a requirement that core does not.
 * @param most how many steps are looked for.
 */
export async function decidable(
  contract: Contract,
  settings: Settings,
  checks: readonly Check[],
  most: number,
): Promise<Decidable> {
  const outlookOf = async (names: readonly string[]): Promise<Outlook> => {
    const unhurried: Settings = { ...settings, depth: 'core', rate: undefined, chatBudget: Number.POSITIVE_INFINITY };
    const variables = withTokensToMint(contract, withVariables(unhurried, names));
    const { judged } = await rehearse(contract, variables, { checks, intrusive: false });
    return outlook(judged);
  };
  const known = Object.keys(everyVariable(contract));
  const now = await outlookOf([]);
  const requirements = await claimed(now, outlookOf, known);
  const steps: Step[] = [];
  const added: string[] = [];
  for (let before = now; steps.length < most && before.undecided.size > 0; ) {
    const tried = [];
    for (const name of wanted(before, known).slice(0, CANDIDATES))
      tried.push(await together(name, added, before, outlookOf, known));
    const best = tried.reduce<Tried | undefined>(
      (a, b) => (a && worth(a, before) >= worth(b, before) ? a : b),
      undefined,
    );
    if (!best || worth(best, before) <= 0) break;
    steps.push(stepOf(best, before, requirements));
    added.push(...best.variables);
    before = best.after;
  }
  return { requirements, decided: requirements.filter((id) => now.decided.has(id)), steps };
}

/** What is decided once nothing is undecided any more: a token that nothing claimed waits for adds nothing to it. */
async function claimed(
  now: Outlook,
  outlookOf: (names: readonly string[]) => Promise<Outlook>,
  known: readonly string[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after = now; ; after = await outlookOf(names)) {
    const more = wanted(after, known).filter((name) => !names.includes(name));
    if (more.length === 0) return [...after.decided];
    names.push(...more);
  }
}

interface Tried {
  readonly variables: readonly string[];
  readonly after: Outlook;
}

/** A variable, and what it needs besides before anything is gained. */
async function together(
  first: string,
  added: readonly string[],
  before: Outlook,
  outlookOf: (names: readonly string[]) => Promise<Outlook>,
  known: readonly string[],
): Promise<Tried> {
  const variables = [first];
  const blocked = [...before.undecided].filter(([, names]) => names.has(first)).map(([place]) => place);
  for (;;) {
    const after = await outlookOf([...added, ...variables]);
    const still = new Map([...after.undecided].filter(([place]) => blocked.includes(place)));
    const [next] = wanted({ ...after, undecided: still }, known);
    if (after.undecided.size < before.undecided.size || variables.length >= TOGETHER || next === undefined)
      return { variables, after };
    variables.push(next);
  }
}

/** What is gained for each variable. */
function worth({ variables, after }: Tried, before: Outlook): number {
  return (before.undecided.size - after.undecided.size) / variables.length;
}

/** The variables that most of what is undecided waits for, first. */
function wanted({ undecided }: Outlook, known: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const names of undecided.values()) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return known.filter((name) => counts.has(name)).sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

function outlook({ requirements }: Awaited<ReturnType<typeof rehearse>>['judged']): Outlook {
  const undecided = new Map<string, Set<string>>();
  for (const { requirement, undecided: lacking } of requirements)
    for (const { unit, reason } of lacking) {
      const place = `${requirement.id} ${unit}`;
      undecided.set(place, (undecided.get(place) ?? new Set()).add(reason));
    }
  const decided = requirements.filter(
    ({ verdict, undecided }) => undecided.length === 0 && verdict !== 'not-applicable',
  );
  return { decided: new Set(decided.map(({ requirement }) => requirement.id)), undecided };
}

function stepOf({ variables, after }: Tried, before: Outlook, requirements: readonly string[]): Step {
  const closed = [...before.undecided.keys()].filter((place) => !after.undecided.has(place));
  return {
    variables,
    requirements: requirements.filter((id) => after.decided.has(id) && !before.decided.has(id)),
    places: [...new Set(closed.map((place) => place.split(' ')[1] ?? ''))].sort(),
    gain: closed.length,
  };
}
