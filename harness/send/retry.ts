import type { Operation } from '../contract/openapi.ts';
import type { Exchange } from '../record/exchange.ts';
import { LONGEST_PAUSE_MS, retryAfterMs } from '../record/lockout.ts';
import { type Observation, transportReason } from '../record/observation.ts';
import { isOutlived } from '../record/outlived.ts';
import type { Gate } from './gate.ts';
import type { Patience } from './patience.ts';

/** How often a request is sent again after a transport outcome (outcomes 3). */
const RETRIES = 3;
/** The pause before the first retry. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 100;
/** How often a request is sent again after 429 (outcomes 3). */
const RETRIES_WHEN_LIMITED = 12;

/** Whether something asks to slow down and does not say until when: a limit, or a guard that refuses one sort of request. */
function isVague(observation: Observation): boolean {
  return observation.kind === 'answer' && observation.status === 429 && retryAfterMs(observation) === undefined;
}

export interface RetryOptions {
  /** How long the answer took, in milliseconds. */
  readonly ms?: number | undefined;
  /** How often the request is sent again at most. */
  readonly retries?: number | undefined;
  /**
   * The request counts as a refused token whatever comes back: its token must be refused, and a target may count it even
   * if its answer is lost or wrong. A request without this counts if it gets 401 or 403.
   */
  readonly isDenial?: boolean;
  /**
   * Many servers do not answer such a request, so that a missing answer says nothing about the target. After a timeout
   * the request is not sent again, because each time would take as long.
   */
  readonly mayBeSilent?: boolean;
  /**
   * Whether one like it was answered right after its 429, which then says nothing of other requests: only this one waits.
   * Undefined if none was sent.
   */
  readonly isOwnLimit?: boolean | undefined;
}

/** Tells the gate how a request ended. @returns the milliseconds to wait before it is sent again. Undefined if it is not. */
export function pauseBeforeRetry(
  gate: Gate,
  observation: Observation,
  attempt: number,
  { ms, retries = RETRIES, isDenial = false, mayBeSilent = false, isOwnLimit }: RetryOptions = {},
): number | undefined {
  if (isOutlived(observation)) {
    gate.answered();
    gate.denied(ms);
    return undefined;
  }
  // An answer that broke off is no silence.
  const silence =
    mayBeSilent && observation.kind === 'failure' && observation.failure !== 'protocol' ? observation : undefined;
  const lost = transportReason(observation);
  const status = observation.kind === 'answer' ? observation.status : undefined;
  const isLimited = status === 429;
  if (isLimited) gate.limited();
  else if (status !== undefined && (lost === undefined || status < 500)) gate.answered();
  else if (!silence) gate.failed(lost);
  const isRefused = status === 401 || status === 403;
  if (isDenial || isRefused) gate.denied(ms);
  if (lost === undefined || silence?.failure === 'timeout') return undefined;
  const retryAfter = retryAfterMs(observation);
  if (isVague(observation) && isOwnLimit === undefined) return 0;
  const again = attempt < (isLimited && !isOwnLimit ? RETRIES_WHEN_LIMITED : retries);
  const pause = retryAfter ?? Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  const pausesEverything = (isLimited && !isOwnLimit) || (status === 503 && retryAfter !== undefined);
  if (!pausesEverything) return again ? pause : undefined;
  // Retry-After applies to every request, even if this one is not sent again (RFC 9110 10.2.3).
  if (again || retryAfter !== undefined) gate.pause(pause);
  return again ? 0 : undefined;
}

/** A request that is sent until the answer counts. */
interface Request<T> {
  /** Undefined for what is no request to an operation. */
  readonly operation: Operation | undefined;
  /** The same for each send. */
  readonly name: string;
  /** Sends it once. Undefined if nothing was sent. @param isAlone as a part of a job of `gate.alone`. */
  readonly once: (isAlone: boolean) => Promise<T | undefined>;
  readonly optionsOf: (observation: Observation) => Omit<RetryOptions, 'ms' | 'isOwnLimit'>;
}
interface Sending {
  readonly gate: Gate;
  readonly patience: Patience;
  /** Whether the target answers, at this moment and alone, what it answered before: a request that must be refused, or another. */
  readonly isAnswering: (operation: Operation | undefined, mustBeRefused: boolean) => Promise<boolean>;
}

/** Sends a request, and sends it again until the answer counts, or while nothing says that it comes for good. */
export async function sendUntilAnswered<T extends Pick<Exchange, 'observation' | 'ms'>>(
  { gate, patience, isAnswering }: Sending,
  { operation, name, once, optionsOf }: Request<T>,
): Promise<T | undefined> {
  let isOwnLimit: boolean | undefined;
  /**
   * A limit refuses the next request too, and one on requests at once lets this one pass. A guard refuses this one alone. A limit
   * that moves on may do so by chance, and hardly twice.
   */
  const onceAlone = async () => {
    let got = await once(true);
    for (let times = 0; times < 2; times += 1) {
      if (times > 0) got = await once(true);
      const { observation } = got ?? {};
      isOwnLimit =
        observation !== undefined &&
        isVague(observation) &&
        (await isAnswering(operation, optionsOf(observation).isDenial === true));
      if (!isOwnLimit) break;
    }
    return got;
  };
  let got = await once(false);
  for (let attempt = 0; got !== undefined; attempt += 1) {
    const { observation, ms = 0 } = got;
    const options = optionsOf(observation);
    const retries = patience.isKnown(operation, observation) ? 0 : options.retries;
    const pause = pauseBeforeRetry(gate, observation, attempt, { ms, isOwnLimit, ...options, retries });
    if (pause === undefined) {
      if (!options.mayBeSilent) patience.note(operation, name, observation, ms);
      return got;
    }
    await gate.wait(pause);
    got = await (isVague(observation) ? gate.alone(onceAlone) : once(false));
  }
  return undefined;
}
