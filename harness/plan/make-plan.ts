import { groupedBy } from '../contract/collections.ts';
import type { Contract, Depth } from '../contract/contract.ts';
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
import { type Combinations, createCombinations } from './strength/combinations.ts';
import { type Isolated, isolationOf } from './strength/isolation.ts';
import { numberingOf } from './strength/numbering.ts';

interface PlanInput extends Supplies {
  readonly depth: Depth;
  readonly casesAt: CasesAt;
}

/** Decides, before anything is sent, which cases to send, in which groups, and which cases stay undecided and why. */
export function makePlan(input: PlanInput): Plan {
  const { contract } = input.catalogue;
  const planner = plannerOf(input);
  const { cases, groups, undecidable } = planCases(input, planner);
  // Acceptances come first: they show which tokens work before the denials of the same tokens are judged.
  const ordered = [...mostTellingFirst(contract, groups)].sort((a, b) => Number(isDenial(a)) - Number(isDenial(b)));
  const { canSend, proofOf } = planner;
  return planOf({
    ...{ undecidable, cases, proofOf, canSend },
    groups: ordered,
    acceptances: acceptancesIn(cases),
    find: (id) => cases.get(id) ?? planner.find(id),
    credentials: input.credentials.all(),
  });
}

/** Plans every case of a depth, and their controls. The groups are in no order: to order them takes a fourth of a plan. */
export function planCases(
  { depth, casesAt }: PlanInput,
  planner: Planner,
): Pick<Plan, 'cases' | 'groups' | 'undecidable'> {
  const cases = new Map<string, PlannedCase>();
  const inGroups: PlannedCase[] = [];
  const undecidable: Undecidable[] = [];
  for (const testCase of casesAt(depth)) {
    const planning = planner.plan(testCase);
    if (planning.kind === 'not-planned') {
      undecidable.push({ case: testCase, expectation: planning.expectation, ...planning.why });
      continue;
    }
    const { planned } = planning;
    cases.set(testCase.id, planned);
    inGroups.push(planned);
    const control =
      planned.control === undefined ? undefined : (cases.get(planned.control) ?? planner.find(planned.control));
    if (control) cases.set(control.id, control);
  }
  const groups = [...groupedBy(inGroups, ({ group }) => group)].map(([id, members]) => ({ id, cases: members }));
  return { cases, groups, undecidable };
}

function isDenial({ cases: [first] }: Group): boolean {
  return first?.expectation.kind !== 'accept';
}

/** A group that waits, with what each of its requests would add on average when it was last asked. */
interface Waiting {
  readonly group: Group;
  readonly shown: readonly Isolated[];
  readonly isGrave: boolean;
  rate: number;
}

/** Orders groups by what they add, so that a run cut short has seen most. Of equals, what keeps people's data apart comes first. */
function mostTellingFirst(contract: Contract, groups: readonly Group[]): readonly Group[] {
  const grave = new Set(contract.requirements.flatMap(({ id, grave: is }) => (is ? [id] : [])));
  const waiting = groups.map(
    (group): Waiting => ({
      group,
      shown: group.cases.flatMap((one) => isolationOf(contract, one) ?? []),
      isGrave: group.cases.some(({ expectation }) => expectation.suspects.some((one) => grave.has(one.requirement))),
      rate: Number.POSITIVE_INFINITY,
    }),
  );
  const all = waiting.flatMap(({ shown }) => shown);
  const combinations = createCombinations(all, [2], numberingOf(contract, all));
  const ordered: Group[] = [];
  while (waiting.length > 0) {
    // A rate never grows. So the first group whose rate stays the largest when it is asked again is the best.
    waiting.sort((a, b) => b.rate - a.rate || Number(b.isGrave) - Number(a.isGrave));
    const [first, second] = waiting;
    if (!first) break;
    first.rate = rateOf(combinations, first);
    if (second && first.rate < second.rate) continue;
    for (const one of first.shown) combinations.add(one);
    ordered.push(first.group);
    waiting.shift();
  }
  return ordered;
}

function rateOf(combinations: Combinations, { group, shown }: Waiting): number {
  let gain = 0;
  for (const one of shown) {
    gain += combinations.gain(one);
    combinations.add(one);
  }
  for (const one of shown) combinations.remove(one);
  return gain / Math.max(1, group.cases.length);
}
