import picomatch from 'picomatch';
import { configurationError } from '../contract/configuration-error.ts';
import { type Contract, requirementFor, type Values } from '../contract/contract.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { Expectation } from './expectation.ts';
import { groupOf, type Plan, provableBy } from './make-plan.ts';
import { type CheckHead, describeNarrowing, isNarrowed, type Narrowing } from './narrowing.ts';
import { shareOf } from './shard.ts';

export interface Part<C extends CheckHead> {
  readonly plan: Plan;
  readonly checks: readonly C[];
}

/** A glob over ids, in which `*` stays within one part and `**` does not. */
export function globOf(glob: string): (id: string) => boolean {
  const matches = picomatch(glob, { dot: true });
  // It takes a second argument, which `some` and `find` would give it.
  return (id) => matches(id);
}

/**
 * The part of a plan, and of the checks, that a run takes. Every denial keeps its control, and
 * every case its nearest acceptance, which is looked for in the whole plan.
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
  return { ...plan, groups, undecidable, cases, provable: provableBy(cases.values()) };
}

/** Every requirement that a case can decide: those it may be blamed on, and what the ledger says of its answer's form. */
export function requirementsAbout(
  { operations, rules }: Contract,
  { values, expectation }: { readonly values: Values; readonly expectation: Expectation },
): readonly string[] {
  const named = [...expectation.suspects, ...expectation.silent].map(({ requirement }) => requirement);
  const documented = operations.find(({ id }) => id === values.operation)?.success.validate !== undefined;
  const onRefusal = Object.values(rules.messages).map(({ requirement }) => requirement);
  const onAcceptance = [
    requirementFor('{operation}.response', values.operation),
    ...(documented ? ['response.content-type'] : []),
  ];
  switch (expectation.kind) {
    case 'refuse':
      return [...named, ...onRefusal];
    case 'accept':
      return [...named, ...onAcceptance];
    case 'open':
      return [...named, ...onRefusal, ...onAcceptance];
  }
}

/**
 * Refuses what would leave out more than was meant: a glob that matches nothing, a requirement that does not exist, more
 * shards than there is work.
 * @param checks those that the run takes.
 * @param known ids of all checks, also of those that only --intrusive sends.
 * @throws a configuration error that names each problem, with the likely meant name.
 */
export function refuseNarrowing(
  contract: Contract,
  plan: Plan,
  checks: readonly CheckHead[],
  known: readonly string[],
  narrowing: Narrowing,
): void {
  const planned = [...plan.cases.keys(), ...plan.undecidable.map(({ case: { id } }) => id)];
  const taken = checks.map(({ id }) => id);
  const problems = [
    ...narrowing.requirements.flatMap((id) => requirementProblem(contract, '--requirement', id)),
    ...(['only', 'except'] as const).flatMap((flag) =>
      narrowing[flag].flatMap((glob) => {
        const matches = globOf(glob);
        if (planned.some(matches) || taken.some(matches)) return [];
        const intrusive = known.find(matches);
        return intrusive === undefined
          ? [`--${flag} ${glob} matches no case and no check${hint(glob, [...planned, ...known])}`]
          : [`--${flag} ${glob}: ${intrusive} sends bursts or random requests, so it needs --intrusive here`];
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
      `--shard ${narrowing.shard.index}/${narrowing.shard.of} asks for more shards than the ${units} groups and checks of this run; take at most ${units}`,
    );
}

/** What is wrong with the id of a requirement; nothing when the ledger has it and something decides it. */
export function requirementProblem({ requirements }: Contract, where: string, id: string): string[] {
  const found = requirements.find((requirement) => requirement.id === id);
  if (!found) {
    const ids = requirements.filter(({ excluded }) => excluded === undefined).map((requirement) => requirement.id);
    return [`${where} ${id} is no requirement of the ledger${didYouMean(id, ids)}`];
  }
  return found.excluded === undefined ? [] : [`${where} ${id} is decided by no request: ${found.excluded}`];
}

/** The part of a glob that no id has, with the one that it most likely means. */
export function hint(glob: string, ids: readonly string[]): string {
  const parts = new Set(ids.flatMap((id) => id.split('/')));
  const strange = glob.split('/').find((part) => !/[*?[\]{}()!+@]/.test(part) && !parts.has(part));
  if (strange !== undefined) return didYouMean(strange, [...parts]) || `: no id has a part ${strange}`;
  return ': `*` stands for one part of an id, `**` for any number of them';
}

function nothingLeft(plan: Plan, narrowing: Narrowing): string {
  const flags = describeNarrowing(narrowing);
  const [first] = plan.undecidable;
  if (!first) return `nothing is left to send: no case and no check matches all of ${flags}`;
  const reasons = [...new Set(plan.undecidable.map(({ reason }) => reason))];
  return `nothing is left to send: ${flags} leaves ${plan.undecidable.length} cases, and they need ${reasons.slice(0, 5).join(', ')}`;
}
