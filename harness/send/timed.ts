import type { Clock } from './clock.ts';

/** What a request got, and how many milliseconds it took. The wait for its turn does not count. */
export interface Timed<T> {
  readonly got: T;
  readonly ms: number;
}

export async function timed<T>(clock: Clock, send: () => Promise<T>): Promise<Timed<T>> {
  const from = clock.now();
  const got = await send();
  return { got, ms: Math.round(clock.now() - from) };
}
