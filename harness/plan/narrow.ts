import type { Contract } from '../contract/contract.ts';
import { globOf } from './glob.ts';
import { groupOf } from './group.ts';
import { type CheckHead, isNarrowed, type Narrowing } from './narrowing.ts';
import { type Plan, planOf } from './plan.ts';
import { requirementsAbout } from './requirements-about.ts';
import { shareOf } from './shard.ts';

export interface Part<C extends CheckHead> {
  readonly plan: Plan;
  readonly checks: readonly C[];
}

/**
 * The part of a plan, and of the checks, that a run takes. Every denial keeps its control, and every case its nearest
 * acceptance, which is looked for in the whole plan.
 */
export function narrow<C extends CheckHead>(
  contract: Contract,
  plan: Plan,
  checks: readonly C[],
  narrowing: Narrowing,
): Part<C> {
  if (!isNarrowed(narrowing)) return { plan, checks };
  const [only, except] = [narrowing.only.map(globOf), narrowing.except.map(globOf)];
  const wanted = (id: string, about: () => readonly string[]) =>
    (only.length === 0 || only.some((matches) => matches(id))) &&
    !except.some((matches) => matches(id)) &&
    (narrowing.requirements.length === 0 || about().some((id) => narrowing.requirements.includes(id)));
  const groups = plan.groups.flatMap((group) => {
    const kept = group.cases.filter((found) => wanted(found.id, () => requirementsAbout(contract, found)));
    if (kept.length === group.cases.length) return [group];
    return kept.length > 0 ? [{ ...group, cases: kept }] : [];
  });
  const keptChecks = checks.filter(({ id, requirements }) => wanted(id, () => requirements));
  const undecidable = plan.undecidable.filter(({ case: { id, values }, expectation }) =>
    wanted(id, () => requirementsAbout(contract, { values, expectation })),
  );
  const share = narrowing.shard && shareOf(groups, keptChecks, narrowing.shard);
  if (!share) return { plan: withGroups(plan, groups, undecidable), checks: keptChecks };
  const mine = undecidable.filter(({ case: { values }, expectation }) => share.hasGroup(groupOf(values, expectation)));
  return {
    plan: withGroups(
      plan,
      groups.filter(({ id }) => share.hasGroup(id)),
      mine,
    ),
    checks: keptChecks.filter(({ id }) => share.hasCheck(id)),
  };
}

function withGroups(plan: Plan, groups: Plan['groups'], undecidable: Plan['undecidable']): Plan {
  const needed = new Set(
    groups.flatMap(({ cases }) => cases.flatMap(({ id, control }) => (control === undefined ? [id] : [id, control]))),
  );
  const cases = new Map([...plan.cases].filter(([id]) => needed.has(id)));
  return planOf({ ...plan, groups, undecidable, cases });
}
