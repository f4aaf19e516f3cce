import type { Clock } from './clock.ts';

/** Limits the refused tokens a minute, because a target may lock the run out after too many of them. */
export interface Denials {
  /** A token was refused. */
  denied(): void;
  /** The target locked the run out. This halves the limit and starts a pause of a minute. */
  lockedOut(): void;
  /** The same lockout lasts longer. This starts a pause of a minute, and leaves the limit. */
  stillLockedOut(): void;
  /** Nothing may be sent before this time of the clock. 0 at first. */
  readonly heldUntil: number;
  /** The limit. Undefined is unlimited. */
  readonly perMinute: number | undefined;
}

/**
 * The limit for a target on another machine (outcomes 6). Common guards against guessed tokens allow more than this.
 * Requests in flight may exceed it by as many as are sent at once.
 */
export const REMOTE_DENIALS_PER_MINUTE = 60;
const MINUTE = 60_000;
/** No guard against guessed tokens allows fewer. */
const MIN_DENIALS = 4;

/** @param limit refused tokens a minute. Undefined is unlimited. */
export function createDenials(clock: Clock, limit: number | undefined): Denials {
  let perMinute = limit;
  let denials: number[] = [];
  let heldUntil = 0;
  return {
    denied() {
      if (perMinute === undefined) return;
      const now = clock.now();
      denials.push(now);
      while (denials.length > perMinute) denials.shift();
      const [oldest = now] = denials;
      if (denials.length === perMinute) heldUntil = Math.max(heldUntil, oldest + MINUTE);
    },
    lockedOut() {
      const now = clock.now();
      const recent = denials.filter((at) => at > now - MINUTE).length;
      perMinute = Math.max(MIN_DENIALS, Math.floor(Math.min(perMinute ?? recent, recent) / 2));
      denials = [];
      heldUntil = Math.max(heldUntil, now + MINUTE);
    },
    stillLockedOut() {
      denials = [];
      heldUntil = Math.max(heldUntil, clock.now() + MINUTE);
    },
    get heldUntil() {
      return heldUntil;
    },
    get perMinute() {
      return perMinute;
    },
  };
}
