import type { Clock } from './clock.ts';
import type { Contract } from './contract.ts';
import type { Gate } from './gate.ts';
import type { Exchange, Journal, Role } from './journal.ts';
import { isAccepted, type Observation, type Observer, observe, transportReason } from './observation.ts';
import type { PlannedCase } from './plan.ts';
import type { Probe } from './probe.ts';
import { buildRequest, type RequestParts } from './request.ts';

/** Sends a planned case and records every answer; transport outcomes are retried. */
export interface Sender {
  /** @returns the last exchange, or undefined when the gate was closed before anything was sent. */
  send(planned: PlannedCase, role: Role): Promise<Exchange | undefined>;
  /** Records an exchange that another client made (supertest, raw sockets). */
  record(exchange: Omit<Exchange, 'type' | 'seq'>): Exchange;
  readonly exchanges: readonly Exchange[];
  /** Recipes of the credentials, and ids of the cases, that were accepted until now. */
  readonly accepted: { readonly credentials: ReadonlySet<string>; readonly cases: ReadonlySet<string> };
}
export interface SenderOptions {
  readonly contract: Contract;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly probe: Probe;
  readonly journal: Journal;
  readonly observer: Observer;
  readonly parts: RequestParts;
  readonly timeoutMs: number;
  readonly chatTimeoutMs: number;
}

/** Retries of a transport outcome, and the first pause before one in milliseconds; each next is twice as long. */
const RETRIES = 3;
const FIRST_PAUSE_MS = 100;
/** A target that says 429 is waited for longer, as it asks (OUTCOMES 3). */
const RETRIES_WHEN_LIMITED = 12;
const LONGEST_PAUSE_MS = 60_000;

export function createSender(options: SenderOptions): Sender {
  const { contract, gate, clock, probe, journal, observer, parts, timeoutMs, chatTimeoutMs } = options;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const exchanges: Exchange[] = [];
  const accepted = { credentials: new Set<string>(), cases: new Set<string>() };

  const record = (exchange: Omit<Exchange, 'type' | 'seq'>): Exchange => {
    const entry: Exchange = { type: 'exchange', seq: exchanges.length + 1, ...exchange };
    exchanges.push(entry);
    if (isAccepted(entry.observation)) {
      accepted.credentials.add(entry.credential);
      accepted.cases.add(entry.case);
    }
    journal.append(entry);
    return entry;
  };

  const once = async (planned: PlannedCase): Promise<Observation | undefined> => {
    const operation = operations.get(planned.values.operation);
    const request = buildRequest(parts, planned.values, planned.credential?.token ?? '');
    // An operation without a documented success body may be slow to answer: chat thinks before it speaks.
    const patience = operation?.success.validate ? timeoutMs : chatTimeoutMs;
    const raw = await gate.pass(() => probe.send(request, patience));
    if (raw === undefined) return undefined;
    return 'kind' in raw ? raw : observe(observer, raw, operation);
  };

  return {
    exchanges,
    accepted,
    record,
    async send(planned, role) {
      for (let attempt = 0; ; attempt += 1) {
        const observation = await once(planned);
        if (observation === undefined) return undefined;
        const credential = planned.credential?.recipe ?? 'no token';
        const exchange = record({ case: planned.id, role, credential, observation });
        if (transportReason(observation) === undefined) {
          gate.answered();
          return exchange;
        }
        if (observation.kind === 'answer') gate.answered();
        else gate.failed();
        const limited = observation.kind === 'answer' && observation.status === 429;
        // A recurrence send asks whether the outcome comes back at once; it is not retried.
        const retries = limited ? RETRIES_WHEN_LIMITED : role === 'recurrence' || role === 'preflight' ? 0 : RETRIES;
        if (attempt >= retries) return exchange;
        const pause = retryAfterMs(observation) ?? Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
        if (limited) gate.pause(pause);
        else await clock.sleep(pause);
      }
    },
  };
}

/** Milliseconds of a Retry-After in seconds or as a date (RFC 9110 10.2.3), within bounds. */
export function retryAfterMs(observation: Observation, today: number = Date.now()): number | undefined {
  if (observation.kind !== 'answer' || observation.retryAfter === undefined) return undefined;
  const seconds = Number(observation.retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(observation.retryAfter) - today;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS) : undefined;
}
