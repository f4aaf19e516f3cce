import { counted } from '../contract/amounts.ts';
import { configurationError, didYouMean } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { groupOf, textOfLack } from './case.ts';
import { globOf, hint } from './glob.ts';
import { type CheckHead, describeNarrowing, isNarrowed, type Narrowing } from './narrowing.ts';
import { type Plan, planOf } from './plan.ts';
import { requirementsAbout } from './requirements-about.ts';
import { shareOf } from './shard.ts';

/** What a narrowed run sends. Every denial keeps its control, and the nearest acceptance still comes from the whole plan. */
export function narrow<C extends CheckHead>(
  contract: Contract,
  plan: Plan,
  checks: readonly C[],
  narrowing: Narrowing,
) {
  if (!isNarrowed(narrowing)) return { plan, checks };
  const [only, except] = [narrowing.only.map(globOf), narrowing.except.map(globOf)];
  const wanted = (id: string, about: () => readonly string[]) =>
    (only.length === 0 || only.some((matches) => matches(id))) &&
    !except.some((matches) => matches(id)) &&
    (narrowing.requirements.length === 0 || about().some((id) => narrowing.requirements.includes(id)));
  const groups = plan.groups.flatMap((group) => {
    const kept = group.cases.filter((planned) => wanted(planned.id, () => requirementsAbout(contract, planned)));
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

/** A plan with these groups and the controls that they need. */
function withGroups(plan: Plan, groups: Plan['groups'], undecidable: Plan['undecidable']): Plan {
  const needed = new Set(
    groups.flatMap(({ cases }) => cases.flatMap(({ id, control }) => (control === undefined ? [id] : [id, control]))),
  );
  const cases = new Map([...plan.cases].filter(([id]) => needed.has(id)));
  return planOf({ ...plan, groups, undecidable, cases });
}

/** A whole run, before it is narrowed. */
interface Narrowable {
  readonly plan: Plan;
  readonly checks: readonly CheckHead[];
  /** The ids of all checks, including those that need --intrusive. */
  readonly known: readonly string[];
}

/**
 * Refuses a narrowing that is probably a mistake: a glob that matches nothing, an unknown requirement, more shards than
 * there are groups and checks.
 * @throws a configuration error that lists every problem, with the closest known name.
 */
export function refuseNarrowing(contract: Contract, { plan, checks, known }: Narrowable, narrowing: Narrowing): void {
  const planned = [...plan.cases.keys(), ...plan.undecidable.map(({ case: { id } }) => id)];
  const sent = checks.map(({ id }) => id);
  const problems = [
    ...narrowing.requirements.flatMap((id) => requirementProblem(contract, '--requirement', id)),
    ...(['only', 'except'] as const).flatMap((flag) =>
      narrowing[flag].flatMap((glob) => {
        const matches = globOf(glob);
        if (planned.some(matches) || sent.some(matches)) return [];
        const intrusive = known.find(matches);
        return intrusive === undefined
          ? [`--${flag} ${glob} matches no case and no check${hint(glob, [...planned, ...known])}`]
          : [
              `--${flag} ${glob}: ${intrusive} sends bursts or random requests, so it needs --intrusive for this target`,
            ];
      }),
    ),
  ];
  if (problems.length > 0) throw configurationError(problems);
  const { shard: _shard, ...rest } = narrowing;
  const left = narrow(contract, plan, checks, rest);
  const units = left.plan.groups.length + left.checks.length;
  if (units === 0) throw configurationError(nothingLeft(left.plan, rest));
  if (narrowing.shard && narrowing.shard.of > units)
    throw configurationError(
      `--shard ${narrowing.shard.index}/${narrowing.shard.of}: this run has only ${units} groups and checks; use at most ${units} shards`,
    );
}

/** What is wrong with the id of a requirement; empty if nothing is. @param where the flag or the place that names it. */
export function requirementProblem({ requirements }: Contract, where: string, id: string): string[] {
  const found = requirements.find((requirement) => requirement.id === id);
  if (!found) {
    const ids = requirements.filter(({ excluded }) => excluded === undefined).map((requirement) => requirement.id);
    return [`${where} ${id} is not a requirement of the ledger${didYouMean(id, ids)}`];
  }
  return found.excluded === undefined ? [] : [`${where} ${id} cannot be tested: ${found.excluded}`];
}

function nothingLeft(plan: Plan, narrowing: Narrowing): string {
  const flags = describeNarrowing(narrowing);
  const [first] = plan.undecidable;
  if (!first) return `nothing to send: no case and no check matches all of ${flags}`;
  const reasons = [...new Set(plan.undecidable.map(({ lack }) => textOfLack(lack)))];
  return `nothing to send: ${flags} selects ${counted(plan.undecidable.length, 'case')} without what that needs: ${reasons.slice(0, 5).join(', ')}`;
}
