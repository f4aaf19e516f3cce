import { type Contract, type Depth, DIMENSIONS, type Values } from '../contract/contract.ts';
import { type Case, differing, neutralCases } from './case.ts';
import { controlOf } from './control.ts';
import type { CasesAt } from './expand.ts';
import { type Expectation, expect } from './expectation.ts';
import { groupOf } from './group.ts';
import { lackFinder, type Supplies } from './not-planned.ts';
import { acceptancesIn, type Group, type Plan, type PlannedCase, planOf, type Undecidable } from './plan.ts';

export interface PlanInput extends Supplies {
  readonly depth: Depth;
  readonly casesAt: CasesAt;
}

/** Decides, before any traffic, which cases are sent, in which groups, and what stays undecided for which reason. */
export function makePlan(input: PlanInput): Plan {
  const { catalogue, claims, depth, casesAt } = input;
  const { contract, kinds } = catalogue;
  const expectationOf = rememberingOracle(contract);
  const lackOf = lackFinder(input);
  const neutral = neutralCases(contract);
  const cases = new Map<string, PlannedCase>();
  const groups = new Map<string, PlannedCase[]>();
  const undecidable: Undecidable[] = [];

  const plan = (found: Case, expectation: Expectation, control: string | undefined): PlannedCase => {
    const { operation, kind } = found.values;
    const supply = input.credentials.supply(found.values);
    const credential = supply.kind === 'token' ? supply.credential : undefined;
    const deviations = differing(found.values, neutral(operation, kind).values).length;
    return { ...found, group: groupOf(found.values, expectation), expectation, credential, control, deviations };
  };

  // A denial without a token of its own is shown beside the first claimed kind that has one.
  const supplied = (operation: string) =>
    claims.kinds.find((kind) => lackOf(neutral(operation, kind).values) === undefined) ?? claims.kinds[0];
  const vouching = new Map(contract.operations.map(({ id }) => [id, supplied(id)]));
  const controlFor = (found: Case, { kind: expected }: Expectation): Case | undefined => {
    const { operation, kind } = found.values;
    const own = kinds.includes(kind) ? kind : vouching.get(operation);
    if (expected === 'accept' || own === undefined) return undefined;
    return controlOf(contract, found, neutral(operation, own));
  };

  for (const found of casesAt(depth)) {
    const expectation = expectationOf(found.values);
    const lacking = lackOf(found.values);
    const control = lacking ? undefined : controlFor(found, expectation);
    const notPlanned = lacking ?? (control && lackOf(control.values));
    if (notPlanned) {
      undecidable.push({ case: found, expectation, ...notPlanned });
      continue;
    }
    const planned = plan(found, expectation, control?.id);
    cases.set(found.id, planned);
    const members = groups.get(planned.group);
    if (members) members.push(planned);
    else groups.set(planned.group, [planned]);
    if (control && !cases.has(control.id))
      cases.set(control.id, plan(control, expectationOf(control.values), undefined));
  }
  const ordered = [...groups].map(([id, members]): Group => ({ id, cases: members }));
  // What must be accepted comes first: it shows which tokens live before their denials are judged.
  ordered.sort((a, b) => Number(isDenial(a)) - Number(isDenial(b)));
  return planOf({ depth, groups: ordered, undecidable, cases, acceptances: acceptancesIn(cases) });
}

function isDenial({ cases: [first] }: Group): boolean {
  return first?.expectation.kind !== 'accept';
}

/** Cases that agree in every aspect that a rule asks for share one expectation. */
function rememberingOracle(contract: Contract): (values: Values) => Expectation {
  const known = new Map<string, Expectation>();
  return (values) => {
    const key = [
      values.family,
      values.scope,
      values['holding-form'],
      ...DIMENSIONS.filter((d) => d !== 'holding').map((d) => values[d]),
    ].join(' ');
    const found = known.get(key) ?? expect(contract, values);
    known.set(key, found);
    return found;
  };
}
