import { type Contract, operationOf } from '../contract/contract.ts';
import { unitOf } from '../plan/case.ts';
import { allSuspects, refusesToken } from '../plan/expectation.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { buildRequest, type RequestParts } from '../plan/request.ts';
import type { Exchange, LockoutRecord, Role } from '../record/exchange.ts';
import type { Journal } from '../record/journal.ts';
import { afterLockouts } from '../record/lockout.ts';
import { isAccepted, type Observation, type Observer, observe, transportReason } from '../record/observation.ts';
import { unlessOutlived } from '../record/outlived.ts';
import { type Answering, createAnswering } from './answering.ts';
import type { ChatBudget } from './chat-budget.ts';
import { timed } from './clock.ts';
import type { Gate } from './gate.ts';
import type { Patience } from './patience.ts';
import { sendUntilAnswered } from './retry.ts';
import { createSentTokens } from './sent-tokens.ts';
import type { Transport } from './transport.ts';
import type { Probe } from './undici-probe.ts';

/** Sends planned cases, retries after transport outcomes, and records every answer. */
export interface Sender extends Pick<Answering, 'isAnswering'> {
  /** @returns the last exchange. Undefined if nothing was sent, because the gate is closed or a budget is spent. */
  send(planned: PlannedCase, role: Role): Promise<Exchange | undefined>;
  /** The ordinal of the last exchange in which the case was accepted. */
  acceptedAt(caseId: string): number | undefined;
  /** The last exchange of a case. Undefined if it was not sent. */
  seen(caseId: string): Exchange | undefined;
  /** Records an exchange that something else sent, such as a check. */
  record(exchange: Omit<Exchange, 'type' | 'seq' | 'at'>): Exchange;
  readonly exchanges: readonly Exchange[];
  /** Discards the refusals of a lockout, from this ordinal on: they prove nothing. @returns the ids of the cases to send again. */
  discardRefusals(from: number): readonly string[];
  /** Why a case was not sent, by case id. */
  readonly unsent: ReadonlyMap<string, string>;
  /** Recipes of the credentials that the target has accepted. */
  readonly acceptedCredentials: ReadonlySet<string>;
}
interface SenderOptions {
  readonly contract: Contract;
  readonly gate: Gate;
  readonly chats: ChatBudget;
  readonly transport: Pick<Transport, 'probe' | 'connect'>;
  readonly journal: Journal;
  readonly observer: Observer;
  readonly parts: RequestParts;
  readonly patience: Patience;
}

export function createSender(options: SenderOptions): Sender {
  const { contract, gate, chats, transport, journal, observer, parts, patience } = options;
  const exchanges: Exchange[] = [];
  const acceptedCredentials = new Set<string>();
  const acceptances = new Map<string, number>();
  const unsent = new Map<string, string>();
  const latest = new Map<string, number>();
  const begun = gate.clock.now();
  const kept = firstOfAlike();
  const sentTokens = createSentTokens();

  const add = (exchange: Omit<Exchange, 'type' | 'seq' | 'at'>): Exchange => {
    const at = Math.round(gate.clock.now() - begun);
    const observation = kept(exchange.observation);
    const entry: Exchange = { type: 'exchange', seq: exchanges.length + 1, ...exchange, observation, at };
    // A recurrence that is lost takes nothing from an answer before.
    if (entry.role !== 'recurrence' || transportReason(observation) === undefined)
      latest.set(entry.case, exchanges.length);
    exchanges.push(entry);
    if (isAccepted(entry.observation)) {
      acceptedCredentials.add(entry.credential);
      acceptances.set(entry.case, entry.seq);
    }
    journal.append(entry);
    return entry;
  };

  // A connection that is kept leads to the same replica each time. A new one shows whether the others answer alike.
  const over = async <T>(role: Role, send: (probe: Probe) => Promise<T>): Promise<T> => {
    if (role !== 'confirmation') return send(transport.probe);
    const probe = transport.connect();
    return send(probe).finally(() => probe.close());
  };

  const sendOnce = async (planned: PlannedCase, role: Role, isAlone = false): Promise<Exchange | undefined> => {
    const operation = operationOf(contract, planned.values.operation);
    const request = buildRequest(parts, planned.values, planned.credential?.token ?? '');
    const send = () => over(role, (probe) => probe.send(request, patience.waitMs(operation), !operation.documentsBody));
    const sent = await gate.pass(() => timed(gate.clock, send), undefined, isAlone);
    if (sent === undefined) return undefined;
    const { got: raw, ms } = sent;
    const markers = [...observer.markers, ...sentTokens.besides(planned.credential)];
    const seen = 'kind' in raw ? raw : observe({ ...observer, markers }, raw, operation, planned.credential);
    if (planned.credential) sentTokens.note(planned.credential);
    const observation = unlessOutlived(seen, planned.credential);
    const credential = planned.credential?.recipe ?? 'no token';
    answering.note(planned, operation, isDenial(planned, observation), observation);
    return add({ case: planned.id, role, credential, observation, ms });
  };
  const answering = createAnswering({ gate, chats, send: (planned) => sendOnce(planned, 'recurrence', true) });
  const sendRetried = (planned: PlannedCase, role: Role) => {
    const mayBeRight = planned.expectation.kind !== 'refuse';
    return sendUntilAnswered(
      { gate, patience, ...answering },
      {
        operation: operationOf(contract, planned.values.operation),
        name: planned.id,
        once: (isAlone) => sendOnce(planned, role, isAlone),
        optionsOf: (observation) => ({
          retries: isLocked(observation) && mayBeRight ? 0 : retriesOf(role, observation),
          isDenial: isDenial(planned, observation),
        }),
      },
    );
  };

  return {
    exchanges,
    isAnswering: answering.isAnswering,
    unsent,
    acceptedCredentials,
    acceptedAt: (caseId) => acceptances.get(caseId),
    seen: (caseId) => exchanges[latest.get(caseId) ?? -1],
    record: add,
    discardRefusals(from) {
      const lockout: LockoutRecord = { type: 'lockout', from, to: exchanges.length };
      journal.append(lockout);
      const cases = new Set<string>();
      for (const [index, exchange] of exchanges.entries()) {
        const counted = afterLockouts(exchange, [lockout]);
        if (counted === exchange) continue;
        exchanges[index] = counted;
        if (exchange.role === 'cell') cases.add(exchange.case);
      }
      return [...cases];
    },
    async send(planned, role) {
      const operation =
        planned.expectation.kind === 'refuse' ? undefined : operationOf(contract, planned.values.operation);
      const skipped = role === 'cell' ? chats.skip(operation, planned.id, showsOf(planned)) : undefined;
      const unsendable = skipped ?? chats.take(operation);
      if (unsendable !== undefined) {
        const reason = `not sent: ${unsendable}`;
        if (!unsent.has(planned.id)) journal.append({ type: 'unsent', case: planned.id, reason });
        unsent.set(planned.id, reason);
        return undefined;
      }
      const exchange = await sendRetried(planned, role);
      chats.settle(operation, exchange?.observation);
      return exchange;
    },
  };
}

/** Most refusals of a target are alike, and all are kept until the end. The first of those that are alike stands for all. */
function firstOfAlike(): (observation: Observation) => Observation {
  const known = new Map<string, Observation>();
  return (observation) => {
    const text = JSON.stringify(observation);
    const first = known.get(text) ?? observation;
    // The answers of some targets are never alike, because they have ids.
    if (known.size === MOST_KNOWN) known.clear();
    known.set(text, first);
    return first;
  };
}
const MOST_KNOWN = 1000;

/** The requirements that a case may decide, each with its unit, and the headers of a documented row with which it does. */
function showsOf({ values, expectation }: PlannedCase): readonly string[] {
  const row = `${unitOf(values)} ${values['act-as']} ${values['auth-type']}`;
  return allSuspects(expectation).map(({ requirement }) => `${requirement} ${row}`);
}

/**
 * A request whose token must be refused counts in any case, and one that must be accepted counts if it is refused. A target
 * that answers 423 has locked the run out already. A pause would then hide the lockout from lockout.ts until it is over.
 */
function isDenial({ expectation }: PlannedCase, observation: Observation): boolean {
  if (isLocked(observation)) return false;
  const status = observation.kind === 'answer' ? observation.status : undefined;
  if (expectation.kind === 'refuse') return refusesToken(expectation, status);
  if (observation.kind === 'failure' || transportReason(observation) !== undefined) return false;
  return observation.status >= 400 && observation.status <= 499;
}

/** What must be accepted and gets 423 is left to lockout.ts. Anything else is sent again: a guard may lock out wrong tokens only. */
const isLocked = (observation: Observation) => observation.kind === 'answer' && observation.status === LOCKED;
const LOCKED = 423;

/** A recurrence send is not retried: it must show whether the outcome repeats at once. The preflight gives up early. */
function retriesOf(role: Role, observation: Observation): number | undefined {
  if (role === 'recurrence') return 0;
  if (role !== 'preflight') return undefined;
  // The preflight asks each operation twice anyway. A chat that gets no answer takes a minute and a half each time.
  const comesAgain = observation.kind === 'failure' && ['refused', 'timeout'].includes(observation.failure);
  return comesAgain ? 0 : PREFLIGHT_RETRIES;
}
const PREFLIGHT_RETRIES = 2;

/** A request that waits at the line. */
interface Start {
  /** Waits until all have come, or have left. */
  ready(): Promise<void>;
  /** The request is over, or is not sent: nobody waits for it. */
  leave(): void;
}

/** Lets requests begin together: a rate spreads them over time, so that those of a fast target would never overlap. */
export function startingLine(count: number): () => Start {
  let missing = count;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    let came = false;
    const come = () => {
      if (!came) missing -= 1;
      came = true;
      if (missing <= 0) open();
    };
    return {
      ready() {
        come();
        return opened;
      },
      leave: come,
    };
  };
}
