import type { Clock } from './clock.ts';

/** The one way to the target: rate, concurrency, pauses and the breaker. Everything that sends goes through it. */
export interface Gate {
  /** Waits for a turn, then sends. @returns undefined when the gate is closed: nothing was sent. */
  pass<T>(send: () => Promise<T>): Promise<T | undefined>;
  /** The target answered: the breaker starts to count anew. */
  answered(): void;
  /** No answer came; enough of them in a row over long enough close the gate. */
  failed(): void;
  /** Holds everything back for some milliseconds (Retry-After). */
  pause(ms: number): void;
  /** Closes for good; what waits is not sent any more. */
  close(reason: string): void;
  readonly closed: string | undefined;
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
}

const FAILURES_TO_CLOSE = 20;

export function createGate({ clock, rate, concurrency, patienceMs }: GateOptions): Gate {
  const interval = rate === undefined ? 0 : 1000 / rate;
  const waiting: (() => void)[] = [];
  let running = 0;
  let nextSlot = 0;
  let pausedUntil = 0;
  let pausedMs = 0;
  let failures = 0;
  let lastAnswer = clock.now();
  let closed: string | undefined;

  const enter = async () => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  };
  // A leaving sender hands its place on, so that nobody overtakes those who wait.
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  /** Reserves the next slot and waits for it; a pause that came meanwhile asks for a new one. */
  const turn = async () => {
    do {
      const now = clock.now();
      const at = Math.max(now, nextSlot, pausedUntil);
      nextSlot = at + interval;
      if (at > now) await clock.sleep(at - now);
    } while (closed === undefined && pausedUntil > clock.now());
  };

  return {
    async pass(send) {
      await enter();
      try {
        if (interval > 0 || pausedUntil > 0) await turn();
        return closed === undefined ? await send() : undefined;
      } finally {
        leave();
      }
    },
    answered() {
      failures = 0;
      lastAnswer = clock.now();
    },
    failed() {
      failures += 1;
      const silence = clock.now() - lastAnswer;
      if (failures >= FAILURES_TO_CLOSE && silence >= patienceMs)
        closed ??= `the target gave no answer to ${failures} requests in a row for ${Math.round(silence / 1000)} s`;
    },
    pause(ms) {
      const now = clock.now();
      const until = Math.max(pausedUntil, now + ms);
      pausedMs += until - Math.max(pausedUntil, now);
      pausedUntil = until;
    },
    close(reason) {
      closed ??= reason;
    },
    get closed() {
      return closed;
    },
    get pausedMs() {
      return pausedMs;
    },
  };
}
