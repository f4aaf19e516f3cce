import { personVariable } from '../contract/people.ts';
import type { RunVerdict } from '../judge/ending.ts';
import type { CasesAt } from '../plan/expand.ts';
import type { Plan } from '../plan/plan.ts';
import { createCombinations } from '../plan/strength/combinations.ts';
import { rowsSeen } from '../plan/strength/documented-rows.ts';
import { isolatedCases } from '../plan/strength/isolation.ts';
import { IN_FRAMES, numberingOf } from '../plan/strength/numbering.ts';
import { noRedactor } from '../record/redact.ts';
import { planRun } from '../run/plan-run.ts';
import { kindsSent } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';
import { withVariables } from './made-up-values.ts';

/** A requirement that is undecided for one operation and one kind of token (outcomes 3). */
export interface UndecidedPair {
  /** Identifies the requirement, the operation and the kind. */
  readonly key: string;
  /** `search/USER`. */
  readonly unit: string;
  /** Variables that are not set. Each of them can decide the pair, alone or with others. */
  readonly variables: ReadonlySet<string>;
}
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
      const pair = pairs.get(key) ?? { key, unit, variables: new Set<string>() };
      if (lack.kind === 'variable') pair.variables.add(lack.name);
      pairs.set(key, pair);
    }
  const claimed = requirements.filter(({ verdict }) => verdict !== 'not-applicable');
  const decided = claimed.filter(({ undecided }) => undecided.length === 0);
  const idsOf = (found: typeof claimed) => new Set(found.map(({ requirement }) => requirement.id));
  return { claimed: idsOf(claimed), decided: idsOf(decided), undecided: [...pairs.values()] };
}

/** A token that is not set, and what it adds to what a run sees: in per cent of what all tokens of the claimed kinds show. */
export interface SightAdded {
  readonly variable: string;
  readonly ofRows: number;
  readonly ofOneValue: number;
}

/** What each token that is not set would add, the one that adds most first. */
export function sightAdded(settings: Settings, now: Plan, casesAt: CasesAt): readonly SightAdded[] {
  const { catalogue, claims, variables } = settings;
  const { contract } = catalogue;
  const ofClaimed = catalogue.tokens.filter(({ kind }) => claims.kinds.includes(kind)).map(({ name }) => name);
  const missing = ofClaimed.filter((name) => !variables.has(name));
  if (missing.length === 0) return [];
  const all = planRun(withVariables(settings, [...ofClaimed, personVariable(contract, 'ACT_AS')]), {
    casesAt,
    redactor: noRedactor,
  }).whole;
  const known = isolatedCases(contract, kindsSent(catalogue, claims)).filter(all.canSend);
  const planned = known.filter(({ id }) => all.cases.has(id));
  const rows = rowsSeen(contract, known, now.cases);
  const combinations = createCombinations(known, [1], numberingOf(contract, known, IN_FRAMES));
  for (const one of planned) if (now.cases.has(one.id)) combinations.add(one);
  const before = combinations.count(1);
  const percent = (added: number, of: number) => Math.round((1000 * added) / of) / 10;
  const added = (variable: string): SightAdded => {
    const more = planned.filter(({ id }) => !now.cases.has(id) && all.find(id)?.credential?.variable === variable);
    const sent = planned.filter((one) => now.cases.has(one.id) || more.includes(one));
    for (const one of more) combinations.add(one);
    const { seen } = combinations.count(1);
    for (const one of more) combinations.remove(one);
    const ofRows = rowsSeen(contract, planned, new Set(sent.map(({ id }) => id))).seen - rows.seen;
    return { variable, ofRows: percent(ofRows, rows.all), ofOneValue: percent(seen - before.seen, before.all) };
  };
  return missing
    .map(added)
    .filter(({ ofRows, ofOneValue }) => ofRows + ofOneValue > 0)
    .sort((a, b) => b.ofRows - a.ofRows || b.ofOneValue - a.ofOneValue);
}
