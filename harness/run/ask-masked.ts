import { setsOf } from '../contract/collections.ts';
import type { Contract, Values } from '../contract/contract.ts';
import type { JudgedRun } from '../judge/judge-run.ts';
import { tallyUp } from '../judge/tallies.ts';
import { unitOf } from '../plan/case.ts';
import { expect } from '../plan/expectation.ts';
import { type Isolated, isolatedCases } from '../plan/strength/isolation.ts';
import { type Sending, sendGroup } from './send-group.ts';

/** So many cases are sent about one requirement in one unit. If something covers all of them, it covers any. */
const MOST_TRIES = 3;

/** A requirement that no answer decided in a unit, although cases of it were sent. */
interface Masked {
  readonly requirement: string;
  readonly unit: string;
}

/**
 * Asks again what nothing decided because every case of it failed for another reason, got no answer, or met a silent rule: in
 * a case that isolates it and has as little as possible of what those cases had (outcomes 3). It sends nothing if every
 * requirement is decided.
 */
export async function askMasked({ sending, judge, isOver }: Asking, probe: Probe): Promise<void> {
  const { contract, plan, sender } = sending;
  let known: readonly Isolated[] | undefined;
  for (let time = 0; time < MOST_TRIES && !isOver(); time += 1) {
    const judged = judge();
    const masked = maskedIn(contract, judged);
    if (masked.length === 0) return;
    known ??= isolatedCases(contract, kindsOf(masked)).filter(({ isClear }) => isClear);
    const open = known.filter(({ id }) => sender.seen(id) === undefined);
    const good = goodValues(contract, judged);
    const chosen = masked.flatMap((one) => {
      const cases = casesOf(contract, one, open);
      return byLeastInCommon(contract, good.get(one.unit), cases).find(({ id }) => plan.find(id)) ?? [];
    });
    if (chosen.length === 0) return;
    await probe([...new Set(chosen)]);
  }
}

function kindsOf(masked: readonly Masked[]): string[] {
  return [...new Set(masked.map(({ unit }) => unit.slice(unit.indexOf('/') + 1)))];
}

/** What nothing decided although something was sent for it. */
export function maskedIn(contract: Contract, judged: JudgedRun): readonly Masked[] {
  const open = [...tallyUp({ contract, ...judged })].flatMap(([requirement, units]) =>
    [...units].flatMap(([unit, { decided, observed }]) => (decided + observed === 0 ? [{ requirement, unit }] : [])),
  );
  if (open.length === 0) return [];
  const sent = new Set<string>();
  for (const { case: planned, sent: times } of judged.verdicts)
    if (times > 0)
      for (const { requirement } of planned.expectation.suspects) sent.add(`${requirement} ${unitOf(planned.values)}`);
  return open.filter(({ requirement, unit }) => sent.has(`${requirement} ${unit}`));
}

function casesOf(contract: Contract, { requirement, unit }: Masked, cases: readonly Isolated[]): readonly Isolated[] {
  return cases.filter(
    ({ values }) =>
      unitOf(values) === unit &&
      expect(contract, values).suspects.some((suspect) => suspect.requirement === requirement),
  );
}

/** By unit, the values of its cases that pass. */
function goodValues(contract: Contract, { verdicts }: JudgedRun): ReadonlyMap<string, ReadonlySet<string>> {
  const good = verdicts.filter(({ verdict }) => verdict === 'pass').map(({ case: { values } }) => values);
  return setsOf(good.flatMap((values) => valuesIn(contract, values).map((value) => [unitOf(values), value] as const)));
}

/** Those first that have the fewest values which no decided case of the unit has. */
function byLeastInCommon(
  contract: Contract,
  good: ReadonlySet<string> = new Set(),
  cases: readonly Isolated[],
): readonly Isolated[] {
  const counted = cases.map((one) => {
    const strange = valuesIn(contract, one.values).filter((value) => !good.has(value)).length;
    return { one, strange };
  });
  return counted.sort((a, b) => a.strange - b.strange).map(({ one }) => one);
}

export function valuesIn({ dimensions }: Contract, values: Values): readonly string[] {
  return dimensions.map((dimension) => `${dimension}:${values[dimension]}`);
}

/** What sends cases beyond the depth of a run, and how many it may send. */
export interface Asking {
  readonly sending: Sending;
  /** Judges everything that was sent until now. */
  readonly judge: () => JudgedRun;
  readonly isOver: () => boolean;
  readonly sent: { count: number };
  readonly most: number;
}

/** Sends cases and returns the ids of those that miss. */
export type Probe = (cases: readonly Pick<Isolated, 'id'>[]) => Promise<ReadonlySet<string>>;

/** @param share how many cases this probe may send at most. */
export function probeOf({ sending, judge, isOver, sent, most }: Asking, share: number): Probe {
  const { plan, sender } = sending;
  const limit = Math.min(most, sent.count + share);
  return async (cases) => {
    const open = cases.filter(({ id }) => sender.seen(id) === undefined).flatMap(({ id }) => plan.find(id) ?? []);
    const next = isOver() ? [] : open.slice(0, Math.max(0, limit - sent.count));
    sent.count += next.length;
    if (next.length > 0) await sendGroup(sending, { id: 'conditions', cases: next });
    const asked = new Set(cases.map(({ id }) => id));
    const missed = judge().verdicts.filter(
      ({ case: { id }, verdict }) => asked.has(id) && (verdict === 'fail' || verdict === 'warn'),
    );
    return new Set(missed.map(({ case: { id } }) => id));
  };
}
