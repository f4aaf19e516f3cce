/** The clock of the harness. Tests use a simulated one. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** What a request got, and how many milliseconds it took. The wait for its turn does not count. */
export async function timed<T>(clock: Clock, send: () => Promise<T>) {
  const from = clock.now();
  const got = await send();
  return { got, ms: Math.round(clock.now() - from) };
}
