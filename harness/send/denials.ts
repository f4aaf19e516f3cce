import type { Clock } from './clock.ts';

/** Counts refused tokens: more in a minute than a target's guard allows would lock us out. */
export interface Denials {
  denied(): void;
  /** The target locked us out: from now on half as many tokens are refused in a minute. */
  lockedOut(): void;
  /** Until when everything is held back, by the clock; 0 at first. */
  readonly heldUntil: number;
}

/**
 * On a remote target: fewer than what guards against guessed tokens counts as an attack, which would lock the address or
 * the person out. What is under way when it is reached may add as many as are sent at once.
 */
export const REMOTE_DENIALS_PER_MINUTE = 60;
const MINUTE = 60_000;
/** Fewer than anything that locks out allows. */
const FEWEST_DENIALS = 4;

/** @param most refused tokens a minute; undefined is unlimited. */
export function createDenials(clock: Clock, most: number | undefined): Denials {
  let perMinute = most;
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
      perMinute = Math.max(FEWEST_DENIALS, Math.floor(Math.min(perMinute ?? recent, recent) / 2));
      denials = [];
      heldUntil = Math.max(heldUntil, now + MINUTE);
    },
    get heldUntil() {
      return heldUntil;
    },
  };
}
