import pMap from 'p-map';
import { type Contract, operationOf } from '../contract/contract.ts';
import { RECURRENCES } from '../judge/judge-case.ts';
import {
  ALIKE_TO_TRUST,
  type CaseVerdict,
  CONFIRMATIONS,
  gather,
  judgeCases,
  signatureOf,
} from '../judge/judge-cases.ts';
import { type Group, nearestAcceptance, type Plan, type PlannedCase } from '../plan/plan.ts';
import { isLockoutRefusal } from '../record/lockout.ts';
import { isAccepted, transportReason } from '../record/observation.ts';
import type { Lockout } from '../send/lockout.ts';
import type { Sender } from '../send/sender.ts';

export interface Sending {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly sender: Sender;
  readonly concurrency: number;
  readonly trusted: boolean;
  /** On a target that may lock us out. */
  readonly lockout?: Lockout;
}

/** Sends what a group needs and gives its verdicts on what was sent until now; the run's end judges on all of it. */
export async function runGroup(options: Sending, group: Group): Promise<readonly CaseVerdict[]> {
  const from = options.sender.exchanges.length;
  await sendGroup(options, group);
  return verdictsSince(options, group.cases, from);
}

/** Sends what a group needs: controls, its cases, misses again, transport outcomes between acceptances, controls again. */
export async function sendGroup(options: Sending, group: Group): Promise<void> {
  const { sender, plan, concurrency } = options;
  const from = sender.exchanges.length;
  const controls = controlsOf(plan, group);
  // What a control showed for another group serves this one too.
  const unseen = controls.filter(({ id }) => sender.acceptedAt(id) === undefined);
  await pMap(unseen, (control) => sender.send(control, 'control'), { concurrency });
  const lost: PlannedCase[] = [];
  const sendCell = async (planned: PlannedCase) => {
    const exchange = await sender.send(planned, 'cell');
    if (exchange && transportReason(exchange.observation) !== undefined) lost.push(planned);
  };
  await pMap(group.cases, sendCell, { concurrency });
  if (isStrange(options, group, from)) await options.lockout?.outlast();
  await confirm(options, group, from);
  // One at a time: what else is under way must not come between a case and its nearest acceptance.
  for (const planned of lost) await tryAgain(options, planned);
  const due = controls.filter((control) => controlDue(options, group, control));
  await pMap(due, (control) => sender.send(control, 'control'), { concurrency });
  // What was sent again may have met the next lockout.
  for (let time = 0; time < MOST_LOCKOUTS && hasRefusedControl(options, from); time += 1)
    if (!(await options.lockout?.outlast())) break;
}

/** Sends what got no answer once more, when all else is done: what was in trouble then may be well by now (OUTCOMES 3). */
export async function sendLostAgain(options: Sending): Promise<void> {
  const { plan, sender } = options;
  const troubled = new Set(
    sender.exchanges.flatMap((it) => (transportReason(it.observation) === undefined ? [] : [it.case])),
  );
  const doubtful = [...troubled].flatMap((id) => plan.cases.get(id) ?? []);
  const lost = new Set(
    verdictsSince(options, doubtful, 0)
      .filter(isLost)
      .map(({ case: { id } }) => id),
  );
  for (const group of plan.groups) {
    const cases = group.cases.filter(({ id }) => lost.has(id));
    if (cases.length > 0) await sendGroup(options, { ...group, cases });
  }
}

function isLost({ verdict, observation, sent }: CaseVerdict): boolean {
  return verdict === 'inconclusive' && observation === undefined && sent > 0;
}

/** A refusal where something else was due may be that of a target that refuses everything by now. */
function isStrange(options: Sending, group: Group, from: number): boolean {
  if (options.lockout === undefined) return false;
  const missed = verdictsSince(options, group.cases, from).some(
    ({ miss, observation }) => miss !== undefined && observation !== undefined && isLockoutRefusal(observation),
  );
  return missed || hasRefusedControl(options, from);
}

function hasRefusedControl({ sender }: Sending, from: number): boolean {
  return sender.exchanges
    .slice(from)
    .some(({ role, observation }) => role === 'control' && isLockoutRefusal(observation));
}
const MOST_LOCKOUTS = 4;

/** A control closes a group of denials; small groups in a row share the one after the last of them. */
function controlDue({ plan, sender }: Sending, group: Group, control: PlannedCase): boolean {
  const since = sender.exchanges.length - (sender.acceptedAt(control.id) ?? 0);
  if (since >= DENIALS_TO_A_CONTROL) return true;
  return plan.lastGroups.get(control.id) === group;
}
const DENIALS_TO_A_CONTROL = 15;

function controlsOf(plan: Plan, group: Group): PlannedCase[] {
  const ids = new Set(group.cases.flatMap(({ control }) => (control === undefined ? [] : [control])));
  return [...ids].flatMap((id) => plan.cases.get(id) ?? []);
}

/** Sends misses again until enough alike have come every time; one that came and went keeps all of its kind in doubt. */
async function confirm(options: Sending, group: Group, from: number): Promise<void> {
  const { sender, contract } = options;
  const missed = verdictsSince(options, group.cases, from).filter(({ miss }) => miss !== undefined);
  const steady = new Map<string, number>();
  for (const { case: planned, miss, observation } of missed) {
    if (!miss) continue;
    const like = signatureOf(planned, miss, observation);
    if ((steady.get(like) ?? 0) >= ALIKE_TO_TRUST) continue;
    const { isSlow } = operationOf(contract, planned.values.operation);
    // A chat costs its target more than a search: once is enough (OUTCOMES 3).
    const times = miss.wronglyAccepted || isSlow ? 1 : CONFIRMATIONS;
    for (let time = 0; time < times; time += 1) await sender.send(planned, 'confirmation');
    const [again] = verdictsSince(options, [planned], from);
    steady.set(like, again?.intermittent ? Number.NEGATIVE_INFINITY : (steady.get(like) ?? 0) + 1);
  }
}

/** A case lost to a transport outcome: sent again between two sends of its nearest acceptance, three times. */
async function tryAgain({ sender, plan }: Sending, planned: PlannedCase): Promise<void> {
  const nearest = nearestAcceptance(plan, planned);
  if (!nearest) return;
  const before = await sender.send(nearest, 'recurrence');
  if (!before || !isAccepted(before.observation)) return;
  for (let time = 0; time < RECURRENCES; time += 1) {
    const exchange = await sender.send(planned, 'recurrence');
    if (!exchange || transportReason(exchange.observation) === undefined) return;
    await sender.send(nearest, 'recurrence');
  }
}

function verdictsSince(sending: Sending, cases: readonly PlannedCase[], from: number): CaseVerdict[] {
  const { exchanges, acceptedCredentials } = sending.sender;
  return judgeCases(sending, cases, {
    byCase: gather(exchanges.slice(from)).byCase,
    accepted: acceptedCredentials,
  });
}
