import { configurationError } from '../contract/configuration-error.ts';
import type { Contract } from '../contract/contract.ts';
import { didYouMean } from '../contract/did-you-mean.ts';
import { globOf, hint } from './glob.ts';
import { textOfLack } from './lack.ts';
import { narrow } from './narrow.ts';
import { type CheckHead, describeNarrowing, type Narrowing } from './narrowing.ts';
import type { Plan } from './plan.ts';

/** A whole run, before it is narrowed. */
export interface Narrowable {
  readonly plan: Plan;
  /** The checks that the run takes. */
  readonly checks: readonly CheckHead[];
  /** Ids of all checks, also of those that only --intrusive sends. */
  readonly known: readonly string[];
}

/**
 * Refuses what would leave out more than was meant: a glob that matches nothing, a requirement that does not exist, more
 * shards than there is work.
 * @throws a configuration error that names each problem, with the likely meant name.
 */
export function refuseNarrowing(contract: Contract, { plan, checks, known }: Narrowable, narrowing: Narrowing): void {
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

function nothingLeft(plan: Plan, narrowing: Narrowing): string {
  const flags = describeNarrowing(narrowing);
  const [first] = plan.undecidable;
  if (!first) return `nothing is left to send: no case and no check matches all of ${flags}`;
  const reasons = [...new Set(plan.undecidable.map(({ lack }) => textOfLack(lack)))];
  return `nothing is left to send: ${flags} leaves ${plan.undecidable.length} cases, and they need ${reasons.slice(0, 5).join(', ')}`;
}
