import type { Depth } from '../contract/contract.ts';
import type { CasesAt } from './expand.ts';
import {
  acceptancesIn,
  type Group,
  type Plan,
  type PlannedCase,
  planOf,
  type Supplies,
  type Undecidable,
} from './plan.ts';
import { type Planner, plannerOf } from './planner.ts';
import { mostTellingFirst } from './strength/order.ts';

export interface PlanInput extends Supplies {
  readonly depth: Depth;
  readonly casesAt: CasesAt;
}

/** Decides, before anything is sent, which cases to send, in which groups, and which cases stay undecided and why. */
export function makePlan(input: PlanInput): Plan {
  const { credentials, depth } = input;
  const { contract } = input.catalogue;
  const planner = plannerOf(input);
  const { cases, groups, undecidable } = planCases(input, planner);
  // Acceptances come first: they show which tokens work before the denials of the same tokens are judged.
  const ordered = [...mostTellingFirst(contract, groups)].sort((a, b) => Number(isDenial(a)) - Number(isDenial(b)));
  const find = (id: string) => cases.get(id) ?? planner.find(id);
  const acceptances = acceptancesIn(cases);
  const { canSend, proofOf } = planner;
  return planOf({
    depth,
    groups: ordered,
    undecidable,
    cases,
    acceptances,
    find,
    proofOf,
    canSend,
    credentials: credentials.all(),
  });
}

/** Plans every case of a depth, and their controls. The groups are in no order: to order them takes a fourth of a plan. */
export function planCases(
  { depth, casesAt }: PlanInput,
  planner: Planner,
): Pick<Plan, 'cases' | 'groups' | 'undecidable'> {
  const cases = new Map<string, PlannedCase>();
  const groups = new Map<string, PlannedCase[]>();
  const undecidable: Undecidable[] = [];
  for (const testCase of casesAt(depth)) {
    const planning = planner.plan(testCase);
    if (planning.kind === 'not-planned') {
      undecidable.push({ case: testCase, expectation: planning.expectation, ...planning.why });
      continue;
    }
    const { planned } = planning;
    cases.set(testCase.id, planned);
    const members = groups.get(planned.group);
    if (members) members.push(planned);
    else groups.set(planned.group, [planned]);
    const control =
      planned.control === undefined ? undefined : (cases.get(planned.control) ?? planner.find(planned.control));
    if (control) cases.set(control.id, control);
  }
  return { cases, groups: [...groups].map(([id, members]): Group => ({ id, cases: members })), undecidable };
}

function isDenial({ cases: [first] }: Group): boolean {
  return first?.expectation.kind !== 'accept';
}
