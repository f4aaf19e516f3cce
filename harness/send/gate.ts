import { createBreaker } from './breaker.ts';
import type { Clock } from './clock.ts';
import { createDenials, type Denials } from './denials.ts';
import { createSlots } from './slots.ts';

/** The only way to the target. It limits rate and concurrency, pauses, and closes if no answers come (outcomes 6). */
export interface Gate extends Pick<Denials, 'lockedOut' | 'stillLockedOut' | 'advice'> {
  /**
   * Waits for a slot, then sends.
   * @param sender who sends: those who send least at once go first.
   * @param isAlone it is a part of a job of `alone`.
   * @returns undefined if the gate is closed, so that nothing was sent, or nobody waits for the answer any more.
   */
  pass<T>(send: () => Promise<T>, sender?: string, isAlone?: boolean): Promise<T | undefined>;
  /** Runs a job while nobody else sends, and after the answers that are on their way, one job after the other. */
  alone<T>(job: () => Promise<T>): Promise<T>;
  /**
   * Runs jobs one after the other whose requests wait for each other in their slots. Of two at once, each would hold some of
   * the slots and wait for the others for ever.
   */
  inTurn<T>(job: () => Promise<T>): Promise<T>;
  /** The target answered. This resets the count of requests without an answer. */
  answered(): void;
  /** No answer of the application came. Enough of them in a row, over enough time, close the gate. @param why what came instead. */
  failed(why?: string): void;
  /** The target asked to slow down (429). If it says nothing else for long enough, the gate closes. */
  limited(): void;
  /**
   * A token was refused, or one was sent that must be refused. Too many in a minute pause everything.
   * @param ms how long its answer took. An answer that takes longer and longer is a sign of a limit.
   */
  denied(ms?: number): void;
  /** Pauses everything for some milliseconds, as a `Retry-After` asks. Fewer tokens a minute are refused from then on. */
  pause(ms: number): void;
  /** Waits for some milliseconds, or until the gate is closed. */
  wait(ms: number): Promise<void>;
  /**
   * Sets what to try before the gate closes because of missing answers, such as a request that was accepted before. A
   * target may be silent in one condition only, and hundreds of cases in a row may have it.
   */
  beforeClosing(attempt: () => Promise<unknown>): void;
  /** Closes the gate for good. Requests that wait are not sent, and answers that are on their way get a moment more. */
  close(reason: string): void;
  /** Why the gate is closed. Undefined while it is open. */
  readonly closed: string | undefined;
  /** Why nothing is sent at the moment, in words. Undefined while requests are sent. */
  readonly holding: string | undefined;
  /** For how many milliseconds nothing is sent. 0 while requests are sent. */
  readonly heldMs: number;
  readonly clock: Clock;
  /** How often `denied` was called. */
  readonly refusedTokens: number;
}
export interface GateOptions {
  readonly clock: Clock;
  /** Requests a second. Undefined is unlimited. */
  readonly rate: number | undefined;
  readonly concurrency: number;
  /** The target is gone after this many milliseconds and at least 20 requests without an answer. */
  readonly patienceMs: number;
  /** The most refused tokens a minute, after which everything pauses. The pace begins lower. Undefined is unlimited. */
  readonly denialsPerMinute?: number | undefined;
  /** The most requests of the run. Undefined is unlimited. */
  readonly budget?: number | undefined;
}

/** A wait checks at this interval whether the gate was closed. */
const POLL_MS = 250;

/** How long, and how often at which interval, a job that is to be alone looks for answers that are on their way. */
const QUIET_MS = 2_000;
const QUIET_POLL_MS = 5;

/** How long a gate that was closed waits for answers. A chat may take a minute, and what ends a job allows a few seconds. */
const LAST_ANSWERS_MS = 2_000;

export function createGate(options: GateOptions): Gate {
  const { clock, rate, concurrency, patienceMs, denialsPerMinute, budget } = options;
  const interval = rate === undefined ? 0 : 1000 / rate;
  const slots = createSlots(concurrency);
  const denials = createDenials(clock, denialsPerMinute);
  const breaker = createBreaker(clock, patienceMs);
  let nextSend = 0;
  let sent = 0;
  let pausedUntil = 0;
  let lockedOutUntil = 0;
  let attempt: (() => Promise<unknown>) | undefined;
  let trying = false;
  let closed: string | undefined;
  let refusedTokens = 0;
  const inTurn = createTurns();
  const aloneInTurn = createTurns();
  /** Settles when nobody is alone any more. */
  let quiet: Promise<void> | undefined;
  /** Ends the wait for each answer that has not come. */
  const unanswered = new Set<() => void>();

  const untilAnswered = <T>(send: () => Promise<T>) =>
    new Promise<T | undefined>((resolve, reject) => {
      const giveUp = () => resolve(undefined);
      unanswered.add(giveUp);
      void send()
        .then(resolve, reject)
        .finally(() => unanswered.delete(giveUp));
    });
  const waitUntil = async (at: number) => {
    for (let left = at - clock.now(); closed === undefined && left > 0; left = at - clock.now())
      await clock.sleep(Math.min(left, POLL_MS));
  };
  /** Reserves the next time to send and waits for it. A pause in the meantime makes a new reservation necessary. */
  const waitForTurn = async (isAlone: boolean) => {
    do {
      while (quiet && !isAlone) await quiet;
      const at = Math.max(clock.now(), nextSend, pausedUntil, denials.heldUntil);
      nextSend = at + interval;
      await waitUntil(at);
    } while (closed === undefined && (Math.max(pausedUntil, denials.heldUntil) > clock.now() || (quiet && !isAlone)));
  };
  const untilAllAnswered = async (mostMs: number, pollMs: number) => {
    const until = clock.now() + mostMs;
    while (unanswered.size > 0 && clock.now() < until) await clock.sleep(pollMs);
  };
  const giveUpLater = async () => {
    await untilAllAnswered(LAST_ANSWERS_MS, POLL_MS);
    for (const giveUp of unanswered) giveUp();
  };
  const closeIfSilent = () => {
    if (breaker.silence !== undefined) closed ??= breaker.silence + denials.advice;
  };

  return {
    clock,
    async pass(send, sender = '', isAlone = false) {
      // All slots may be taken by those who wait until nobody is alone.
      if (!isAlone) await slots.acquire(sender);
      try {
        await waitForTurn(isAlone);
        if (sent === budget) closed ??= `the budget of ${budget} requests is spent`;
        if (closed !== undefined) return undefined;
        sent += 1;
        return await untilAnswered(send);
      } finally {
        if (!isAlone) slots.release(sender);
      }
    },
    inTurn,
    alone: (job) =>
      aloneInTurn(async () => {
        let end = () => {};
        quiet = new Promise<void>((resolve) => {
          end = resolve;
        });
        try {
          await untilAllAnswered(QUIET_MS, QUIET_POLL_MS);
          return await job();
        } finally {
          quiet = undefined;
          end();
        }
      }),
    answered: breaker.answered,
    failed(why) {
      breaker.failed(why);
      if (breaker.silence === undefined || trying) return;
      if (!attempt) return closeIfSilent();
      trying = true;
      const tried = () => {
        trying = false;
        closeIfSilent();
      };
      void attempt().then(tried, tried);
    },
    limited() {
      breaker.limited();
      closeIfSilent();
    },
    denied(ms = 0) {
      refusedTokens += 1;
      denials.denied(ms);
    },
    lockedOut() {
      denials.lockedOut();
      lockedOutUntil = denials.heldUntil;
    },
    stillLockedOut() {
      denials.stillLockedOut();
      lockedOutUntil = denials.heldUntil;
    },
    wait: (ms) => waitUntil(clock.now() + ms),
    pause(ms) {
      denials.limited();
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
    beforeClosing(lastAttempt) {
      attempt = lastAttempt;
    },
    close(reason) {
      closed ??= reason;
      void giveUpLater();
    },
    get closed() {
      return closed;
    },
    get holding() {
      const seconds = (until: number) => `${Math.ceil((until - clock.now()) / 1000)} s`;
      if (pausedUntil > clock.now()) return `pausing ${seconds(pausedUntil)} because the target asked to slow down`;
      if (lockedOutUntil > clock.now())
        return `pausing ${seconds(lockedOutUntil)} because the target refuses what it accepted before`;
      if (denials.heldUntil > clock.now())
        return `pausing ${seconds(denials.heldUntil)} to stay under ${denials.perMinute} refused tokens a minute`;
      return undefined;
    },
    get heldMs() {
      return Math.max(pausedUntil, denials.heldUntil, clock.now()) - clock.now();
    },
    get advice() {
      return denials.advice;
    },
    get refusedTokens() {
      return refusedTokens;
    },
  };
}

/** Runs jobs one after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(job: () => Promise<T>): Promise<T> => {
    const own = last.then(job);
    last = own.catch(() => undefined);
    return own;
  };
}
