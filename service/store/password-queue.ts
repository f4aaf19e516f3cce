/** Runs the work when it is its turn. Returns undefined, without running it, when too many wait. */
export type PasswordQueue = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** Fewer than the threads of the pool (four by default), which the whole service shares. */
const atOnce = 2;
/** With the default cost of a password, the last one waits about two seconds. */
const mayWait = 16;

/**
 * Limits the passwords that are checked at once. Checking one is slow on purpose, and anyone can send passwords. If they all
 * waited, a few senders could keep everyone else from signing in.
 */
export function createPasswordQueue(): PasswordQueue {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= mayWait) return undefined;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // The next one takes this place.
      if (next) next();
      else running -= 1;
    }
  };
}
