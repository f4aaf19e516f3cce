import { type CheckWorld, createAcceptedCalls, createAnswersSoFar } from '../checks/check-world.ts';
import { growingLooks } from '../judge/looks.ts';
import type { LeftRecord } from '../record/exchange.ts';
import { type Journal, openJournal } from '../record/journal.ts';
import { markerOf } from '../record/marker-places.ts';
import type { Observer } from '../record/observation.ts';
import { type ChatLimit, createChatBudget } from '../send/chat-budget.ts';
import { type Clock, realClock } from '../send/clock.ts';
import { mostRefused } from '../send/denials.ts';
import { createGate, type Gate } from '../send/gate.ts';
import { createLockout, lastAcceptance } from '../send/lockout.ts';
import { createPatience } from '../send/patience.ts';
import { createSender, type Sender } from '../send/sender.ts';
import { networkTransport, type Transport, type TransportInput } from '../send/transport.ts';
import { isMarker } from '../settings/variables.ts';
import type { PlannedRun } from './plan-run.ts';
import type { Sending } from './send-group.ts';

export interface WiringOptions {
  readonly clock?: Clock;
  readonly journal?: Journal;
  /** How requests reach the target. By default over the network. */
  readonly transport?: (input: TransportInput) => Transport;
  /** The target is gone after this many milliseconds and at least 20 requests without an answer. */
  readonly patienceMs?: number;
  /** For a target on another machine. By default follows from the settings and the matrix alone. */
  readonly chatLimit?: ChatLimit | undefined;
  /** The most requests of the run. Undefined is unlimited. */
  readonly budget?: number | undefined;
}

/** The largest default of CONFORMANCE_CHAT_BUDGET. */
export const MOST_CHATS = 100;

export interface Wiring {
  readonly gate: Gate;
  readonly journal: Journal;
  readonly sender: Sender;
  /** For the groups of the matrix. */
  readonly sending: Sending;
  /** For checks. */
  readonly world: CheckWorld;
  /** What checks created on the target and removed again, until now. */
  readonly left: readonly LeftRecord[];
  /** The most requests of the run. Undefined is unlimited. */
  readonly budget: number | undefined;
}

/** Connects gate, journal, budget and sender. @throws a configuration error if the journal cannot be written. */
export function wireSending(planned: PlannedRun, options: WiringOptions): Wiring {
  const { contract, settings, plan, whole, parts, redactor, breadth } = planned;
  const { concurrency, loopback, trusted } = settings;
  const gate = createGate({
    clock: options.clock ?? realClock,
    rate: settings.rate,
    concurrency,
    patienceMs: options.patienceMs ?? (loopback ? 5_000 : 30_000),
    denialsPerMinute: mostRefused(settings),
    budget: options.budget,
  });
  const journal = options.journal ?? openJournal(settings.reportDir, gate.close);
  const observer = { messages: contract.rules.messages, redactor, markers: markersIn(planned) };
  const chats = createChatBudget(loopback ? undefined : (options.chatLimit ?? limitByMatrix(planned)));
  const transport = (options.transport ?? networkTransport)({ settings, plan: whole, parts });
  const patience = createPatience(settings);
  const sender = createSender({ contract, gate, chats, transport, journal, observer, parts, patience });
  gate.beforeClosing(async () => {
    const last = lastAcceptance(whole, sender.exchanges);
    if (last) await sender.send(last.planned, 'control');
  });
  const lockout = createLockout({ plan: whole, sender, gate, loopback });
  const sending = {
    contract,
    plan,
    sender,
    looks: growingLooks(plan, sender.exchanges),
    concurrency,
    trusted,
    savesChats: chats.isTight,
    lockout,
  };
  const left: LeftRecord[] = [];
  const note = (entry: LeftRecord) => {
    left.push(entry);
    journal.append(entry);
  };
  const world = {
    acceptedCalls: createAcceptedCalls(),
    contract,
    settings,
    breadth,
    gate,
    patience,
    chats,
    sender,
    lockout,
    soFar: createAnswersSoFar({ contract, plan: whole, sender }),
    decisions: [],
    parts,
    redactor,
    observer,
    transport,
    plan: whole,
    note,
  };
  return { gate, journal, sender, sending, world, left, budget: options.budget };
}

function markersIn({ settings: { variables } }: PlannedRun): Observer['markers'] {
  const markers = [...variables].filter(([name]) => isMarker(name));
  return markers.map(([name, { value }]) => markerOf(name, value));
}

function limitByMatrix(planned: PlannedRun): ChatLimit {
  const max = planned.settings.chatBudget ?? MOST_CHATS;
  return { max, isTight: chatsWanted(planned) > max };
}

/** The number of planned chats that a target may accept. */
function chatsWanted({ contract: { operations }, plan }: PlannedRun): number {
  const slow = new Set(operations.filter(({ isSlow }) => isSlow).map(({ id }) => id));
  const cases = plan.groups.flatMap((group) => group.cases);
  return cases.filter(({ values, expectation }) => expectation.kind !== 'refuse' && slow.has(values.operation)).length;
}
