import type { Depth } from '../../../harness/contract/contract.ts';
import { type Conjunction, isIn } from '../../../harness/judge/conjunction.ts';
import type { Finding } from '../../../harness/judge/findings.ts';
import { expect } from '../../../harness/plan/expectation.ts';
import type { Isolated } from '../../../harness/plan/strength/isolation.ts';
import { rehearsalClock } from '../../../harness/preview/rehearsal-clock.ts';
import { noJournal } from '../../../harness/record/journal.ts';
import { startSession } from '../../../harness/run/start-session.ts';
import { drawFault, EXTENTS, type Extent, type Fault, faultyTarget, inWords, meets, type World } from './fault.ts';
import { randomOf } from './random.ts';

export interface Outcome {
  readonly seed: number;
  readonly fault: Fault;
  readonly extent: Extent;
  /** Whether the plan says that a run sees it. */
  readonly isSeen: boolean;
  readonly isCaught: boolean;
  readonly requests: number;
  /** What is wrong: a fault that is seen and not caught, another rule blamed, or another condition named. */
  readonly problems: readonly string[];
}

/** Draws a fault by its seed, which decides its extent too, unless it is given, and runs the matrix of a depth against a target with this fault. */
export async function tryFault(world: World, depth: Depth, seed: number, given?: Fault): Promise<Outcome> {
  const random = randomOf(seed);
  const extent = EXTENTS[seed % EXTENTS.length] ?? 'row';
  const fault = given ?? drawFault(world, extent, random);
  const { findings, planned, requests } = await run(world, depth, faultyTarget(fault, random));
  const isSeen = sees(world.isolated, planned, fault);
  const isCaught = findings.length > 0;
  return {
    seed,
    fault,
    extent,
    isSeen,
    isCaught,
    requests,
    problems: [
      ...(isSeen && !isCaught ? [`not caught: ${inWords(fault)}`] : []),
      ...wrongBlame(world, fault, findings),
      ...(isSeen && isCaught ? wrongCondition(world, fault, findings) : []),
    ],
  };
}

/** Runs the matrix against a target without a fault. @returns what it was blamed for. */
export async function tryFaultless(world: World, depth: Depth, seed: number): Promise<readonly string[]> {
  const { findings } = await run(world, depth, faultyTarget(undefined, randomOf(seed)));
  return findings.map(({ template }) => template);
}

async function run({ settings, casesAt }: World, depth: Depth, transport: ReturnType<typeof faultyTarget>) {
  const session = startSession(settings(depth), {
    casesAt,
    transport,
    journal: noJournal,
    clock: rehearsalClock(),
  });
  await session.preflight();
  await session.sendMatrix();
  const { findings } = session.judge();
  await session.close();
  const planned = new Set(session.plan.groups.flatMap(({ cases }) => cases.map(({ id }) => id)));
  return { findings, planned, requests: session.sender.exchanges.length };
}

/** Whether a case that is sent isolates the rule where the condition holds. If one leaves nothing open, only such cases count. */
function sees(isolated: readonly Isolated[], planned: ReadonlySet<string>, fault: Fault): boolean {
  const shown = affected(isolated, fault);
  const clear = shown.filter(({ isClear }) => isClear);
  return (clear.length > 0 ? clear : shown).some(({ id }) => planned.has(id));
}

function affected(isolated: readonly Isolated[], fault: Fault): readonly Isolated[] {
  return isolated.filter(({ rule, values }) => rule === fault.rule && meets(fault, values));
}

function wrongBlame(world: World, fault: Fault, findings: readonly Finding[]): readonly string[] {
  const own = templatesOf(world, fault);
  return findings
    .filter(({ template }) => !own.has(template))
    .map(({ template }) => `${inWords(fault)}: blamed for ${template}`);
}

/** The requirements of the rule. A request that must be accepted has several. */
function templatesOf({ contract, isolated }: World, fault: Fault): ReadonlySet<string> {
  const rule = contract.rules.refusals.find(({ id }) => id === fault.rule);
  if (rule) return new Set([rule.requirement]);
  return new Set(
    affected(isolated, fault).flatMap(({ values }) => expect(contract, values).suspects.map((one) => one.template)),
  );
}

/** Two conditions are equal if they select the same cases among those that can show the rule. */
function wrongCondition(world: World, fault: Fault, findings: readonly Finding[]): readonly string[] {
  const own = templatesOf(world, fault);
  const suspected = ({ values }: Isolated) => expect(world.contract, values).suspects.map(({ template }) => template);
  const wrong = world.isolated.find((one) => {
    const suspects = suspected(one);
    if ((fault.effect !== 'lifted' && !one.isClear) || !suspects.some((template) => own.has(template))) return false;
    const isNamed = findings.some(
      ({ template, places }) => suspects.includes(template) && places.some((place) => isIn(place, one.values)),
    );
    return isNamed !== (one.rule === fault.rule && meets(fault, one.values));
  });
  const named = findings.flatMap(({ template, places }) => places.map((place) => `${template} ${placeInWords(place)}`));
  return wrong ? [`${inWords(fault)}: named ${named.join(' or ') || 'no condition'}, differs for ${wrong.id}`] : [];
}

function placeInWords(place: Conjunction): string {
  return place.map(({ aspect, value }) => `${aspect}:${value}`).join(' ') || 'everywhere';
}
