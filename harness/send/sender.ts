import { type Contract, operationOf } from '../contract/contract.ts';
import { allSuspects } from '../plan/expectation.ts';
import { unitOf } from '../plan/group.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { buildRequest, type RequestParts } from '../plan/request.ts';
import type { Exchange, LockoutRecord, Role } from '../record/exchange.ts';
import type { Journal } from '../record/journal.ts';
import { afterLockouts } from '../record/lockout.ts';
import { isAccepted, type Observation, type Observer, observe } from '../record/observation.ts';
import type { ChatBudget } from './chat-budget.ts';
import type { Gate } from './gate.ts';
import { pauseBeforeRetry, sendUntilAnswered } from './retry.ts';
import type { Probe } from './undici-probe.ts';

/** Sends a planned case and records every answer; transport outcomes are retried. */
export interface Sender {
  /** @returns the last exchange, or undefined when nothing was sent: the gate was closed, or a budget is spent. */
  send(planned: PlannedCase, role: Role): Promise<Exchange | undefined>;
  /** Ordinal of the last exchange in which a case was accepted. */
  acceptedAt(caseId: string): number | undefined;
  /** What the matrix last got for a case; undefined when it was not sent, or its answer was taken back. */
  seen(caseId: string): Observation | undefined;
  /** Records an exchange that another client made (supertest, raw sockets). */
  record(exchange: Omit<Exchange, 'type' | 'seq'>): Exchange;
  readonly exchanges: readonly Exchange[];
  /**
   * Takes the refusals since an exchange back, which the target gave to everything: they say nothing of their cases.
   * @returns the cases that were decided by them.
   */
  takeBack(from: number): readonly string[];
  /** Why a case was not sent, by its id. */
  readonly unsent: ReadonlyMap<string, string>;
  /** Recipes of the credentials that were accepted until now. */
  readonly acceptedCredentials: ReadonlySet<string>;
}
export interface SenderOptions {
  readonly contract: Contract;
  readonly gate: Gate;
  readonly chats: ChatBudget;
  readonly probe: Probe;
  readonly journal: Journal;
  readonly observer: Observer;
  readonly parts: RequestParts;
  readonly timeoutMs: number;
  readonly chatTimeoutMs: number;
}

export function createSender(options: SenderOptions): Sender {
  const { contract, gate, chats, probe, journal, observer, parts, timeoutMs, chatTimeoutMs } = options;
  const exchanges: Exchange[] = [];
  const acceptedCredentials = new Set<string>();
  const acceptances = new Map<string, number>();
  const unsent = new Map<string, string>();
  const latest = new Map<string, number>();

  const record = (exchange: Omit<Exchange, 'type' | 'seq'>): Exchange => {
    const entry: Exchange = { type: 'exchange', seq: exchanges.length + 1, ...exchange };
    latest.set(entry.case, exchanges.length);
    exchanges.push(entry);
    if (isAccepted(entry.observation)) {
      acceptedCredentials.add(entry.credential);
      acceptances.set(entry.case, entry.seq);
    }
    journal.append(entry);
    return entry;
  };

  const sendOnce = async (planned: PlannedCase, role: Role): Promise<Exchange | undefined> => {
    const operation = operationOf(contract, planned.values.operation);
    const request = buildRequest(parts, planned.values, planned.credential?.token ?? '');
    const raw = await gate.pass(() =>
      probe.send(request, operation.isSlow ? chatTimeoutMs : timeoutMs, !operation.documentsBody),
    );
    if (raw === undefined) return undefined;
    const observation = 'kind' in raw ? raw : observe(observer, raw, operation);
    return record({ case: planned.id, role, credential: planned.credential?.recipe ?? 'no token', observation });
  };
  const sendRetried = (planned: PlannedCase, role: Role) =>
    sendUntilAnswered(
      gate,
      () => sendOnce(planned, role),
      ({ observation }, attempt) => pauseBeforeRetry(gate, observation, attempt, retriesOf(role, observation)),
    );

  return {
    exchanges,
    unsent,
    acceptedCredentials,
    acceptedAt: (caseId) => acceptances.get(caseId),
    seen: (caseId) => exchanges[latest.get(caseId) ?? -1]?.observation,
    record,
    takeBack(from) {
      const lockout: LockoutRecord = { type: 'lockout', from, to: exchanges.length };
      journal.append(lockout);
      const hidden = new Set<string>();
      for (const [index, exchange] of exchanges.entries()) {
        const counted = afterLockouts(exchange, [lockout]);
        if (counted === exchange) continue;
        exchanges[index] = counted;
        if (exchange.role === 'cell') hidden.add(exchange.case);
      }
      return [...hidden];
    },
    async send(planned, role) {
      const operation =
        planned.expectation.kind === 'refuse' ? undefined : operationOf(contract, planned.values.operation);
      const spare = role === 'cell' ? chats.spare(operation, planned.id, showsOf(planned)) : undefined;
      const spent = spare ?? chats.take(operation);
      if (spent !== undefined) {
        const reason = `not sent: ${spent}`;
        if (!unsent.has(planned.id)) journal.append({ type: 'unsent', case: planned.id, reason });
        unsent.set(planned.id, reason);
        return undefined;
      }
      const exchange = await sendRetried(planned, role);
      chats.settle(operation, exchange !== undefined && isAccepted(exchange.observation));
      return exchange;
    },
  };
}

/** The requirements that a case may decide, where it may decide them. */
function showsOf({ values, expectation }: PlannedCase): readonly string[] {
  return allSuspects(expectation).map(({ requirement }) => `${requirement} ${unitOf(values)}`);
}

/** A recurrence send asks whether the outcome comes back at once, the preflight whether anyone is there. */
function retriesOf(role: Role, observation: Observation): number | undefined {
  if (role === 'recurrence') return 0;
  if (role !== 'preflight') return undefined;
  return observation.kind === 'failure' && observation.failure === 'refused' ? 0 : PREFLIGHT_RETRIES;
}
const PREFLIGHT_RETRIES = 2;
