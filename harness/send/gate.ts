import type { Clock } from './clock.ts';

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

/**
 * On a remote target: fewer than what guards against guessed tokens counts as an attack, which would lock the address or
 * the person out. What is under way when it is reached may add as many as are sent at once.
 */
export const REMOTE_DENIALS_PER_MINUTE = 60;
const MINUTE = 60_000;
/** Fewer than anything that locks out allows. */
const FEWEST_DENIALS = 4;
const FAILURES_TO_CLOSE = 20;
/** Milliseconds after which a wait looks whether the gate was closed meanwhile. */
const NAP = 250;

export function createGate({ clock, rate, concurrency, patienceMs, ...budget }: GateOptions): Gate {
  const interval = rate === undefined ? 0 : 1000 / rate;
  const waiting: (() => void)[] = [];
  let running = 0;
  let nextSlot = 0;
  let pausedUntil = 0;
  let pausedMs = 0;
  let { denialsPerMinute } = budget;
  let denials: number[] = [];
  let heldUntil = 0;
  let failures = 0;
  let failingSince: number | undefined;
  let trying = false;
  let attempt: (() => Promise<unknown>) | undefined;
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
  const waitUntil = async (at: number) => {
    for (let left = at - clock.now(); closed === undefined && left > 0; left = at - clock.now())
      await clock.sleep(Math.min(left, NAP));
  };
  /** Says since when no answer comes; undefined while that is no reason to end. */
  const silent = () => {
    const silence = failingSince === undefined ? 0 : clock.now() - failingSince;
    if (failures < FAILURES_TO_CLOSE || silence < patienceMs) return undefined;
    return `the target gave no answer to ${failures} requests in a row for ${Math.round(silence / 1000)} s`;
  };
  /** Reserves the next slot and waits for it; a pause that came meanwhile asks for a new one. */
  const turn = async () => {
    do {
      const at = Math.max(clock.now(), nextSlot, pausedUntil, heldUntil);
      nextSlot = at + interval;
      await waitUntil(at);
    } while (closed === undefined && Math.max(pausedUntil, heldUntil) > clock.now());
  };

  return {
    async pass(send) {
      await enter();
      try {
        if (closed === undefined && (interval > 0 || pausedUntil > 0 || heldUntil > 0)) await turn();
        return closed === undefined ? await send() : undefined;
      } finally {
        leave();
      }
    },
    answered() {
      failures = 0;
      failingSince = undefined;
    },
    failed() {
      failures += 1;
      failingSince ??= clock.now();
      if (silent() === undefined || trying) return;
      if (!attempt) {
        closed ??= silent();
        return;
      }
      trying = true;
      const tried = () => {
        trying = false;
        closed ??= silent();
      };
      void attempt().then(tried, tried);
    },
    denied() {
      if (denialsPerMinute === undefined) return;
      const now = clock.now();
      denials.push(now);
      while (denials.length > denialsPerMinute) denials.shift();
      const [oldest = now] = denials;
      if (denials.length === denialsPerMinute) heldUntil = Math.max(heldUntil, oldest + MINUTE);
    },
    lockedOut() {
      const now = clock.now();
      const recent = denials.filter((at) => at > now - MINUTE).length;
      denialsPerMinute = Math.max(FEWEST_DENIALS, Math.floor(Math.min(denialsPerMinute ?? recent, recent) / 2));
      denials = [];
      heldUntil = Math.max(heldUntil, now + MINUTE);
    },
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
      if (heldUntil > clock.now()) return `waiting ${seconds(heldUntil)} lest too many tokens are refused in a minute`;
      return undefined;
    },
    get pausedMs() {
      return pausedMs;
    },
  };
}
