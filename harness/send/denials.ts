import type { Settings } from '../settings/settings.ts';
import type { Clock } from './clock.ts';

/** Limits the refused tokens a minute, because a target may lock the run out after too many of them. */
export interface Denials {
  /** A token was refused. @param ms how long its answer took. */
  denied(ms: number): void;
  /** The target asked to slow down. This takes the pace back to the first one, for the rest of the run. */
  limited(): void;
  /** The target locked the run out. This halves the limit, if there is one, and starts a pause. */
  lockedOut(): void;
  /** The same lockout lasts longer. This starts a pause, and leaves the limit. */
  stillLockedOut(): void;
  /** Nothing may be sent before this time of the clock. 0 at first. */
  readonly heldUntil: number;
  /** What to do if a guard ended the run. Empty if nothing was refused, or without a limit. */
  readonly advice: string;
  /** The limit. Undefined is unlimited. */
  readonly perMinute: number | undefined;
}

/** The pace of the first minute (outcomes 6). Common guards against guessed tokens allow more than this. */
export const FIRST_PACE = 60;
/** The fastest pace of a run against another machine, which it reaches in the third minute. */
const FASTEST_PACE = 240;
const MINUTE = 60_000;
/** No guard against guessed tokens allows fewer. */
const MIN_DENIALS = 4;
/** The first pause of a lockout where nothing limits refused tokens. Each further one is twice as long: on this machine, one may be short. */
const FIRST_PAUSE = 1_000;
/** A median counts as slower only by this many milliseconds: those of a fast target double by chance. */
const SLOWER_MS = 10;

/** The most refused tokens a minute. Undefined is unlimited. */
export function mostRefused({ loopback, refusedPerMinute }: Settings): number | undefined {
  return refusedPerMinute ?? (loopback ? undefined : FASTEST_PACE);
}

/**
 * The pace begins at 60 a minute. After each minute without a sign of a limit it doubles, up to `most`. A sign is an answer
 * that asks to slow down, a lockout, or a minute whose median is twice that of the first. Requests in flight may exceed the
 * pace by as many as are sent at once.
 * @param most refused tokens a minute. Undefined is unlimited.
 */
export function createDenials(clock: Clock, most: number | undefined): Denials {
  let perMinute = most === undefined ? undefined : Math.min(FIRST_PACE, most);
  let mayGrow = true;
  let refused = 0;
  let mostInMinute = 0;
  let denials: number[] = [];
  let heldUntil = 0;
  let minuteFrom: number | undefined;
  let times: number[] = [];
  let firstMedian: number | undefined;

  const endMinute = (limit: number) => {
    const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
    times = [];
    // A minute without a refusal shows nothing.
    if (median === undefined) return;
    firstMedian ??= median;
    if (median >= 2 * firstMedian && median >= firstMedian + SLOWER_MS) limited();
    else if (mayGrow) perMinute = Math.max(limit, Math.min(2 * limit, most ?? limit));
  };
  const limited = () => {
    mayGrow = false;
    if (perMinute === undefined) return;
    perMinute = Math.min(perMinute, FIRST_PACE);
    hold(perMinute);
  };
  const hold = (limit: number) => {
    while (denials.length > limit) denials.shift();
    const [oldest = 0] = denials;
    if (denials.length === limit) heldUntil = Math.max(heldUntil, oldest + MINUTE);
  };
  let pauseMs = MINUTE;
  const pauseAll = () => {
    denials = [];
    heldUntil = Math.max(heldUntil, clock.now() + pauseMs);
  };
  return {
    denied(ms) {
      if (perMinute === undefined) return;
      const now = clock.now();
      minuteFrom ??= now;
      for (; now >= minuteFrom + MINUTE; minuteFrom += MINUTE) endMinute(perMinute);
      times.push(ms);
      denials.push(now);
      refused += 1;
      mostInMinute = Math.max(mostInMinute, denials.filter((at) => at > now - MINUTE).length);
      hold(perMinute);
    },
    limited,
    lockedOut() {
      limited();
      const now = clock.now();
      const recent = denials.filter((at) => at > now - MINUTE).length;
      if (perMinute === undefined) pauseMs = FIRST_PAUSE;
      else perMinute = Math.max(MIN_DENIALS, Math.floor(Math.min(perMinute, recent) / 2));
      pauseAll();
    },
    stillLockedOut() {
      pauseMs = Math.min(MINUTE, 2 * pauseMs);
      pauseAll();
    },
    get advice() {
      if (refused === 0) return '';
      const less = Math.max(MIN_DENIALS, Math.floor(mostInMinute / 2));
      return `; before, ${refused} tokens were refused, up to ${mostInMinute} in a minute: if a guard against guessed tokens did this, let this machine through it or set CONFORMANCE_REFUSED_PER_MINUTE=${less}`;
    },
    get heldUntil() {
      return heldUntil;
    },
    get perMinute() {
      return perMinute;
    },
  };
}
