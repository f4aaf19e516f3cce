import type { CasesAt } from '../plan/expand.ts';
import type { Plan } from '../plan/plan.ts';
import { createCombinations } from '../plan/strength/combinations.ts';
import { isolatedCases } from '../plan/strength/isolation.ts';
import type { Strength } from '../plan/strength/numbering.ts';
import { noRedactor } from '../record/redact.ts';
import { planRun } from '../run/plan-run.ts';
import { kindsSent } from '../settings/claims.ts';
import type { Settings } from '../settings/settings.ts';
import { withVariables } from './made-up-values.ts';

/** A token that is not set, and what it adds to what a run sees: in per cent of what all tokens of the claimed kinds show. */
export interface SightAdded {
  readonly variable: string;
  readonly ofOneValue: number;
  readonly ofTwoValues: number;
}

/** What each token that is not set would add, the one that adds most first. */
export function sightAdded(settings: Settings, now: Plan, casesAt: CasesAt): readonly SightAdded[] {
  const { catalogue, claims, variables } = settings;
  const { contract } = catalogue;
  const ofClaimed = catalogue.tokens.filter(({ kind }) => claims.kinds.includes(kind)).map(({ name }) => name);
  const missing = ofClaimed.filter((name) => !variables.has(name));
  if (missing.length === 0) return [];
  const all = planRun(withVariables(settings, [...ofClaimed, 'ACT_AS_EMAIL']), {
    casesAt,
    redactor: noRedactor,
  }).whole;
  const known = isolatedCases(contract, kindsSent(catalogue, claims)).filter(all.canSend);
  const planned = known.filter(({ id }) => all.cases.has(id));
  const addedAt = (strength: Strength) => {
    const combinations = createCombinations(known, [strength]);
    for (const one of planned) if (now.cases.has(one.id)) combinations.add(one);
    const before = combinations.count(strength);
    return (variable: string) => {
      const more = planned.filter(({ id }) => !now.cases.has(id) && all.find(id)?.credential?.variable === variable);
      for (const one of more) combinations.add(one);
      const { seen } = combinations.count(strength);
      for (const one of more) combinations.remove(one);
      return Math.round((1000 * (seen - before.seen)) / before.all) / 10;
    };
  };
  const [one, two] = [addedAt(1), addedAt(2)];
  return missing
    .map((variable) => ({ variable, ofOneValue: one(variable), ofTwoValues: two(variable) }))
    .filter(({ ofOneValue, ofTwoValues }) => ofOneValue + ofTwoValues > 0)
    .sort((a, b) => b.ofOneValue - a.ofOneValue || b.ofTwoValues - a.ofTwoValues);
}
