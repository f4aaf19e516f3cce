import type { Check } from '../checks/check.ts';
import type { CasesAt } from '../plan/expand.ts';
import type { Settings } from '../settings/settings.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';
import { type Outlook, outlookOn, type Place } from './outlook.ts';
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
export interface SearchOptions {
  readonly checks: readonly Check[];
  readonly casesAt: CasesAt;
  /** How many steps are looked for. */
  readonly most: number;
}
/** What is tried with more variables, and which there are to add. */
interface Search {
  readonly names: readonly string[];
  outlookWith(names: readonly string[]): Promise<Outlook>;
}
/** Variables, and the outlook once they are set besides. */
interface Tried {
  readonly variables: readonly string[];
  readonly after: Outlook;
}

/** Candidates that are rehearsed at each step, and variables that a step may need together: a query and its marker. */
const CANDIDATES = 3;
const TOGETHER = 6;

/**
 * Finds out by rehearsing, again and again, with one more variable made up: what a run would leave undecided cannot be
 * decided. At depth core, since no depth decides a requirement that core does not.
 */
export async function decidable(settings: Settings, { checks, casesAt, most }: SearchOptions): Promise<Decidable> {
  const unhurried: Settings = { ...settings, depth: 'core', rate: undefined, chatBudget: Number.POSITIVE_INFINITY };
  const search: Search = {
    names: Object.keys(everyVariable(settings.catalogue)),
    async outlookWith(names) {
      const more = withTokensToMint(withVariables(unhurried, names), casesAt);
      return outlookOn((await rehearse(more, { checks, casesAt, intrusive: false })).judged);
    },
  };
  const now = await search.outlookWith([]);
  const requirements = await claimed(search, now);
  const steps: Step[] = [];
  const added: string[] = [];
  for (let before = now; steps.length < most && before.undecided.length > 0; ) {
    const best = await bestStep(search, added, before);
    if (!best) break;
    steps.push(stepOf(best, before, requirements));
    added.push(...best.variables);
    before = best.after;
  }
  return { requirements, decided: requirements.filter((id) => now.decided.has(id)), steps };
}

/** What is decided once nothing is undecided any more: a token that nothing claimed waits for adds nothing to it. */
async function claimed(search: Search, now: Outlook): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after = now; ; after = await search.outlookWith(names)) {
    const more = wanted(after.undecided, search.names).filter((name) => !names.includes(name));
    if (more.length === 0) return [...after.decided];
    names.push(...more);
  }
}

/** Of the variables that most is waiting for, the one that is worth most with what it needs besides. */
async function bestStep(search: Search, added: readonly string[], before: Outlook): Promise<Tried | undefined> {
  const tried: Tried[] = [];
  for (const name of wanted(before.undecided, search.names).slice(0, CANDIDATES))
    tried.push(await together(search, name, added, before));
  const best = tried.reduce<Tried | undefined>(
    (a, b) => (a && worth(a, before) >= worth(b, before) ? a : b),
    undefined,
  );
  return best && worth(best, before) > 0 ? best : undefined;
}

/** A variable, and what it needs besides before anything is gained. */
async function together(search: Search, first: string, added: readonly string[], before: Outlook): Promise<Tried> {
  const variables = [first];
  const blocked = new Set(before.undecided.filter(({ variables: names }) => names.has(first)).map(({ key }) => key));
  for (;;) {
    const after = await search.outlookWith([...added, ...variables]);
    const still = after.undecided.filter(({ key }) => blocked.has(key));
    const [next] = wanted(still, search.names);
    if (after.undecided.length < before.undecided.length || variables.length >= TOGETHER || next === undefined)
      return { variables, after };
    variables.push(next);
  }
}

/** What is gained for each variable. */
function worth({ variables, after }: Tried, before: Outlook): number {
  return (before.undecided.length - after.undecided.length) / variables.length;
}

/** The variables that most of these places wait for, first. */
function wanted(undecided: readonly Place[], names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { variables } of undecided) for (const name of variables) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.filter((name) => counts.has(name)).sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

function stepOf({ variables, after }: Tried, before: Outlook, requirements: readonly string[]): Step {
  const still = new Set(after.undecided.map(({ key }) => key));
  const closed = before.undecided.filter(({ key }) => !still.has(key));
  return {
    variables,
    requirements: requirements.filter((id) => after.decided.has(id) && !before.decided.has(id)),
    places: [...new Set(closed.map(({ unit }) => unit))].sort(),
    gain: closed.length,
  };
}
