import { createBreaker } from './breaker.ts';
import type { Clock } from './clock.ts';
import { createDenials } from './denials.ts';

/** The one way to the target: rate, concurrency, pauses and the breaker. Everything that sends goes through it. */
export interface Gate {
  /** Waits for a turn, then sends. @returns undefined when the gate is closed: nothing was sent. */
  pass<T>(send: () => Promise<T>): Promise<T | undefined>;
  /** The target answered: the breaker starts to count anew. */
  answered(): void;
  /** No answer came; enough of them in a row over long enough close the gate. */
  failed(): void;
  /** A token was refused: enough of them within a minute hold everything back. */
  denied(): void;
  /** The target locked us out: a minute is waited, and from then on half as many tokens are refused in one. */
  lockedOut(): void;
  /** Holds everything back for some milliseconds (Retry-After). */
  pause(ms: number): void;
  /** Waits for some milliseconds, or until the gate is closed. */
  wait(ms: number): Promise<void>;
  /**
   * Tries this before the gate closes for want of answers, such as to send what was accepted before: a target that gives
   * none in one condition, of which there are hundreds of cases in a row, is not gone.
   */
  beforeClosing(attempt: () => Promise<unknown>): void;
  /** Closes for good; what waits is not sent any more. */
  close(reason: string): void;
  readonly closed: string | undefined;
  /** Why nothing is sent just now, in words; undefined while nothing holds it back. */
  readonly holding: string | undefined;
  /** Milliseconds that pauses asked for by the target have held this run back. */
  readonly pausedMs: number;
}
export interface GateOptions {
  readonly clock: Clock;
  /** Requests a second; undefined is unlimited. */
  readonly rate: number | undefined;
  readonly concurrency: number;
  /** Milliseconds without any answer, over at least 20 failures, after which the target counts as gone. */
  readonly patienceMs: number;
  /** Refused tokens a minute after which everything waits; undefined is unlimited. */
  readonly denialsPerMinute?: number | undefined;
}

/** Milliseconds after which a wait looks whether the gate was closed meanwhile. */
const NAP = 250;

export function createGate({ clock, rate, concurrency, patienceMs, denialsPerMinute }: GateOptions): Gate {
  const interval = rate === undefined ? 0 : 1000 / rate;
  const places = createPlaces(concurrency);
  const denials = createDenials(clock, denialsPerMinute);
  const breaker = createBreaker(clock, patienceMs);
  let nextSlot = 0;
  let pausedUntil = 0;
  let pausedMs = 0;
  let attempt: (() => Promise<unknown>) | undefined;
  let trying = false;
  let closed: string | undefined;

  const waitUntil = async (at: number) => {
    for (let left = at - clock.now(); closed === undefined && left > 0; left = at - clock.now())
      await clock.sleep(Math.min(left, NAP));
  };
  /** Reserves the next slot and waits for it; a pause that came meanwhile asks for a new one. */
  const turn = async () => {
    do {
      const at = Math.max(clock.now(), nextSlot, pausedUntil, denials.heldUntil);
      nextSlot = at + interval;
      await waitUntil(at);
    } while (closed === undefined && Math.max(pausedUntil, denials.heldUntil) > clock.now());
  };
  const closeIfSilent = () => {
    closed ??= breaker.silence;
  };

  return {
    async pass(send) {
      await places.enter();
      try {
        const mayWait = interval > 0 || pausedUntil > 0 || denials.heldUntil > 0;
        if (closed === undefined && mayWait) await turn();
        return closed === undefined ? await send() : undefined;
      } finally {
        places.leave();
      }
    },
    answered: breaker.answered,
    failed() {
      breaker.failed();
      if (breaker.silence === undefined || trying) return;
      if (!attempt) return closeIfSilent();
      trying = true;
      const tried = () => {
        trying = false;
        closeIfSilent();
      };
      void attempt().then(tried, tried);
    },
    denied: denials.denied,
    lockedOut: denials.lockedOut,
    wait: (ms) => waitUntil(clock.now() + ms),
    pause(ms) {
      const now = clock.now();
      const until = Math.max(pausedUntil, now + ms);
      pausedMs += until - Math.max(pausedUntil, now);
      pausedUntil = until;
    },
    beforeClosing(wanted) {
      attempt = wanted;
    },
    close(reason) {
      closed ??= reason;
    },
    get closed() {
      return closed;
    },
    get holding() {
      const seconds = (until: number) => `${Math.ceil((until - clock.now()) / 1000)} s`;
      if (pausedUntil > clock.now()) return `waiting ${seconds(pausedUntil)} as the target asks`;
      if (denials.heldUntil > clock.now())
        return `waiting ${seconds(denials.heldUntil)} lest too many tokens are refused in a minute`;
      return undefined;
    },
    get pausedMs() {
      return pausedMs;
    },
  };
}

/** So many may be in at once; the others wait in line. */
function createPlaces(count: number): { enter(): Promise<void>; leave(): void } {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async enter() {
      if (taken >= count) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken += 1;
    },
    // Who leaves hands the place on, so that nobody overtakes those who wait.
    leave() {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}
