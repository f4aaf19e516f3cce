import { ACCEPTED, type Contract, holds } from '../contract/contract.ts';
import { clearestCase } from '../judge/causes.ts';
import { isIn } from '../judge/conjunction.ts';
import type { Finding } from '../judge/findings.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import type { Plan } from '../plan/plan.ts';
import { type Isolated, isolatedCases, isolationOf } from '../plan/strength/isolation.ts';
import { requirementOf, towardsNeutral, valuesBeside } from '../plan/strength/variations.ts';
import { isOutlived } from '../record/outlived.ts';
import type { Gate } from '../send/gate.ts';
import { lastAcceptance } from '../send/lockout.ts';
import type { Sender } from '../send/sender.ts';
import { type Asking, askMasked, type Probe, probeOf, valuesIn } from './ask-masked.ts';

/** The most cases that a run sends beyond its depth, and the most of them for what is masked. */
const MOST_IN_A_RUN = 240;
const MOST_FOR_MASKED = 120;

/** Asks what stayed undecided because something else covers it, and then more where something is wrong (outcomes 3). */
export async function askFurther(options: Pick<Asking, 'sending' | 'judge' | 'isOver'>): Promise<void> {
  const asking = { ...options, sent: { count: 0 }, most: MOST_IN_A_RUN };
  await askMasked(asking, probeOf(asking, MOST_FOR_MASKED));
  await findConditions(asking);
}

/** So many more sends tell a fault from chance, or nothing does. */
const MOST_SENDS = 12;

interface Settling {
  readonly sender: Pick<Sender, 'send'>;
  /** Judges everything that was sent until now. */
  readonly judge: () => Pick<JudgedRun, 'verdicts'>;
  readonly isOver: () => boolean;
}

/** Sends again the cases whose wrong answer comes by chance elsewhere too, until it is clear what it is here (outcomes 3). */
export async function settleChance({ sender, judge, isOver }: Settling): Promise<void> {
  for (let time = 0; time < MOST_SENDS && !isOver(); time += 1) {
    const unclear = judge().verdicts.filter((verdict) => verdict.unclear);
    if (unclear.length === 0) return;
    for (const { case: planned } of unclear) await sender.send(planned, 'confirmation');
  }
}

interface EndingRun {
  readonly plan: Plan;
  readonly sender: Sender;
  readonly gate: Pick<Gate, 'closed' | 'close'>;
}

/**
 * Stops the run if its last request got no answer and the target no longer answers at all. An odd request of a check may
 * have ended the target, and the run would conform because nothing was left to send (outcomes 6).
 */
export async function endIfDead({ plan, sender, gate }: EndingRun): Promise<void> {
  if (gate.closed !== undefined || sender.exchanges.at(-1)?.observation.kind !== 'failure') return;
  const last = lastAcceptance(plan, sender.exchanges);
  const seen = last && (await sender.send(last.planned, 'control'))?.observation;
  if (seen?.kind === 'failure' && !isOutlived(seen))
    gate.close(`the target no longer answers what it accepted before (${seen.detail}): it may have ended`);
}

/** The most cases for one condition. */
const MOST_FOR_ONE = 60;

/**
 * Asks more where something is wrong, so that a cause names its smallest condition although few cases were sent. From a
 * miss of each cause, it goes towards the well-made request, one dimension at a time, as long as the miss stays. Then
 * it sends the values beside it, and at last the values that can occur under each condition that is named. It sends
 * nothing if nothing is wrong.
 */
async function findConditions(search: Asking): Promise<void> {
  const { contract } = search.sending;
  const started = new Set<string>();
  let known: readonly Isolated[] | undefined;
  while (!search.isOver() && search.sent.count < search.most) {
    const { findings } = search.judge();
    const probe = probeOf(search, MOST_FOR_ONE);
    const start = findings.flatMap((finding) => startsOf(contract, finding)).find(({ id }) => !started.has(id));
    if (start) {
      started.add(start.id);
      const smallest = await smallestMiss(contract, start, probe);
      started.add(smallest.id);
      await probe(valuesBeside(contract, smallest));
      continue;
    }
    known ??= findings.length === 0 ? [] : isolatedCases(contract);
    const unseen = findings.flatMap((finding) => unseenIn(search, finding, known ?? []));
    if (unseen.length === 0) return;
    await probe(unseen);
  }
}

/** A case for each value that can occur under a condition that is named, and that no case under it has yet. */
function unseenIn({ sending }: Asking, { verdict, places, template }: Finding, known: readonly Isolated[]) {
  const { plan, sender, contract } = sending;
  if (verdict === 'inconclusive') return [];
  return places.flatMap((place) => {
    // The place also says something of operations without a miss. The rule has another requirement for each.
    const inside = known.filter((one) => isIn(place, one.values) && isAbout(contract, one, template));
    const seen = new Set(
      inside.filter(({ id }) => sender.seen(id) !== undefined).flatMap(({ values }) => valuesIn(contract, values)),
    );
    return inside.filter((one) => {
      if (valuesIn(contract, one.values).every((value) => seen.has(value)) || plan.find(one.id) === undefined)
        return false;
      for (const value of valuesIn(contract, one.values)) seen.add(value);
      return true;
    });
  });
}

/** The clearest miss in each place of a cause, if it shows one rule. */
function startsOf(contract: Contract, { verdict, places, cases, template }: Finding): readonly Isolated[] {
  if (verdict === 'inconclusive') return [];
  return places.flatMap((place) => {
    const shown = cases.filter(
      (found) => isIn(place, found.case.values) && isolationOf(contract, found.case) !== undefined,
    );
    return shown.length === 0 ? [] : (isolationOf(contract, clearestCase(shown, template).case) ?? []);
  });
}

/** Whether a miss of the case would be blamed on this requirement. */
function isAbout(contract: Contract, isolated: Isolated, template: string): boolean {
  if (isolated.rule !== ACCEPTED) return requirementOf(contract, isolated) === template;
  const { acceptances } = contract.rules;
  return acceptances.some(({ requirement, when }) => requirement === template && holds(when, isolated.values));
}

/** Gives one dimension after the other the value of a well-made request, as long as the answer stays wrong. */
async function smallestMiss(contract: Contract, start: Isolated, probe: Probe): Promise<Isolated> {
  let smallest = start;
  for (const dimension of [...contract.dimensions].reverse()) {
    const next = towardsNeutral(contract, smallest, dimension);
    if (next && (await probe([next])).has(next.id)) smallest = next;
  }
  return smallest;
}
