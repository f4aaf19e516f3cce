/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1000);
}

/** A figure with its bound, and whether the bound is kept. */
export function ratio(value: number, bound: number, kind: 'least' | 'most'): string {
  const kept = kind === 'least' ? value >= bound : value <= bound;
  return `${Number.isInteger(value) ? value : value.toFixed(value < 0.1 ? 4 : 2)} (at ${kind} ${bound}: ${kept ? 'kept' : 'NOT KEPT'})`;
}
