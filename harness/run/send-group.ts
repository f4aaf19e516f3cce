import pMap from 'p-map';
import { operationOf } from '../contract/contract.ts';
import { RECURRENCES } from '../judge/judge-case.ts';
import {
  type CaseVerdict,
  CONFIRMATIONS,
  gather,
  type Judging,
  judgeCases,
  REPEATS_TO_TRUST,
  signatureOf,
} from '../judge/judge-cases.ts';
import { appearanceOf, type Looks } from '../judge/looks.ts';
import { isFresh } from '../plan/credentials.ts';
import { type Group, nearestAcceptance, type Plan, type PlannedCase } from '../plan/plan.ts';
import { isLockoutRefusal } from '../record/lockout.ts';
import { isAccepted, type Observation, transportReason } from '../record/observation.ts';
import type { Lockout } from '../send/lockout.ts';
import type { Sender } from '../send/sender.ts';

export interface Sending extends Judging {
  readonly sender: Sender;
  /** What the acceptances of the run look like until now. */
  readonly looks: () => Looks;
  readonly concurrency: number;
  /** The chat budget is too small for all chats, so controls of slow operations are not sent again without need. */
  readonly savesChats?: boolean;
  readonly lockout?: Lockout;
}

/** Sends a group and judges it on what was sent for it. At the end, the run judges every case on everything sent. */
export async function runGroup(options: Sending, group: Group): Promise<readonly CaseVerdict[]> {
  const from = options.sender.exchanges.length;
  await sendGroup(options, group);
  return verdictsSince(options, group.cases, from);
}

/**
 * Sends the controls of a group and then its cases. Repeats misses, and sends cases with a transport outcome again
 * between acceptances. At the end sends the controls once more (outcomes 2 and 3).
 */
export async function sendGroup(options: Sending, group: Group): Promise<void> {
  const { sender, plan, concurrency } = options;
  const from = sender.exchanges.length;
  const controls = controlsOf(plan, group);
  // A control that was accepted for another group counts for this one too.
  const notAccepted = controls.filter(({ id }) => sender.acceptedAt(id) === undefined);
  await pMap(notAccepted, (control) => sender.send(control, 'control'), { concurrency });
  const lost: PlannedCase[] = [];
  const sendCell = async (planned: PlannedCase) => {
    const exchange = await sender.send(planned, 'cell');
    if (exchange && transportReason(exchange.observation) !== undefined) lost.push(planned);
  };
  await pMap(group.cases, sendCell, { concurrency });
  if (mayBeLockedOut(options, group, from)) await options.lockout?.recover();
  await confirmMisses(options, group, from);
  // One at a time, so that no other request comes between a case and its nearest acceptance.
  for (const planned of lost) await sendRecurrences(options, planned);
  const due = controls.filter((control) => isControlDue(options, group, control));
  await pMap(due, (control) => sender.send(control, 'control'), { concurrency });
  // The requests that were sent again may have caused the next lockout.
  for (let time = 0; time < MAX_LOCKOUTS && hasRefusedControl(options, from); time += 1)
    if (!(await options.lockout?.recover())) break;
}

/** At the end of the run, sends every case once more that has no answer: the target may have recovered (outcomes 3). */
export async function sendLostAgain(options: Sending): Promise<void> {
  const { plan, sender } = options;
  const withTransportOutcome = sender.exchanges.filter(({ observation }) => transportReason(observation) !== undefined);
  if (withTransportOutcome.length === 0) return;
  const ids = new Set(withTransportOutcome.map(({ case: id }) => id));
  const candidates = [...ids].flatMap((id) => plan.cases.get(id) ?? []);
  const lostVerdicts = verdictsSince(options, candidates, 0).filter(isLost);
  const lost = new Set(lostVerdicts.map(({ case: { id } }) => id));
  for (const group of plan.groups) {
    const cases = group.cases.filter(({ id }) => lost.has(id));
    if (cases.length > 0) await sendGroup(options, { ...group, cases });
  }
}

function isLost({ verdict, observation, sent }: CaseVerdict): boolean {
  return verdict === 'inconclusive' && observation === undefined && sent > 0;
}

/** A wrong refusal, or a refused control, may come from a target that has locked the run out. */
function mayBeLockedOut(options: Sending, group: Group, from: number): boolean {
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
const MAX_LOCKOUTS = 4;

/** A control is sent after the last group that needs it, and in between after many requests, so that small groups share one. */
function isControlDue(options: Sending, group: Group, control: PlannedCase): boolean {
  const { plan, sender } = options;
  const isLast = plan.lastGroups.get(control.id) === group;
  if (options.savesChats && operationOf(options.contract, control.values.operation).isSlow)
    return isLast && requestsSinceLike(options, control) >= REQUESTS_PER_CONTROL;
  const requestsSince = sender.exchanges.length - (sender.acceptedAt(control.id) ?? 0);
  return requestsSince >= REQUESTS_PER_CONTROL || isLast;
}

/** The number of requests since the target last accepted any case of the same operation with the same token. */
function requestsSinceLike({ plan, sender: { exchanges } }: Sending, { values, credential }: PlannedCase): number {
  const last = exchanges.findLastIndex(
    (exchange) =>
      exchange.credential === credential?.recipe &&
      isAccepted(exchange.observation) &&
      plan.cases.get(exchange.case)?.values.operation === values.operation,
  );
  return exchanges.length - 1 - last;
}
const REQUESTS_PER_CONTROL = 15;

function controlsOf(plan: Plan, group: Group): PlannedCase[] {
  const ids = new Set(group.cases.map(({ control }) => control));
  return [...ids].flatMap((id) => (id === undefined ? [] : (plan.find(id) ?? [])));
}

/**
 * Sends misses again. After three identical misses have repeated, later ones are trusted without sending them again. If
 * one does not repeat, none of its kind is trusted (outcomes 3).
 */
async function confirmMisses(options: Sending, group: Group, from: number): Promise<void> {
  const { sender, contract, plan } = options;
  const repeats = new Map<string, number>();
  for (const { case: planned, miss, observation } of verdictsSince(options, group.cases, from)) {
    if (!miss) continue;
    if (!miss.wronglyAccepted) await sendProof(options, planned);
    const signature = signatureOf(planned, miss, observation);
    const count = repeats.get(signature) ?? 0;
    if (count >= REPEATS_TO_TRUST) continue;
    const { isSlow } = operationOf(contract, planned.values.operation);
    // A chat is expensive for its target, so it is repeated only once.
    const isUnusual =
      miss.wronglyAccepted && observation !== undefined && isUnlikeAcceptances(options, planned, observation);
    const times = (miss.wronglyAccepted && !isUnusual) || isSlow ? 1 : CONFIRMATIONS;
    const control = isUnusual ? nearestAcceptance(contract, plan, planned) : undefined;
    if (control) await sender.send(control, 'control');
    for (let time = 0; time < times; time += 1) {
      await sender.send(planned, 'confirmation');
      if (control) await sender.send(control, 'control');
    }
    const [again] = verdictsSince(options, [planned], from);
    const isSteady = again?.miss !== undefined && !again.intermittent;
    repeats.set(signature, isSteady ? count + 1 : Number.NEGATIVE_INFINITY);
  }
}

/** Sends what must be accepted with the token of a case, if the plan has none: an unknown token is refused for itself (outcomes 2). */
async function sendProof({ sender, plan, trusted }: Sending, planned: PlannedCase): Promise<void> {
  const { credential } = planned;
  if (trusted || !credential || isFresh(credential) || sender.acceptedCredentials.has(credential.recipe)) return;
  const proof = plan.provable.has(credential.recipe) ? undefined : plan.proofOf(planned);
  if (proof && !sender.exchanges.some(({ case: id }) => id === proof.id)) await sender.send(proof, 'control');
}

/** Whether a wrong acceptance may come from a gateway. It then needs every re-send, and its control around each. */
function isUnlikeAcceptances({ looks }: Sending, { values }: PlannedCase, observation: Observation): boolean {
  return appearanceOf(looks, values.operation, observation) !== 'usual';
}

/** Sends a case without an answer three times more, with its nearest acceptance around each: it may be the answer (outcomes 3). */
async function sendRecurrences({ contract, sender, plan }: Sending, planned: PlannedCase): Promise<void> {
  const nearest = nearestAcceptance(contract, plan, planned);
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
    looks: sending.looks,
  });
}
