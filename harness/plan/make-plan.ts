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

/** Decides, before anything is sent, which cases to send, in which groups, and which cases stay undecided and why. */
export function makePlan(input: PlanInput): Plan {
  const { catalogue, claims, depth, casesAt } = input;
  const { contract, kinds } = catalogue;
  const expectationOf = memoizedOracle(contract);
  const lackOf = lackFinder(input);
  const neutral = neutralCases(contract);
  const cases = new Map<string, PlannedCase>();
  const groups = new Map<string, PlannedCase[]>();
  const undecidable: Undecidable[] = [];

  const planCase = (testCase: Case, expectation: Expectation, control: string | undefined): PlannedCase => {
    const { operation, kind } = testCase.values;
    const supply = input.credentials.supply(testCase.values);
    const credential = supply.kind === 'token' ? supply.credential : undefined;
    const deviations = differing(testCase.values, neutral(operation, kind).values).length;
    return { ...testCase, group: groupOf(testCase.values, expectation), expectation, credential, control, deviations };
  };

  // A case without a token, or with an unknown one, has a control of the first claimed kind (outcomes 2).
  const firstSuppliedKind = (operation: string) =>
    claims.kinds.find((kind) => lackOf(neutral(operation, kind).values) === undefined) ?? claims.kinds[0];
  const substituteKinds = new Map(contract.operations.map(({ id }) => [id, firstSuppliedKind(id)]));
  const controlFor = (testCase: Case, { kind: expected }: Expectation): Case | undefined => {
    const { operation, kind } = testCase.values;
    const controlKind = kinds.includes(kind) ? kind : substituteKinds.get(operation);
    if (expected === 'accept' || controlKind === undefined) return undefined;
    return controlOf(contract, testCase, neutral(operation, controlKind));
  };

  for (const testCase of casesAt(depth)) {
    const expectation = expectationOf(testCase.values);
    const ownLack = lackOf(testCase.values);
    const control = ownLack ? undefined : controlFor(testCase, expectation);
    const notPlanned = ownLack ?? (control && lackOf(control.values));
    if (notPlanned) {
      undecidable.push({ case: testCase, expectation, ...notPlanned });
      continue;
    }
    const planned = planCase(testCase, expectation, control?.id);
    cases.set(testCase.id, planned);
    const members = groups.get(planned.group);
    if (members) members.push(planned);
    else groups.set(planned.group, [planned]);
    if (control && !cases.has(control.id))
      cases.set(control.id, planCase(control, expectationOf(control.values), undefined));
  }
  const ordered = [...groups].map(([id, members]): Group => ({ id, cases: members }));
  // Acceptances come first: they show which tokens work before the denials of the same tokens are judged.
  ordered.sort((a, b) => Number(isDenial(a)) - Number(isDenial(b)));
  return planOf({ depth, groups: ordered, undecidable, cases, acceptances: acceptancesIn(cases) });
}

function isDenial({ cases: [first] }: Group): boolean {
  return first?.expectation.kind !== 'accept';
}

/** Computes an expectation once for all cases that agree in every aspect that a rule can name. */
function memoizedOracle(contract: Contract): (values: Values) => Expectation {
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
