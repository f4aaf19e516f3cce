/** Who sends a password: a browser that signed in as that person before, or a stranger at an address. */
export interface Sender {
  readonly isKnown: boolean;
  /** The person, or the address. */
  readonly name: string;
}

/** Runs the work when it is its turn. Returns undefined, without running it, when too many wait. */
export type PasswordQueue = <T>(sender: Sender, work: () => Promise<T>) => Promise<T | undefined>;

/** Fewer than the threads of the pool (four by default), which the whole service shares. */
const atOnce = 2;
/** Of one sender. With the default cost of a password, the last one waits about two seconds. */
const mayWait = 16;
/** Of all known senders, and of all strangers. */
const placesOfLane = 64;

/**
 * Limits the passwords that are checked at once. Checking one is slow on purpose, and anyone can send passwords. So that a few
 * senders keep nobody else from signing in, senders take turns, and so do known ones and strangers.
 */
export function createPasswordQueue(): PasswordQueue {
  let running = 0;
  const [known, strangers] = [createLane(), createLane()];
  const lanes = [known, strangers];

  return async ({ isKnown, name }, work) => {
    if (running < atOnce) running += 1;
    else if (!(await (isKnown ? known : strangers).wait(name))) return undefined;
    try {
      return await work();
    } finally {
      // The next one takes this place.
      if (!lanes.some((lane) => lane.next())) running -= 1;
      lanes.reverse();
    }
  };
}

function createLane() {
  /** The senders, in the order of their turns, with what tells each attempt that it may go on, or that it may not. */
  const waiting = new Map<string, ((goesOn: boolean) => void)[]>();
  let size = 0;
  return {
    /** Waits for its turn. False: too many wait. */
    async wait(name: string): Promise<boolean> {
      const own = waiting.get(name) ?? [];
      if (own.length >= mayWait) return false;
      if (size >= placesOfLane) {
        const [most = []] = [...waiting.values()].sort((one, other) => other.length - one.length);
        if (most.length <= own.length + 1) return false;
        most.pop()?.(false);
        size -= 1;
      }
      size += 1;
      return new Promise((turn) => waiting.set(name, [...own, turn]));
    },
    /** Lets the next one go on. False: nobody waits. */
    next(): boolean {
      const [first] = waiting;
      if (!first) return false;
      const [name, [turn, ...others]] = first;
      waiting.delete(name);
      if (others.length > 0) waiting.set(name, others);
      size -= 1;
      turn?.(true);
      return true;
    },
  };
}
