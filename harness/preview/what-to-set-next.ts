import { groupedBy, tallied } from '../contract/collections.ts';
import type { Depth } from '../contract/contract.ts';
import type { Settings } from '../settings/settings.ts';
import { everyVariable, withTokensToMint, withVariables } from './made-up-values.ts';
import { type Outlook, outlookOn, type UndecidedPair } from './outlook.ts';
import { type RehearsalOptions, rehearse } from './rehearse.ts';

/** What can be decided with the variables that are set, and which further ones would decide most. */
export interface Decidable {
  /** The requirements that a run with the variables that are set counts as claimed. */
  readonly claimed: readonly string[];
  /** Those of them that it can decide. */
  readonly decided: readonly string[];
  readonly steps: readonly Step[];
}
/** Variables to set next, together. */
export interface Step {
  readonly variables: readonly string[];
  /** Requirements that this step completes. */
  readonly requirements: readonly string[];
  /** How many requirements a run counts after this step, and how many of them it can decide. */
  readonly after: { readonly claimed: number; readonly decidable: number };
  /** Operations and kinds for which this step decides something, such as `search/USER`. */
  readonly places: readonly string[];
  /** How many pairs of a requirement and a place this step decides. */
  readonly gain: number;
}
/** Some requirements are decided only by intrusive checks. */
interface SearchOptions extends Pick<RehearsalOptions, 'checks' | 'intrusive' | 'casesAt'> {
  /** The largest number of steps to look for. */
  readonly most: number;
  /** The outlook with the variables that are set, if a rehearsal already gave it. */
  readonly now?: Outlook | undefined;
}
interface Search {
  /** Variables that can be added. */
  readonly names: readonly string[];
  /** Rehearses the run with these variables made up. */
  outlookWith(names: readonly string[]): Promise<Outlook>;
}
interface Candidate {
  readonly variables: readonly string[];
  readonly after: Outlook;
}

/** How many variables are tried for each step, if those before decide nothing. */
const MOST_TRIED = 3;
/** The most variables of one step. Some are only useful together: a private query needs its marker. */
const MOST_VARIABLES = 6;

/**
 * Finds the most useful variables by rehearsing the run again and again, each time with one more variable made up: that for
 * which most of what is undecided waits. What a rehearsal leaves undecided cannot be decided. For the steps, depth core
 * suffices: another depth needs no further variables.
 */
export async function decidable(
  settings: Settings,
  { most, now: known, ...options }: SearchOptions,
): Promise<Decidable> {
  const unlimited: Settings = { ...withFewRows(settings), rate: undefined, chatBudget: Number.MAX_SAFE_INTEGER };
  const outlookAt = async (depth: Depth, names: readonly string[]) => {
    const extended = withTokensToMint(withVariables({ ...unlimited, depth }, names), options.casesAt);
    return outlookOn((await rehearse(extended, options)).judged);
  };
  const search: Search = {
    names: Object.keys(everyVariable(settings.catalogue)),
    outlookWith: (names) => outlookAt('core', names),
  };
  const now = known ?? (await outlookAt(settings.depth, []));
  const steps: Step[] = [];
  const added: string[] = [];
  const suffices = now.undecided.length === 0 || settings.depth === 'core';
  let before = suffices ? now : await search.outlookWith([]);
  while (steps.length < most && before.undecided.length > 0) {
    const next = await nextStep(search, added, before);
    if (!next) break;
    steps.push(stepOf(next, before));
    added.push(...next.variables);
    before = next.after;
  }
  return { claimed: [...now.claimed], decided: [...now.decided], steps };
}

/** With the first row of each group of variations a check decides what it decides with all of them. */
function withFewRows({ catalogue, ...settings }: Settings): Settings {
  const { variations } = catalogue.contract;
  const groups = groupedBy(variations.rows, ({ kind, about, breaks, in: place }) =>
    [kind, about, breaks, place].join(),
  );
  const rows = [...groups.values()].map(([first]) => first);
  return {
    ...settings,
    catalogue: { ...catalogue, contract: { ...catalogue.contract, variations: { ...variations, rows } } },
  };
}

/** The variable that most waits for, with those that it needs. Undefined if nothing decides anything. */
async function nextStep(search: Search, added: readonly string[], before: Outlook): Promise<Candidate | undefined> {
  for (const name of mostNeeded(before.undecided, search.names).slice(0, MOST_TRIED)) {
    const candidate = await candidateFrom(search, name, added, before);
    if (gainPerVariable(candidate, before) > 0) return candidate;
  }
  return undefined;
}

/** A variable, with the others that it needs. Each further one must decide more than those before it, per variable. */
async function candidateFrom(
  search: Search,
  first: string,
  added: readonly string[],
  before: Outlook,
): Promise<Candidate> {
  const variables = [first];
  const blocked = new Set(before.undecided.filter(({ variables: names }) => names.has(first)).map(({ key }) => key));
  let best: Candidate | undefined;
  for (;;) {
    const candidate = { variables: [...variables], after: await search.outlookWith([...added, ...variables]) };
    const gain = best ? gainPerVariable(best, before) : 0;
    if (best && gain > 0 && gainPerVariable(candidate, before) <= gain) return best;
    best = candidate;
    const stillBlocked = candidate.after.undecided.filter(({ key }) => blocked.has(key));
    const [next] = mostNeeded(stillBlocked, search.names);
    if (variables.length >= MOST_VARIABLES || next === undefined) return best;
    variables.push(next);
  }
}

function gainPerVariable({ variables, after }: Candidate, before: Outlook): number {
  return (before.undecided.length - after.undecided.length) / variables.length;
}

/** The variables that these pairs wait for. The one that most of them wait for is first. */
function mostNeeded(undecided: readonly UndecidedPair[], names: readonly string[]): readonly string[] {
  const counts = tallied(undecided.flatMap(({ variables }) => [...variables]));
  return names.filter((name) => counts.has(name)).sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

function stepOf({ variables, after }: Candidate, before: Outlook): Step {
  const stillUndecided = new Set(after.undecided.map(({ key }) => key));
  const decided = before.undecided.filter(({ key }) => !stillUndecided.has(key));
  return {
    variables,
    requirements: [...after.decided].filter((id) => !before.decided.has(id)),
    after: { claimed: after.claimed.size, decidable: after.decided.size },
    places: [...new Set(decided.map(({ unit }) => unit))].sort(),
    gain: decided.length,
  };
}
